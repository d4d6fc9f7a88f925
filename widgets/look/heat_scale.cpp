// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/look/heat_scale.h"

#include "widgets/look/look.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace warpwright {
namespace {

constexpr int percentOfStep = 12;

} // namespace

int heatStep(double share) {
    return std::clamp(static_cast<int>(std::floor(share * 100 / percentOfStep)), 0, heatSteps - 1);
}

QString heatWord(double share) {
    return share > 0 && share < 0.005
               ? QStringLiteral("<1\u00a0%")
               : QStringLiteral("%1\u00a0%").arg(static_cast<int>(std::lround(share * 100)));
}

QString heatStepName(int step) {
    return step == heatSteps - 1 ? QStringLiteral("%1\u00a0% and more").arg(step * percentOfStep)
                                 : QStringLiteral("%1\u00a0% to %2\u00a0%")
                                       .arg(step * percentOfStep)
                                       .arg((step + 1) * percentOfStep);
}

QColor heatGround(const Look &look, int step) {
    return look.theme().heat()[static_cast<std::size_t>(std::clamp(step, 0, heatSteps - 1))];
}

// The four cold steps carry the scheme's letters, the two hot ones those of the other scheme: 4.9 to 1 or
// more.
QColor heatInk(const Look &look, int step) {
    if (step < 4)
        return look.theme().isDark() ? QColor(Qt::white) : look.color("text.primary");
    return look.theme().isDark() ? look.color("bg.window") : QColor(Qt::white);
}

void drawHeatCell(QPainter &painter, const Look &look, const QRect &cell, double share, bool isPast) {
    const int step = heatStep(share);
    if (isPast) {
        painter.setPen(QPen(look.color("border.normal"), 1, Qt::DotLine));
        painter.drawRect(cell.adjusted(0, 0, -1, -1));
    } else {
        painter.fillRect(cell, heatGround(look, step));
    }
    painter.setPen(isPast ? look.color("text.tertiary") : heatInk(look, step));
    painter.drawText(cell.adjusted(0, 0, -look.px(6), 0), Qt::AlignVCenter | Qt::AlignRight, heatWord(share));
}

} // namespace warpwright
