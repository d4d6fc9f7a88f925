// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/comparison/state_comparison.h"

#include <memory>

namespace warpwright {

/// Both sides and what lies between, as one value that threads share: made here, or of what a past run
/// recorded.
struct ComparedPair {
    ComparedState left;
    ComparedState right;
    StateComparison comparison;
};
using SharedPair = std::shared_ptr<const ComparedPair>;
[[nodiscard]] SharedPair comparedPair(ComparedState left, ComparedState right);
[[nodiscard]] SharedComparison comparisonIn(const SharedPair &pair);

} // namespace warpwright
