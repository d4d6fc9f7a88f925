// SPDX-License-Identifier: GPL-3.0-or-later
#include "referee/worker/module_slots.h"

#include <cstdint>
#include <elf.h>
#include <sys/mman.h>
#include <unistd.h>

namespace warpwright {

namespace {

// Of relocations: a call, an address taken by code, an address in data.
#if defined(__x86_64__)
constexpr uint64_t jumpSlot = R_X86_64_JUMP_SLOT, globalData = R_X86_64_GLOB_DAT, pointer = R_X86_64_64;
#elif defined(__aarch64__)
constexpr uint64_t jumpSlot = R_AARCH64_JUMP_SLOT, globalData = R_AARCH64_GLOB_DAT, pointer = R_AARCH64_ABS64;
#else
constexpr uint64_t jumpSlot = ~0ull, globalData = ~0ull, pointer = ~0ull;
#endif

struct Search {
    const std::string &path;
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

} // namespace

std::vector<ModuleSlot> slotsOf(const std::string &path) {
    std::vector<ModuleSlot> slots;
    Search search{path};
    dl_iterate_phdr(findModule, &search);
    if (search.dynamic == nullptr)
        return slots;
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
        return slots;
    for (int table = 0; table < 2; ++table) {
        for (uint64_t i = 0; relocations[table] != nullptr && i < bytes[table] / sizeof(ElfW(Rela)); ++i) {
            const ElfW(Rela) &relocation = relocations[table][i];
            const uint64_t type = ELF64_R_TYPE(relocation.r_info);
            const bool isCall = type == jumpSlot || type == globalData;
            if (!isCall && (type != pointer || relocation.r_addend != 0))
                continue;
            const ElfW(Sym) *symbol = &symbols[ELF64_R_SYM(relocation.r_info)];
            auto **address = reinterpret_cast<void **>(search.base + relocation.r_offset);
            if (symbol->st_name != 0 && *address != nullptr)
                slots.push_back({names + symbol->st_name, symbol, address, isCall});
        }
    }
    return slots;
}

void writeSlot(void **slot, void *value) {
    const auto size = static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
    const auto page = reinterpret_cast<uint64_t>(slot) & ~(size - 1);
    mprotect(reinterpret_cast<void *>(page), size, PROT_READ | PROT_WRITE);
    *slot = value;
}

} // namespace warpwright
