// SPDX-License-Identifier: GPL-3.0-or-later
//
// From here on a process gets no executable memory but that of one library's code: a candidate's arithmetic
// is to be in the kernels that were compiled from its sources, where it is counted, named and knocked out,
// and the judge's own code in the process is to stay as it is. What that library needs of others is loaded
// before. Asked for before any code of the candidate's has run, and for good.

#include "referee/amputate/elf_image.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <dlfcn.h>
#include <elf.h>
#include <exception>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <string>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/shm.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <vector>

namespace {

#if defined(__x86_64__)
constexpr uint32_t architecture = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
constexpr uint32_t architecture = AUDIT_ARCH_AARCH64;
#else
constexpr uint32_t architecture = 0;
#endif

constexpr uint32_t refuse = SECCOMP_RET_ERRNO | 1; // EPERM
constexpr uint32_t otherNumbers = 0x40000000;      // x86-64's second table of the same calls

constexpr uint32_t argument(int number) {
    return static_cast<uint32_t>(offsetof(seccomp_data, args)) + 8u * static_cast<uint32_t>(number);
}

constexpr sock_filter load(uint32_t offset) {
    return BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offset);
}
/// So many lines are passed over where the loaded value is, holds, or is at least that; so many where not.
constexpr sock_filter is(uint32_t value, uint8_t yes, uint8_t no) {
    return BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, yes, no);
}
constexpr sock_filter holds(uint32_t bits, uint8_t yes, uint8_t no) {
    return BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, bits, yes, no);
}
constexpr sock_filter isAtLeast(uint32_t value, uint8_t yes, uint8_t no) {
    return BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, value, yes, no);
}
constexpr sock_filter answer(uint32_t what) {
    return BPF_STMT(BPF_RET | BPF_K, what);
}

/// How the loader asks for a piece of code.
struct Piece {
    uint64_t bytes = 0, offset = 0;
};

void add(std::vector<sock_filter> &lines, std::initializer_list<sock_filter> more) {
    lines.insert(lines.end(), more);
}

std::vector<sock_filter> filterFor(const std::vector<Piece> &pieces) {
    std::vector<sock_filter> lines;
    add(lines, {load(offsetof(seccomp_data, arch)), is(architecture, 1, 0), answer(refuse),
                load(offsetof(seccomp_data, nr)), isAtLeast(otherNumbers, 0, 1), answer(refuse),
                is(SYS_personality, 0, 1), // with it, what may be read may be executed
                answer(refuse), is(SYS_shmat, 4, 0), is(SYS_mprotect, 7, 0), is(SYS_pkey_mprotect, 6, 0),
                is(SYS_mmap, 9, 0), answer(SECCOMP_RET_ALLOW)});
    // shmat
    add(lines, {load(argument(2)), holds(SHM_EXEC, 1, 0), answer(SECCOMP_RET_ALLOW), answer(refuse)});
    // mprotect
    add(lines, {load(argument(2)), holds(PROT_EXEC, 1, 0), answer(SECCOMP_RET_ALLOW), answer(refuse)});
    // mmap
    add(lines, {load(argument(2)), holds(PROT_EXEC, 1, 0), answer(SECCOMP_RET_ALLOW), holds(PROT_WRITE, 0, 1),
                answer(refuse), load(argument(3)), holds(MAP_ANONYMOUS, 0, 1), answer(refuse)});
    for (const Piece &piece : pieces)
        add(lines, {load(argument(1)), is(static_cast<uint32_t>(piece.bytes), 0, 3), load(argument(5)),
                    is(static_cast<uint32_t>(piece.offset), 0, 1), answer(SECCOMP_RET_ALLOW)});
    lines.push_back(answer(refuse));
    return lines;
}

