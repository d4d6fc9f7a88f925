// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/evaluation/pace_text.h"

#include "toolchain/base/figures.h"

namespace warpwright {

QString paceText(const EvaluationSummary &summary) {
    const std::optional<Pace> pace = paceOf(summary);
    if (!pace)
        return {};
    return pace->overEager
               ? QStringLiteral("%1 over eager")
                     .arg(factorText(summary.eager->value, summary.eager->low, summary.eager->high).value)
               : timeText(pace->medianMicroseconds);
}

QString paceWithEager(const EvaluationSummary &summary) {
    const QString pace = paceText(summary);
    return pace.isEmpty() || !summary.eager || !summary.eagerMicroseconds
               ? pace
               : QStringLiteral("%1, which took %2 in this check")
                     .arg(pace, timeText(*summary.eagerMicroseconds));
}

QString whatBestMeans() {
    return QStringLiteral("the highest speed-up over eager, which each check measures beside the candidate, "
                          "and of those that are not told apart from it (intervals of speed-up or time meet) "
                          "the least time");
}

} // namespace warpwright
