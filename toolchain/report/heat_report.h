// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/base/ink.h"
#include "toolchain/heat/heat.h"

namespace warpwright {

/// The hottest lines of a text, kernel by kernel, with what their warps waited for; `most` lines of each
/// kernel (0: all that have samples).
[[nodiscard]] QString heatText(const Heat &heat, int most, const Terminal &terminal);

/// The instructions of its kernels, each with its share and its samples, beside the lines they come from.
[[nodiscard]] QString heatListingText(const Heat &heat, const Terminal &terminal);

} // namespace warpwright
