// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace warpwright {

/// The C text in which fatbinary embeds device code, with the code named (.incbin) in place of spelt out: a
/// host compiler can make assembly of it before there is any, and the assembler then finds the same bytes.
[[nodiscard]] std::string fatbinStandIn(const std::string &fatbinPath);

/// True if `embedded`, which fatbinary wrote, comes to the same object as the stand-in for a file with the
/// bytes `fatbin`. False for anything that CUDA 13.0 does not write.
[[nodiscard]] bool standsFor(const std::string &embedded, const std::string &fatbin);

} // namespace warpwright
