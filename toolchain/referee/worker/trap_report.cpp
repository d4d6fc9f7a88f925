// SPDX-License-Identifier: GPL-3.0-or-later
//
// Says what a worker dies of: a function that is not there for it, whose name the judge finds (amputation.h),
// or a number written over inputs. Whoever was asked about the signal before, Python's traceback above all,
// is asked next.

#include <array>
#include <atomic>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <dlfcn.h>
#include <string_view>
#include <unistd.h>

namespace {

struct sigaction before {};
struct sigaction beforeWrites {};

struct Inputs {
    std::atomic<uintptr_t> first{0}, bytes{0};
} inputs;

void onForbiddenAccess(int number, siginfo_t *facts, void *) {
    sigaction(number, &beforeWrites, nullptr); // for when the instruction is tried again
    constexpr std::string_view words = "\nwarpwright: write inputs\n";
    if (facts->si_code == SEGV_ACCERR &&
        reinterpret_cast<uintptr_t>(facts->si_addr) - inputs.first < inputs.bytes)
        (void)!write(STDERR_FILENO, words.data(), words.size());
}

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

/// From now on a write to these bytes, which may only be read, is told.
extern "C" int ww_report_writes(void *first, uint64_t bytes) {
    inputs.first = reinterpret_cast<uintptr_t>(first);
    inputs.bytes = bytes;
    static const int isSet = [] {
        struct sigaction ours {};
        ours.sa_sigaction = onForbiddenAccess;
        ours.sa_flags = SA_SIGINFO | SA_NODEFER | SA_ONSTACK;
        return sigaction(SIGSEGV, &ours, &beforeWrites);
    }();
    return isSet;
}
