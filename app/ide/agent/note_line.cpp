// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/agent/note_line.h"

#include "widgets/look/look.h"

#include <QPainter>

namespace warpwright {

NoteLine::NoteLine(const Look &look, QWidget *parent) : QWidget(parent), m_look(look) {
    setObjectName(QStringLiteral("agentNote"));
    setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    hide();
    connect(&look, &Look::changed, this, [this] {
        updateGeometry();
        update();
    });
}

void NoteLine::say(const QString &text) {
    if (text == m_text)
        return;
    m_text = text;
    setAccessibleName(text);
    setToolTip(text);
    update();
}

QSize NoteLine::sizeHint() const {
    return {0, m_look.px(24)};
}

void NoteLine::paintEvent(QPaintEvent *) {
    QPainter painter(this);
    painter.fillRect(rect(), m_look.color("bg.bar"));
    if (m_text.isEmpty())
        return;
    const int icon = m_look.px(14);
    int x = m_look.px(12);
    m_look.icon(QStringLiteral("running"), m_look.color("accent.text"))
        .paint(&painter, x, (height() - icon) / 2, icon, icon);
    x += icon + m_look.px(7);
    painter.setFont(m_look.font(TextRole::Small));
    painter.setPen(m_look.color("text.secondary"));
    const int room = width() - x - m_look.px(12);
    painter.drawText(QRect(x, 0, room, height()), Qt::AlignVCenter | Qt::AlignLeft,
                     painter.fontMetrics().elidedText(m_text, Qt::ElideRight, room));
}

} // namespace warpwright
