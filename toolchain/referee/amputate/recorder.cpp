// SPDX-License-Identifier: GPL-3.0-or-later
//
// Preloaded into an interpreter: notes which functions of some libraries run. Each begins with a trap; the
// first call puts the byte back, so that a function costs one signal, and the process goes on as if there had
// been none.

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
struct Library {
    const char *end = nullptr; ///< of its path
    size_t length = 0;
    uintptr_t base = 0; ///< where it lies in this process
} libraries[warpwright::mostLibraries];
size_t libraryCount = 0;
uintptr_t pageBytes = 4096;

int findBases(dl_phdr_info *found, size_t, void *) {
    const size_t length = std::strlen(found->dlpi_name);
    for (Library &library : libraries) {
        if (library.end != nullptr && length >= library.length &&
            std::strncmp(found->dlpi_name + length - library.length, library.end, library.length) == 0)
            library.base = found->dlpi_addr;
    }
    return 0;
}

RecordedFunction *rowIn(const Library &library, size_t number, uintptr_t place) {
    if (library.base == 0 || place < library.base)
        return nullptr;
    const uintptr_t address = place - library.base;
    RecordedFunction *end = rows + rowCount;
    RecordedFunction *row =
        std::lower_bound(rows, end, address, [number](const RecordedFunction &each, uintptr_t wanted) {
            return each.library < number || (each.library == number && each.address < wanted);
        });
    return row != end && row->library == number && row->address == address ? row : nullptr;
}

// Where the libraries lie is asked again when none that is known has this place: one was loaded since.
RecordedFunction *rowAt(uintptr_t place) {
    for (const bool isAsked : {false, true}) {
        if (isAsked)
            dl_iterate_phdr(findBases, nullptr);
        for (size_t i = 0; i < libraryCount; ++i) {
            if (RecordedFunction *row = rowIn(libraries[i], i, place))
                return row;
        }
    }
    return nullptr;
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
    RecordedFunction *row = rowAt(at);
    const uintptr_t page = at & ~(pageBytes - 1);
    if (row == nullptr ||
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
    const char *wanted = std::getenv(warpwright::recorderLibraries);
    if (table == nullptr || wanted == nullptr)
        return;
    while (libraryCount < warpwright::mostLibraries && *wanted != '\0') {
        const size_t length = std::strcspn(wanted, ":");
        libraries[libraryCount++] = {wanted, length, 0};
        wanted += length + (wanted[length] == ':' ? 1 : 0);
    }
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
