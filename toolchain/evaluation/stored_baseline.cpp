// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/evaluation/stored_baseline.h"

#include "toolchain/base/figures.h"

namespace warpwright {

QString whyNotComparableToday(const MeasuredFigures &figures, const QString &arm) {
    constexpr double muchMoved = 1.5;
    const ArmFigures *stored = figures.arm(arm);
    if (stored == nullptr || stored->isLive || !stored->drift)
        return {};
    const double drift = *stored->drift;
    if (drift <= muchMoved && drift * muchMoved >= 1)
        return {};
    return QStringLiteral("stored baseline not comparable today, drift × %1")
        .arg(numberText(drift, drift < 1 ? 2 : 1));
}

} // namespace warpwright
