// SPDX-License-Identifier: GPL-3.0-or-later
//
// From here on a process gets no executable memory but that of files: a candidate's arithmetic is to be in
// the kernels that were compiled from its sources, where it is counted, named and knocked out, and the
// judge's own code in the process is to stay as it is. Asked for before any code of the candidate's has run,
// and for good.

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

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

sock_filter lines[] = {
    load(offsetof(seccomp_data, arch)), is(architecture, 1, 0), answer(refuse),
    load(offsetof(seccomp_data, nr)), isAtLeast(otherNumbers, 0, 1), answer(refuse),
    is(SYS_personality, 0, 1), // with it, what may be read may be executed
    answer(refuse), is(SYS_mprotect, 3, 0), is(SYS_pkey_mprotect, 2, 0), is(SYS_mmap, 5, 0),
    answer(SECCOMP_RET_ALLOW),
    // mprotect
    load(argument(2)), holds(PROT_EXEC, 1, 0), answer(SECCOMP_RET_ALLOW), answer(refuse),
    // mmap
    load(argument(2)), holds(PROT_EXEC, 1, 0), answer(SECCOMP_RET_ALLOW), holds(PROT_WRITE, 0, 1),
    answer(refuse), load(argument(3)), holds(MAP_ANONYMOUS, 0, 1), answer(refuse),
    answer(SECCOMP_RET_ALLOW), // a file's code
};

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

/// 0, or -1: this process can still make code, for the kernel has no filters of that kind.
extern "C" int ww_refuse_new_code() {
    if (takeAwayWritableCode() != 0 || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
        return -1;
    const sock_fprog program{sizeof lines / sizeof *lines, lines};
    return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program) == 0 ? 0 : -1;
}
