// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/tuning/slowness.h"

#include "toolchain/base/figures.h"
#include "toolchain/evaluation/measured_figures.h"

namespace warpwright {

QString slownessOf(const Evaluation &evaluation) {
    const MeasuredFigures figures = headlineFigures(measuredFigures(evaluation));
    const std::optional<SpeedUp> better = overTheBetter(figures.eager, figures.compile);
    if (!isMuchSlower(better))
        return {};
    return QStringLiteral(" It is slower than %1: %2 of its speed.")
        .arg(armLabel(better->arm), percentText(better->value, 0));
}

} // namespace warpwright
