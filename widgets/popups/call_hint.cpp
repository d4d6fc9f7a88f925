// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/popups/call_hint.h"

#include "widgets/look/house_style.h"
#include "widgets/look/look.h"

#include <QPainter>
#include <QTextLayout>

#include <algorithm>
#include <cmath>

namespace warpwright {

CallHint::CallHint(const Look &look, QWidget *parent) : QWidget(parent), m_look(look) {
    setObjectName(QStringLiteral("callHint"));
    setFocusPolicy(Qt::NoFocus);
    setAttribute(Qt::WA_TransparentForMouseEvents);
    hide();
}

void CallHint::showAbove(QWidget *over, const QRect &about, const QString &text, int from, int to,
                         const QString &remark) {
    if (parentWidget() != over)
        setParent(over);
    m_text = text;
    m_remark = remark;
    const int length = static_cast<int>(text.size());
    m_from = std::clamp(from, 0, length);
    m_to = std::clamp(to, m_from, length);
    const int pad = m_look.px(8);
    const QSize size = layOut(std::max(m_look.px(120), over->width() - m_look.px(24) - 2 * pad), nullptr, {});
    const QPoint top = over->mapFromGlobal(about.topLeft());
    const int width = size.width() + 2 * pad;
    const int height = size.height() + m_look.px(8);
    const int x = std::clamp(top.x(), 0, std::max(0, over->width() - width));
    // Above the line; where that is cut off, below it.
    const int y = top.y() >= height ? top.y() - height : top.y() + about.height();
    setGeometry(x, y, width, height);
    setAccessibleName(text);
    setAccessibleDescription(activePart());
    show();
    raise();
    update();
}

QSize CallHint::layOut(int width, QPainter *painter, const QPoint &at) const {
    const QString before = m_remark.isEmpty() ? QString() : m_remark + QStringLiteral("  ");
    QTextLayout layout(before + m_text, m_look.font(TextRole::Code));
    const int shift = static_cast<int>(before.size());
    QTextCharFormat said;
    said.setFont(m_look.font(TextRole::Small));
    said.setForeground(m_look.color("text.tertiary"));
    QTextCharFormat active;
    active.setFont(m_look.font(TextRole::Code, QFont::DemiBold));
    active.setForeground(m_look.color("text.primary"));
    QList<QTextLayout::FormatRange> formats;
    if (shift > 0)
        formats.append({0, shift, said});
    if (m_to > m_from)
        formats.append({shift + m_from, m_to - m_from, active});
    layout.setFormats(formats);
    layout.beginLayout();
    double height = 0;
    double widest = 0;
    for (QTextLine line = layout.createLine(); line.isValid(); line = layout.createLine()) {
        line.setLineWidth(width);
        line.setPosition(QPointF(0, height));
        height += line.height();
        widest = std::max(widest, line.naturalTextWidth());
    }
    layout.endLayout();
    if (painter != nullptr)
        layout.draw(painter, at);
    return {static_cast<int>(std::ceil(widest)) + 1, static_cast<int>(std::ceil(height))};
}

void CallHint::paintEvent(QPaintEvent *) {
    QPainter painter(this);
    painter.fillRect(rect(), m_look.color("bg.card"));
    drawBox(&painter, rect(), 0, {}, m_look.color("border.strong"));
    painter.setPen(m_look.color("text.secondary"));
    const int pad = m_look.px(8);
    layOut(width() - 2 * pad, &painter, QPoint(pad, m_look.px(4)));
}

} // namespace warpwright
