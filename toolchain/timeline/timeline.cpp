// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/timeline/timeline.h"

#include <algorithm>

namespace warpwright {

double TimelineArm::callMicroseconds() const {
    return shown < calls.size() ? calls[shown].microseconds : 0;
}

std::optional<double> TimelineArm::untracedMedian() const {
    if (untracedMicroseconds.empty())
        return {};
    std::vector<double> sorted = untracedMicroseconds;
    std::sort(sorted.begin(), sorted.end());
    const std::size_t middle = sorted.size() / 2;
    return sorted.size() % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

const TimelineArm *Timeline::arm(const QString &name) const {
    const auto found =
        std::find_if(arms.begin(), arms.end(), [&name](const TimelineArm &arm) { return arm.name == name; });
    return found == arms.end() ? nullptr : &*found;
}

} // namespace warpwright
