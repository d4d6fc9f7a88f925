// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/layout/text_scales.h"

#include <algorithm>
#include <cmath>

namespace warpwright {

const std::vector<int> &textScales() {
    static const std::vector<int> percents{75, 80, 90, 100, 110, 120, 125, 130, 140, 150, 175, 200};
    return percents;
}

double steppedTextScale(double scale, int steps) {
    const std::vector<int> &percents = textScales();
    const auto now = static_cast<int>(std::lround(100 * scale));
    // Of one between two of them the first step leads to the neighbour.
    const auto at = std::lower_bound(percents.begin(), percents.end(), now) - percents.begin();
    const bool isBetween =
        at == static_cast<std::ptrdiff_t>(percents.size()) || percents[static_cast<std::size_t>(at)] != now;
    const std::ptrdiff_t wanted = at + steps - (isBetween && steps > 0 ? 1 : 0);
    const auto last = static_cast<std::ptrdiff_t>(percents.size()) - 1;
    return percents[static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(wanted, 0, last))] / 100.0;
}

} // namespace warpwright
