// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/base/ink.h"
#include "toolchain/comparison/state_comparison.h"

namespace warpwright {

/// Two states beside each other, differences first, at most 100 columns wide: what both sides are, what
/// limits the comparison, a table a group, and what was not collected with what brings it. Without `showsAll`
/// what is the same, not measured to differ or missing is only counted, but of verdict and times.
[[nodiscard]] QString comparisonText(const StateComparison &comparison, const Terminal &terminal,
                                     bool showsAll);

} // namespace warpwright
