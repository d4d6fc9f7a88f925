// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler_views/trust_row.h"

#include "widgets/look/look.h"
#include "widgets/look/tool_tip_text.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QPainter>
#include <QPainterPath>
#include <QToolTip>

namespace warpwright {

TrustRow::TrustRow(const Look &look, QWidget *parent) : QWidget(parent), m_look(look) {
    setFocusPolicy(Qt::TabFocus);
    setAccessibleName(QStringLiteral("Trust"));
    QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
    connect(&look, &Look::changed, this, [this] {
        updateGeometry();
        update();
    });
}

void TrustRow::setBadge(const TrustBadge &badge) {
    m_badge = badge;
    m_current = -1;
    setAccessibleDescription(badge.text());
    setVisible(!badge.segments.empty());
    updateGeometry();
    update();
}

void TrustRow::setStale(bool isStale) {
    m_isStale = isStale;
    update();
}

int TrustRow::widthOf(const TrustSegment &segment) const {
    const QFontMetrics metrics(m_look.font(TextRole::Axis));
    const int icon = segment.icon.isEmpty() ? 0 : m_look.px(12 + 5);
    return icon + metrics.horizontalAdvance(segment.text) + 2 * m_look.px(6);
}

std::vector<TrustRow::Placed> TrustRow::layOut(int width) const {
    const int height = m_look.px(20);
    std::vector<Placed> placed;
    int row = 0;
    int x = 0;
    const auto gather = [&](std::size_t from) {
        // Make room for the last segment, which holds what is left.
        while (true) {
            QStringList words;
            for (std::size_t i = from; i < m_badge.segments.size(); ++i)
                words << m_badge.segments[i].text;
            const TrustSegment last{
                {}, QStringLiteral("+%1").arg(words.size()), words.join(QLatin1Char('\n')), false};
            const int wanted = widthOf(last);
            if (x + wanted <= width || x == 0) {
                placed.push_back(
                    {last, QRect(x, row * (height + m_look.px(4)), std::min(wanted, width), height)});
                return;
            }
            x = placed.back().rect.left();
            placed.pop_back();
            --from;
        }
    };
    for (std::size_t i = 0; i < m_badge.segments.size(); ++i) {
        const int wanted = std::min(widthOf(m_badge.segments[i]), width);
        if (x > 0 && x + wanted > width) {
            if (row + 1 == m_mostRows) {
                gather(i);
                return placed;
            }
            x = 0;
            ++row;
        }
        placed.push_back({m_badge.segments[i], QRect(x, row * (height + m_look.px(4)), wanted, height)});
        x += wanted;
    }
    return placed;
}

void TrustRow::setMostRows(int rows) {
    if (m_mostRows == rows)
        return;
    m_mostRows = rows;
    updateGeometry();
    update();
}

int TrustRow::heightForWidth(int width) const {
    const std::vector<Placed> placed = layOut(width);
    return placed.empty() ? 0 : placed.back().rect.bottom() + 1;
}

QSize TrustRow::sizeHint() const {
    int width = 0;
    for (const TrustSegment &segment : m_badge.segments)
        width += widthOf(segment);
    return QSize(width, m_look.px(20));
}

QSize TrustRow::minimumSizeHint() const {
    return QSize(m_look.px(80), m_look.px(20));
}

void TrustRow::paintEvent(QPaintEvent *) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setFont(m_look.font(TextRole::Axis));
    const std::vector<Placed> placed = layOut(width());
    const double half = m_look.px(1) / 2.0;
    QColor edge;
    for (std::size_t i = 0; i < placed.size(); ++i) {
        const auto &[segment, rect] = placed[i];
        if (i == 0 || placed[i - 1].rect.top() != rect.top()) {
            // One frame around each row.
            QRect row = rect;
            bool isDoubted = false;
            for (std::size_t j = i; j < placed.size() && placed[j].rect.top() == rect.top(); ++j) {
                row = row.united(placed[j].rect);
                isDoubted = isDoubted || placed[j].segment.isDoubted;
            }
            edge = m_look.color(isDoubted && !m_isStale ? "verdict.inconclusive" : "border.normal");
            painter.setPen(QPen(edge, m_look.px(1), m_isStale ? Qt::DashLine : Qt::SolidLine));
            painter.setBrush(Qt::NoBrush);
            painter.drawRoundedRect(QRectF(row).adjusted(half, half, -half, -half), m_look.px(4),
                                    m_look.px(4));
        } else {
            painter.setPen(QPen(edge, m_look.px(1)));
            painter.drawLine(QPointF(rect.left() - half, rect.top() + m_look.px(1)),
                             QPointF(rect.left() - half, rect.bottom()));
        }
        const QColor ink = m_look.color(m_isStale           ? "text.tertiary"
                                        : segment.isDoubted ? "verdict.inconclusive"
                                                            : "text.secondary");
        int x = rect.left() + m_look.px(6);
        if (!segment.icon.isEmpty()) {
            const int size = m_look.px(12);
            m_look.icon(segment.icon, ink)
                .paint(&painter, QRect(x, rect.center().y() - size / 2 + 1, size, size));
            x += m_look.px(12 + 5);
        }
        painter.setPen(ink);
        const QRect words(x, rect.top(), rect.right() - x - m_look.px(2), rect.height());
        painter.drawText(words, Qt::AlignVCenter | Qt::AlignLeft,
                         painter.fontMetrics().elidedText(segment.text, Qt::ElideRight, words.width()));
        if (hasFocus() && (m_current < 0 ? i == 0 : m_current == static_cast<int>(i))) {
            painter.setPen(QPen(m_look.color("accent.focus"), m_look.px(2)));
            painter.drawRoundedRect(QRectF(rect).adjusted(1, 1, -1, -1), m_look.px(3), m_look.px(3));
        }
    }
}

bool TrustRow::event(QEvent *event) {
    if (event->type() == QEvent::ToolTip) {
        const QPoint position = static_cast<QHelpEvent *>(event)->pos();
        for (const auto &[segment, rect] : layOut(width())) {
            if (rect.contains(position)) {
                QToolTip::showText(mapToGlobal(position), toolTipText(segment.toolTip), this, rect);
                return true;
            }
        }
        QToolTip::hideText();
        return true;
    }
    return QWidget::event(event);
}

void TrustRow::keyPressEvent(QKeyEvent *event) {
    int step = 0;
    if (event->key() == Qt::Key_Right || event->key() == Qt::Key_Down)
        step = 1;
    else if (event->key() == Qt::Key_Left || event->key() == Qt::Key_Up)
        step = -1;
    else if (event->key() != Qt::Key_Return && event->key() != Qt::Key_Enter && event->key() != Qt::Key_Space)
        return QWidget::keyPressEvent(event);
    const std::vector<Placed> placed = layOut(width());
    if (placed.empty())
        return;
    m_current = std::clamp(m_current < 0 ? 0 : m_current + step, 0, static_cast<int>(placed.size()) - 1);
    const auto &[segment, rect] = placed[static_cast<std::size_t>(m_current)];
    setAccessibleDescription(segment.text + QStringLiteral(": ") + segment.toolTip);
    QToolTip::showText(mapToGlobal(rect.bottomLeft()), toolTipText(segment.toolTip), this);
    update();
}

void TrustRow::focusOutEvent(QFocusEvent *event) {
    m_current = -1;
    QWidget::focusOutEvent(event);
}

} // namespace warpwright
