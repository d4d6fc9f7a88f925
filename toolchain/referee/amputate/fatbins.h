// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "referee/amputate/elf_image.h"

#include <string>
#include <vector>

namespace warpwright {

/// Device code as a library registers it: the kernels of one source file.
struct Fatbin {
    uint64_t address = 0; ///< in the library
    std::vector<std::string> kernels;
};

/// Those of `library` (the end of its path), from what registrar.cpp wrote.
std::vector<Fatbin> fatbinsOf(const std::string &registered, const std::string &library);

/// Whether all its kernels move data: copy, fill, join, count up.
bool isMovement(const Fatbin &fatbin);

/// Where in the library's file the sizes stand of the code that goes: written as 0, the library registers an
/// empty file. Throws std::runtime_error where there is no header of the kind we know.
std::vector<uint64_t> sizesToEmpty(const ElfImage &image, const std::vector<Fatbin> &fatbins);

} // namespace warpwright
