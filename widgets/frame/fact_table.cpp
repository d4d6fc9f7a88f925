// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/frame/fact_table.h"

#include "widgets/look/look.h"

#include <QPainter>

namespace warpwright {

FactTable::FactTable(const Look &look, QWidget *parent) : QWidget(parent), m_look(look) {
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    connect(&look, &Look::changed, this, [this] {
        updateGeometry();
        update();
    });
}

void FactTable::setFacts(std::vector<Fact> facts) {
    if (facts == m_facts)
        return;
    m_facts = std::move(facts);
    QStringList lines;
    for (const Fact &fact : m_facts)
        lines << fact.name + QStringLiteral(": ") + fact.value;
    setToolTip(lines.join(QLatin1Char('\n')));
    setAccessibleName(lines.join(QStringLiteral(". ")));
    updateGeometry();
    update();
}

QSize FactTable::sizeHint() const {
    return {m_look.px(160), static_cast<int>(m_facts.size()) * m_look.px(17) + m_look.px(8)};
}

int FactTable::nameWidth() const {
    const QFontMetrics metrics(m_look.font(TextRole::Small));
    int width = m_look.px(52);
    for (const Fact &fact : m_facts)
        width = std::max(width, metrics.horizontalAdvance(fact.name));
    return width + m_look.px(14);
}

void FactTable::paintEvent(QPaintEvent *) {
    QPainter painter(this);
    const int edge = m_look.px(12);
    const int names = nameWidth();
    int y = m_look.px(4);
    for (const Fact &fact : m_facts) {
        painter.setFont(m_look.font(TextRole::Small));
        painter.setPen(m_look.color("text.tertiary"));
        painter.drawText(QRect(edge, y, names, m_look.px(17)), Qt::AlignVCenter | Qt::AlignLeft, fact.name);
        if (fact.isCode)
            painter.setFont(m_look.font(TextRole::Log));
        painter.setPen(m_look.color("text.primary"));
        const int room = std::max(0, width() - edge - names - edge);
        painter.drawText(QRect(edge + names, y, room, m_look.px(17)), Qt::AlignVCenter | Qt::AlignLeft,
                         painter.fontMetrics().elidedText(fact.value, Qt::ElideMiddle, room));
        y += m_look.px(17);
    }
}

} // namespace warpwright
