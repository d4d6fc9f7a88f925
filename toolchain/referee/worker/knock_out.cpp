// SPDX-License-Identifier: GPL-3.0-or-later
//
// Takes a candidate's own kernels out: calls of them through the extension's table of addresses then do
// nothing. Where its results stay the same, somebody else did the work.
//
// Evidence, not proof: this runs in the candidate's process, which can undo it.

#include <cstdint>
#include <cstring>
#include <elf.h>
#include <link.h>
#include <string>
#include <sys/mman.h>
#include <unistd.h>
#include <vector>

namespace {

struct Slot {
    void **address;
    void *honest;
};

std::vector<Slot> knockedOut;
uint64_t callsSwallowed = 0;

// For every launcher and every launch function: they return an int or nothing, and 0 means that all went
// well.
extern "C" long swallow() {
    ++callsSwallowed;
    return 0;
}

struct Search {
    std::string path;
    uint64_t base = 0;
    const ElfW(Dyn) *dynamic = nullptr;
};

int findModule(dl_phdr_info *info, size_t, void *data) {
    auto *search = static_cast<Search *>(data);
    if (search->path != info->dlpi_name)
        return 0;
    search->base = info->dlpi_addr;
    for (int i = 0; i < info->dlpi_phnum; ++i) {
        if (info->dlpi_phdr[i].p_type == PT_DYNAMIC)
            search->dynamic =
                reinterpret_cast<const ElfW(Dyn) *>(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr);
    }
    return 1;
}

bool isLaunch(const char *name) {
    // What <<<>>> becomes: with the underscores since CUDA 13.
    for (const char *known :
         {"cudaLaunchKernel", "cudaLaunchKernel_ptsz", "__cudaLaunchKernel", "__cudaLaunchKernel_ptsz",
          "cudaLaunchKernelExC", "cudaLaunchKernelExC_ptsz", "cudaLaunchCooperativeKernel", "cuLaunchKernel",
          "cuLaunchKernelEx", "cuLaunchCooperativeKernel"})
        if (std::strcmp(name, known) == 0)
            return true;
    return false;
}

// A plain C function of the extension itself, or what CUDA launches kernels with. A C++ function may return
// an object, which nothing would have made then.
bool isOwnWork(const ElfW(Sym) & symbol, const char *name, bool isCuda) {
    if (isCuda)
        return symbol.st_shndx == SHN_UNDEF && isLaunch(name);
    return symbol.st_shndx != SHN_UNDEF && ELF64_ST_TYPE(symbol.st_info) == STT_FUNC &&
           ELF64_ST_BIND(symbol.st_info) == STB_GLOBAL && std::strncmp(name, "_Z", 2) != 0 &&
           std::strncmp(name, "PyInit", 6) != 0 && name[0] != '_';
}

void replace(void **slot, void *by) {
    const auto page = reinterpret_cast<uintptr_t>(slot) & ~static_cast<uintptr_t>(sysconf(_SC_PAGESIZE) - 1);
    // The table may have been made read-only when the library was loaded.
    mprotect(reinterpret_cast<void *>(page), static_cast<size_t>(sysconf(_SC_PAGESIZE)),
             PROT_READ | PROT_WRITE);
    *slot = by;
}

} // namespace

extern "C" {

/// Of the library that was loaded from `path`. How many functions were taken out; 0: none can be told.
int ww_knock_out(const char *path, int isCuda) {
#if defined(__x86_64__)
    Search search;
    search.path = path;
    dl_iterate_phdr(findModule, &search);
    if (search.dynamic == nullptr)
        return 0;
    const ElfW(Rela) * relocations[2] = {nullptr, nullptr};
    uint64_t bytes[2] = {0, 0};
    const ElfW(Sym) *symbols = nullptr;
    const char *names = nullptr;
    for (const ElfW(Dyn) *entry = search.dynamic; entry->d_tag != DT_NULL; ++entry) {
        // glibc has made addresses of these.
        const auto value = entry->d_un.d_ptr;
        if (entry->d_tag == DT_JMPREL)
            relocations[0] = reinterpret_cast<const ElfW(Rela) *>(value);
        else if (entry->d_tag == DT_PLTRELSZ)
            bytes[0] = entry->d_un.d_val;
        else if (entry->d_tag == DT_RELA)
            relocations[1] = reinterpret_cast<const ElfW(Rela) *>(value);
        else if (entry->d_tag == DT_RELASZ)
            bytes[1] = entry->d_un.d_val;
        else if (entry->d_tag == DT_SYMTAB)
            symbols = reinterpret_cast<const ElfW(Sym) *>(value);
        else if (entry->d_tag == DT_STRTAB)
            names = reinterpret_cast<const char *>(value);
    }
    if (symbols == nullptr || names == nullptr)
        return 0;
    callsSwallowed = 0;
    for (int table = 0; table < 2; ++table) {
        for (uint64_t i = 0; relocations[table] != nullptr && i < bytes[table] / sizeof(ElfW(Rela)); ++i) {
            const ElfW(Rela) &relocation = relocations[table][i];
            const auto type = ELF64_R_TYPE(relocation.r_info);
            const ElfW(Sym) &symbol = symbols[ELF64_R_SYM(relocation.r_info)];
            if ((type != R_X86_64_JUMP_SLOT && type != R_X86_64_GLOB_DAT) ||
                !isOwnWork(symbol, names + symbol.st_name, isCuda != 0))
                continue;
            auto **slot = reinterpret_cast<void **>(search.base + relocation.r_offset);
            knockedOut.push_back({slot, *slot});
            replace(slot, reinterpret_cast<void *>(&swallow));
        }
    }
    return static_cast<int>(knockedOut.size());
#else
    (void)path;
    (void)isCuda;
    return 0;
#endif
}

/// Puts everything back; how many calls did nothing meanwhile.
uint64_t ww_put_back() {
    for (const Slot &slot : knockedOut)
        replace(slot.address, slot.honest);
    knockedOut.clear();
    return callsSwallowed;
}

} // extern "C"
