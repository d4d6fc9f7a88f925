// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/evaluation/measured_figures.h"

namespace warpwright {

/// What is further above a ceiling, with the whole of its interval, than two measurements of a ceiling
/// differ: `least`: the low end of its share, of 1. Nothing is faster than the device, so the ceiling is what
/// is wrong.
[[nodiscard]] bool isCeilingTooLow(double least);

/// "87.1 %" of the speed of light, or "ceiling too low"; empty: it is not known.
[[nodiscard]] QString lightShareText(const MeasuredFigures &figures);

/// Why the percentage of the speed of light is not told: "the candidate is faster, so the ceiling was …".
/// Empty: it can be told.
[[nodiscard]] QString ceilingDoubt(const MeasuredFigures &figures);

} // namespace warpwright
