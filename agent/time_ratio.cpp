// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/time_ratio.h"

namespace warpwright {

std::optional<TimeRatio> timeRatio(const EvaluationSummary &before, const EvaluationSummary &after) {
    if (!paceOf(before) || !paceOf(after) || !whyNotComparable(before, after).isEmpty())
        return std::nullopt;
    if (before.eager && after.eager && after.eager->low > 0 && before.eager->low > 0)
        return TimeRatio{before.eager->value / after.eager->value, before.eager->low / after.eager->high,
                         before.eager->high / after.eager->low};
    if (!before.candidate || !after.candidate || before.candidate->lowMicroseconds <= 0)
        return std::nullopt;
    const ArmTiming &old = *before.candidate;
    const ArmTiming &now = *after.candidate;
    return TimeRatio{now.medianMicroseconds / old.medianMicroseconds,
                     now.lowMicroseconds / old.highMicroseconds, now.highMicroseconds / old.lowMicroseconds};
}

} // namespace warpwright
