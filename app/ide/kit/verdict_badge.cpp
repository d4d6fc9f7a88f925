// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/kit/verdict_badge.h"

#include "widgets/look/house_style.h"
#include "widgets/look/look.h"

#include <QPainter>

namespace warpwright {

int drawVerdictBadge(QPainter *painter, const Look &look, const VerdictLook &verdict, bool isStale, int x,
                     int centreY) {
    const QFont font = look.font(TextRole::Small, QFont::DemiBold);
    const int icon = look.px(14);
    const int pad = look.px(6);
    const int width = 2 * pad + icon + look.px(5) + QFontMetrics(font).horizontalAdvance(verdict.word);
    if (painter == nullptr)
        return width;
    const int height = look.px(22);
    const QRect box(x, centreY - height / 2, width, height);
    const QColor ink = look.color(verdict.ink);
    drawBox(painter, box, look.px(4), look.color(verdict.ground), {});
    if (isStale) {
        painter->save();
        painter->setRenderHint(QPainter::Antialiasing);
        painter->setPen(QPen(ink, 1, Qt::DashLine));
        painter->setBrush(Qt::NoBrush);
        painter->drawRoundedRect(QRectF(box).adjusted(0.5, 0.5, -0.5, -0.5), look.px(4), look.px(4));
        painter->restore();
    }
    look.icon(QString::fromLatin1(verdict.icon), ink)
        .paint(painter, QRect(x + pad, centreY - icon / 2, icon, icon));
    painter->setFont(font);
    painter->setPen(ink);
    painter->drawText(box.adjusted(pad + icon + look.px(5), 0, 0, 0), Qt::AlignVCenter | Qt::AlignLeft,
                      verdict.word);
    return width;
}

} // namespace warpwright
