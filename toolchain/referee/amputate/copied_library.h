// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "referee/amputate/elf_image.h"
#include "referee/amputate/recorded_functions.h"
#include "referee/amputate/trap_plan.h"

namespace warpwright {

/// A copy of a library's file that is written to. Throws std::system_error: a full disk above all.
class CopiedLibrary {
public:
    CopiedLibrary(const std::string &original, std::string copy);
    ~CopiedLibrary();
    CopiedLibrary(const CopiedLibrary &) = delete;
    CopiedLibrary &operator=(const CopiedLibrary &) = delete;

    /// The recorder's trap at the first byte of each function; returns what stood there, as rows of the
    /// library of this place in the list.
    std::vector<RecordedFunction> markAll(const ElfImage &image, unsigned char place = 0);
    /// Takes those out again, and fills the plan's bodies with traps.
    void amputate(const ElfImage &image, const std::vector<RecordedFunction> &marked, const TrapPlan &plan);
    /// Writes a size of 0 at these places (sizesToEmpty).
    void empty(const std::vector<uint64_t> &sizes);

private:
    std::string m_path;
    unsigned char *m_data = nullptr;
    uint64_t m_size = 0;
};

} // namespace warpwright
