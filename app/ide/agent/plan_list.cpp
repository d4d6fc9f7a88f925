// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/agent/plan_list.h"

#include "widgets/look/house_style.h"
#include "widgets/look/look.h"
#include "widgets/look/tool_tip_text.h"

#include <QFocusEvent>
#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>

namespace warpwright {
namespace {

constexpr int headHeight = 28;
constexpr int stepHeight = 22;
constexpr int mostSteps = 8;

struct StepLook {
    const char *icon;
    const char *ink;
    const char *text;
};

StepLook lookOf(PlanStep::State state) {
    switch (state) {
    case PlanStep::Ahead:
        return {"pending", "text.tertiary", "text.secondary"};
    case PlanStep::Now:
        return {"running", "accent.text", "text.primary"};
    case PlanStep::Done:
        return {"pass", "verdict.pass", "text.secondary"};
    case PlanStep::Dropped:
        return {"not-run", "text.tertiary", "text.tertiary"};
    }
    return {"pending", "text.tertiary", "text.secondary"};
}

} // namespace

PlanList::PlanList(const Look &look, QWidget *parent) : QWidget(parent), m_look(look) {
    setObjectName(QStringLiteral("planList"));
    setFocusPolicy(Qt::TabFocus);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    connect(&look, &Look::changed, this, [this] {
        updateGeometry();
        update();
    });
    hide();
}

void PlanList::setSteps(const std::vector<PlanStep> &steps) {
    if (steps == m_steps)
        return;
    m_steps = steps;
    QStringList words;
    for (const PlanStep &step : steps)
        words << step.text;
    setAccessibleName(tr("Plan: %1").arg(words.join(QStringLiteral("; "))));
    setVisible(!steps.empty());
    updateGeometry();
    update();
}

void PlanList::setOpen(bool isOpen) {
    m_isOpen = isOpen;
    updateGeometry();
    update();
}

int PlanList::shownSteps() const {
    return m_isOpen ? std::min(static_cast<int>(m_steps.size()), mostSteps) : 0;
}

QSize PlanList::sizeHint() const {
    const int steps = shownSteps();
    return {m_look.px(200),
            m_look.px(headHeight) + steps * m_look.px(stepHeight) + (steps > 0 ? m_look.px(6) : 0)};
}

void PlanList::paintEvent(QPaintEvent *) {
    QPainter painter(this);
    painter.fillRect(rect(), m_look.color("bg.bar"));
    painter.fillRect(0, height() - 1, width(), 1, m_look.color("border.subtle"));
    const int head = m_look.px(headHeight);
    const int small = m_look.px(12);
    const int icon = m_look.px(14);
    int x = m_look.px(12);
    m_look.icon(m_isOpen ? QStringLiteral("chevron-down") : QStringLiteral("chevron-right"))
        .paint(&painter, x, (head - small) / 2, small, small);
    x += m_look.px(18);
    painter.setFont(m_look.font(TextRole::Small, QFont::DemiBold));
    painter.setPen(m_look.color("text.primary"));
    painter.drawText(QRect(x, 0, width() - x, head), Qt::AlignVCenter, tr("Plan"));
    x += painter.fontMetrics().horizontalAdvance(tr("Plan")) + m_look.px(8);
    const auto done = std::count_if(m_steps.begin(), m_steps.end(),
                                    [](const PlanStep &step) { return step.state == PlanStep::Done; });
    const auto now = std::find_if(m_steps.begin(), m_steps.end(),
                                  [](const PlanStep &step) { return step.state == PlanStep::Now; });
    painter.setFont(m_look.font(TextRole::Small));
    const QString far = tr("%1 of %2").arg(done).arg(m_steps.size());
    const int right = width() - m_look.px(12) - painter.fontMetrics().horizontalAdvance(far);
    painter.setPen(m_look.color("text.tertiary"));
    painter.drawText(QRect(right, 0, width() - right, head), Qt::AlignVCenter, far);
    if (!m_isOpen && now != m_steps.end()) {
        painter.setPen(m_look.color("text.secondary"));
        const int room = right - m_look.px(8) - x;
        painter.drawText(QRect(x, 0, room, head), Qt::AlignVCenter,
                         painter.fontMetrics().elidedText(now->text, Qt::ElideRight, room));
    }
    for (int row = 0; row < shownSteps(); ++row) {
        const PlanStep &step = m_steps[static_cast<std::size_t>(row)];
        const StepLook look = lookOf(step.state);
        const int top = head + row * m_look.px(stepHeight);
        const int left = m_look.px(30);
        m_look.icon(QLatin1String(look.icon), m_look.color(look.ink))
            .paint(&painter, left, top + (m_look.px(stepHeight) - icon) / 2, icon, icon);
        QFont font =
            m_look.font(TextRole::Small, step.state == PlanStep::Now ? QFont::Medium : QFont::Normal);
        font.setStrikeOut(step.state == PlanStep::Dropped);
        painter.setFont(font);
        painter.setPen(m_look.color(look.text));
        const int from = left + icon + m_look.px(7);
        const int room = width() - m_look.px(12) - from;
        const bool isLast = row + 1 == mostSteps && static_cast<int>(m_steps.size()) > mostSteps;
        const QString text =
            isLast ? tr("and %1 more").arg(static_cast<int>(m_steps.size()) - row) : step.text;
        painter.drawText(QRect(from, top, room, m_look.px(stepHeight)), Qt::AlignVCenter,
                         painter.fontMetrics().elidedText(text, Qt::ElideRight, room));
    }
    if (hasFocus() && m_showsFocus)
        drawBox(&painter, QRectF(1, 1, width() - 2, height() - 2), m_look.px(4), {},
                m_look.color("accent.focus"), 2);
}

bool PlanList::event(QEvent *event) {
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto *help = static_cast<QHelpEvent *>(event);
    const int row = (help->pos().y() - m_look.px(headHeight)) / m_look.px(stepHeight);
    if (help->pos().y() > m_look.px(headHeight) && row < shownSteps())
        QToolTip::showText(help->globalPos(), toolTipText(m_steps[static_cast<std::size_t>(row)].text), this);
    else
        QToolTip::hideText();
    return true;
}

void PlanList::mousePressEvent(QMouseEvent *event) {
    if (event->position().y() < m_look.px(headHeight))
        setOpen(!m_isOpen);
}

void PlanList::keyPressEvent(QKeyEvent *event) {
    if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter || event->key() == Qt::Key_Space)
        setOpen(!m_isOpen);
    else
        QWidget::keyPressEvent(event);
}

void PlanList::focusInEvent(QFocusEvent *event) {
    m_showsFocus = event->reason() != Qt::MouseFocusReason;
    update();
}

void PlanList::focusOutEvent(QFocusEvent *) {
    update();
}

} // namespace warpwright
