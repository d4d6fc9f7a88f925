// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/compare/compared_pair.h"

#include <utility>

namespace warpwright {

SharedPair comparedPair(ComparedState left, ComparedState right) {
    auto pair = std::make_shared<ComparedPair>();
    pair->comparison = compareStates(left, right);
    pair->left = std::move(left);
    pair->right = std::move(right);
    return pair;
}

SharedComparison comparisonIn(const SharedPair &pair) {
    return pair ? SharedComparison(pair, &pair->comparison) : nullptr;
}

} // namespace warpwright
