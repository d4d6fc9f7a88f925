// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/measured_ratio.h"

namespace warpwright {

std::optional<MeasuredRatio> measuredRatio(const EvaluationSummary &before, const EvaluationSummary &after) {
    if (!paceOf(before) || !paceOf(after) || before.device != after.device)
        return std::nullopt;
    if (before.eager && after.eager && after.eager->low > 0 && before.eager->low > 0)
        return MeasuredRatio{before.eager->value / after.eager->value, before.eager->low / after.eager->high,
                             before.eager->high / after.eager->low};
    const ArmTiming &old = *before.candidate;
    const ArmTiming &now = *after.candidate;
    if (old.lowMicroseconds <= 0)
        return std::nullopt;
    return MeasuredRatio{now.medianMicroseconds / old.medianMicroseconds,
                         now.lowMicroseconds / old.highMicroseconds,
                         now.highMicroseconds / old.lowMicroseconds};
}

} // namespace warpwright