/// What the loader will ask for, by the library's table of segments, which lies within its file.
std::vector<Piece> piecesOf(const warpwright::ElfImage &image) {
    const auto *header = reinterpret_cast<const Elf64_Ehdr *>(image.bytesAt(0));
    const auto *segments = reinterpret_cast<const Elf64_Phdr *>(image.bytesAt(header->e_phoff));
    const auto page = static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
    uint64_t first = UINT64_MAX; // of all that is loaded
    uint64_t last = 0;
    for (int i = 0; i < header->e_phnum; ++i) {
        if (segments[i].p_type != PT_LOAD)
            continue;
        first = std::min(first, segments[i].p_vaddr / page * page);
        last = std::max(last, (segments[i].p_vaddr + segments[i].p_memsz + page - 1) / page * page);
    }
    std::vector<Piece> pieces;
    for (int i = 0; i < header->e_phnum; ++i) {
        const Elf64_Phdr &segment = segments[i];
        if (segment.p_type != PT_LOAD || (segment.p_flags & PF_X) == 0)
            continue;
        const uint64_t begin = segment.p_vaddr / page * page;
        const uint64_t end = (segment.p_vaddr + segment.p_filesz + page - 1) / page * page;
        const uint64_t offset = segment.p_offset / page * page;
        // The first one is mapped for all of them.
        pieces.push_back({begin == first ? last - first : end - begin, offset});
    }
    return pieces;
}

/// Libraries by the names that this one asks for them.
std::vector<std::string> neededBy(const warpwright::ElfImage &image) {
    std::vector<std::string> names;
    const auto table = image.section(".dynamic");
    const auto texts = image.section(".dynstr");
    if (!table || !texts || table->offset + table->bytes > image.fileBytes() ||
        texts->offset + texts->bytes > image.fileBytes())
        return names;
    for (uint64_t at = 0; at + sizeof(Elf64_Dyn) <= table->bytes; at += sizeof(Elf64_Dyn)) {
        Elf64_Dyn entry;
        std::memcpy(&entry, image.bytesAt(table->offset + at), sizeof entry);
        if (entry.d_tag == DT_NEEDED && entry.d_un.d_val < texts->bytes) {
            const char *name =
                reinterpret_cast<const char *>(image.bytesAt(texts->offset + entry.d_un.d_val));
            names.emplace_back(name, strnlen(name, texts->bytes - entry.d_un.d_val));
        }
    }
    return names;
}

/// ctypes keeps a page that can be written and executed, for functions of Python's that C calls: nobody does
/// here.
int takeAwayWritableCode() {
    std::FILE *maps = std::fopen("/proc/self/maps", "re");
    if (maps == nullptr)
        return -1;
    int result = 0;
    char line[512];
    while (std::fgets(line, sizeof line, maps) != nullptr) {
        unsigned long first = 0;
        unsigned long end = 0;
        char rights[8] = {};
        if (std::sscanf(line, "%lx-%lx %7s", &first, &end, rights) == 3 &&
            std::strncmp(rights + 1, "wx", 2) == 0 &&
            mprotect(reinterpret_cast<void *>(first), end - first, PROT_READ | PROT_WRITE) != 0)
            result = -1;
    }
    std::fclose(maps);
    return result;
}

} // namespace

/// 0, or -1: this process can still make code, for the kernel has no filters of that kind, or the library has
/// no table of segments. `library` is what may still be loaded; what it needs is loaded here, and what cannot
/// be is told to whoever loads it.
extern "C" int ww_refuse_new_code(const char *library) {
    std::vector<sock_filter> lines;
    try {
        const warpwright::ElfImage image(library);
        for (const std::string &name : neededBy(image))
            (void)dlopen(name.c_str(), RTLD_LAZY | RTLD_LOCAL);
        lines = filterFor(piecesOf(image));
    } catch (const std::exception &) {
        return -1;
    }
    if (takeAwayWritableCode() != 0 || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
        return -1;
    const sock_fprog program{static_cast<unsigned short>(lines.size()), lines.data()};
    return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program) == 0 ? 0 : -1;
}
