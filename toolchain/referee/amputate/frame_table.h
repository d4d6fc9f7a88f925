// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "referee/amputate/elf_image.h"

namespace warpwright {

/// The code that a library says how to unwind (.eh_frame), by ascending address and without names: what a
/// stripped library still tells of its functions. None where it has no such table, or one of another kind.
std::vector<ElfFunction> framesOf(const ElfImage &image);

} // namespace warpwright
