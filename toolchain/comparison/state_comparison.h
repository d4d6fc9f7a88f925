// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/comparison/comparison_values.h"

namespace warpwright {

/// Times differ where their difference, ± its farther end as it is written, does not hold zero; counters of a
/// single launch where they are 5 % apart, of several where their ranges do not meet; counts where they are
/// not equal. Takes up to a second for large listings: not for a window's thread.
[[nodiscard]] StateComparison compareStates(const ComparedState &left, const ComparedState &right);

} // namespace warpwright
