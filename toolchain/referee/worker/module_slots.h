// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <link.h>
#include <string>
#include <vector>

namespace warpwright {

/// Where a loaded library keeps the address of a function that it calls by name.
struct ModuleSlot {
    const char *name;         ///< of the function; lives as long as the library
    const ElfW(Sym) * symbol; ///< as the library has it: imported ones have no section
    void **address;
    bool isCall; ///< of its table of calls; false: a pointer to the function in its data

    bool isImported() const { return symbol->st_shndx == SHN_UNDEF; }
};

/// All of the library that was loaded from `path`, resolved ones only (Python loads extensions with
/// RTLD_NOW). Empty where it is not loaded, and on processors other than x86-64 and aarch64.
std::vector<ModuleSlot> slotsOf(const std::string &path);

/// The table may have been made read-only when the library was loaded; it stays writable afterwards.
void writeSlot(void **slot, void *value);

} // namespace warpwright
