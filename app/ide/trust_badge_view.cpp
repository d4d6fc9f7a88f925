// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/trust_badge_view.h"

#include "widgets/house_style.h"
#include "widgets/look.h"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>

namespace warpwright {

TrustBadgeView::TrustBadgeView(const Look &look, QWidget *parent) : QWidget(parent), m_look(look) {
    setFocusPolicy(Qt::TabFocus);
    connect(&look, &Look::changed, this, [this] {
        updateGeometry();
        update();
    });
}

void TrustBadgeView::show(const TrustBadge &badge) {
    m_badge = badge;
    QStringList words;
    for (const auto &segment : badge.segments)
        words << (segment.toolTip.isEmpty() ? segment.text
                                            : segment.text + QStringLiteral(": ") + segment.toolTip);
    setToolTip(words.join(QLatin1Char('\n')));
    setAccessibleName(tr("How far the numbers can be trusted"));
    setAccessibleDescription(words.join(QStringLiteral(". ")));
    updateGeometry();
    update();
}

int TrustBadgeView::segmentWidth(std::size_t index) const {
    const auto &segment = m_badge.segments[index];
    return QFontMetrics(m_look.font(TextRole::Axis)).horizontalAdvance(segment.text) + m_look.px(12) +
           (segment.icon.isEmpty() ? 0 : m_look.px(16));
}

QSize TrustBadgeView::sizeHint() const {
    int width = 1;
    for (std::size_t i = 0; i < m_badge.segments.size(); ++i)
        width += segmentWidth(i);
    return {width, m_look.px(20)};
}

bool TrustBadgeView::event(QEvent *event) {
    if (event->type() == QEvent::KeyPress && hasFocus()) {
        const int key = static_cast<QKeyEvent *>(event)->key();
        if (key == Qt::Key_Return || key == Qt::Key_Enter || key == Qt::Key_Space) {
            QToolTip::showText(mapToGlobal(QPoint(0, height())), toolTip(), this);
            return true;
        }
    }
    return QWidget::event(event);
}

void TrustBadgeView::paintEvent(QPaintEvent *) {
    QPainter painter(this);
    bool isDoubted = false;
    for (const auto &segment : m_badge.segments)
        isDoubted = isDoubted || segment.isDoubted;
    const QColor edge = m_look.color(isDoubted ? "verdict.inconclusive" : "border.normal");
    drawBox(&painter, rect(), m_look.px(4), {}, edge);
    int x = 0;
    for (std::size_t i = 0; i < m_badge.segments.size(); ++i) {
        const auto &segment = m_badge.segments[i];
        const int width = segmentWidth(i);
        if (i > 0)
            painter.fillRect(x, 1, 1, height() - 2, edge);
        const char *ink = segment.isDoubted ? "verdict.inconclusive" : "text.secondary";
        int left = x + m_look.px(6);
        if (!segment.icon.isEmpty()) {
            const int icon = m_look.px(12);
            m_look.icon(segment.icon, m_look.color(ink))
                .paint(&painter, QRect(left, (height() - icon) / 2, icon, icon));
            left += m_look.px(16);
        }
        painter.setFont(m_look.font(TextRole::Axis));
        painter.setPen(m_look.color(ink));
        painter.drawText(QRect(left, 0, x + width - left, height()), Qt::AlignVCenter | Qt::AlignLeft,
                         segment.text);
        x += width;
    }
    if (hasFocus())
        drawBox(&painter, rect(), m_look.px(4), {}, m_look.color("accent.focus"), 2);
}

} // namespace warpwright
