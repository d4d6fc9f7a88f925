// SPDX-License-Identifier: GPL-3.0-or-later
//
// Preloaded into an interpreter: notes which functions of a library run. Each begins with a trap; the first
// call puts the byte back, so that a function costs one signal, and the process goes on as if there had been
// none.

#include "referee/amputate/recorded_functions.h"

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <link.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <ucontext.h>
#include <unistd.h>

namespace {

using warpwright::RecordedFunction;

RecordedFunction *rows = nullptr;
size_t rowCount = 0;
const char *wanted = nullptr;
uintptr_t base = 0; // where the library lies in this process
uintptr_t pageBytes = 4096;

int findBase(dl_phdr_info *library, size_t, void *) {
    const size_t length = std::strlen(library->dlpi_name);
    const size_t end = std::strlen(wanted);
    if (length < end || std::strcmp(library->dlpi_name + length - end, wanted) != 0)
        return 0;
    base = library->dlpi_addr;
    return 1;
}

void restoreDefault(int number) {
    struct sigaction plain {};
    plain.sa_handler = SIG_DFL;
    sigaction(number, &plain, nullptr);
}

// Only async-signal-safe calls; threads may be here side by side, and then do the same.
void onTrap(int number, siginfo_t *, void *context) {
#if defined(__x86_64__)
    auto *machine = static_cast<ucontext_t *>(context);
    greg_t &place = machine->uc_mcontext.gregs[REG_RIP];
    const auto at = static_cast<uintptr_t>(place) - 1; // the processor stands behind the trap
    if (base == 0)
        dl_iterate_phdr(findBase, nullptr);
    RecordedFunction *end = rows + rowCount;
    RecordedFunction *row =
        std::lower_bound(rows, end, at - base, [](const RecordedFunction &each, uintptr_t address) {
            return each.address < address;
        });
    const uintptr_t page = at & ~(pageBytes - 1);
    if (base == 0 || row == end || row->address != at - base ||
        mprotect(reinterpret_cast<void *>(page), pageBytes, PROT_READ | PROT_WRITE | PROT_EXEC) != 0) {
        restoreDefault(number); // not one of ours: it ends the process
        return;
    }
    row->ran = 1;
    *reinterpret_cast<volatile unsigned char *>(at) = row->first;
    place = static_cast<greg_t>(at);
#else
    (void)context;
    restoreDefault(number);
#endif
}

__attribute__((constructor)) void begin() {
    const char *table = std::getenv(warpwright::recorderTable);
    wanted = std::getenv(warpwright::recorderLibrary);
    if (table == nullptr || wanted == nullptr)
        return;
    const int file = open(table, O_RDWR | O_CLOEXEC);
    struct stat facts {};
    if (file < 0 || fstat(file, &facts) != 0)
        _exit(127);
    const auto bytes = static_cast<size_t>(facts.st_size);
    void *memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    close(file);
    if (memory == MAP_FAILED)
        _exit(127);
    rows = static_cast<RecordedFunction *>(memory);
    rowCount = bytes / sizeof(RecordedFunction);
    pageBytes = static_cast<uintptr_t>(sysconf(_SC_PAGESIZE));
    struct sigaction ours {};
    ours.sa_sigaction = onTrap;
    ours.sa_flags = SA_SIGINFO | SA_NODEFER | SA_ONSTACK | SA_RESTART;
    sigaction(SIGTRAP, &ours, nullptr);
}

} // namespace
