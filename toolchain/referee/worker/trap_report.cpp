// SPDX-License-Identifier: GPL-3.0-or-later
//
// Says which function a worker came to that is not there for it, before it dies of that: the judge finds its
// name (amputation.h). Whoever was asked about the signal before, Python's traceback above all, is asked
// next.

#include <array>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <dlfcn.h>
#include <unistd.h>

namespace {

struct sigaction before {};

void onIllegalInstruction(int number, siginfo_t *facts, void *) {
    sigaction(number, &before, nullptr); // for when the instruction is tried again
    Dl_info library{};
    if (dladdr(facts->si_addr, &library) == 0 || library.dli_fname == nullptr)
        return;
    const char *slash = std::strrchr(library.dli_fname, '/');
    const char *name = slash == nullptr ? library.dli_fname : slash + 1;
    auto address =
        reinterpret_cast<uintptr_t>(facts->si_addr) - reinterpret_cast<uintptr_t>(library.dli_fbase);
    std::array<char, 17> digits{};
    size_t begin = digits.size() - 1;
    for (; begin > 0 && (address != 0 || begin == digits.size() - 1); address >>= 4)
        digits[--begin] = "0123456789abcdef"[address & 15];
    for (const char *text :
         {"\nwarpwright: trap ", name, " ", const_cast<const char *>(&digits[begin]), "\n"})
        (void)!write(STDERR_FILENO, text, std::strlen(text));
}

} // namespace

extern "C" int ww_report_traps() {
    struct sigaction ours {};
    ours.sa_sigaction = onIllegalInstruction;
    ours.sa_flags = SA_SIGINFO | SA_NODEFER | SA_ONSTACK;
    return sigaction(SIGILL, &ours, &before);
}
