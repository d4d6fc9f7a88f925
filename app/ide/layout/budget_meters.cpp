// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/layout/budget_meters.h"

#include "toolchain/base/figures.h"
#include "widgets/look/house_style.h"
#include "widgets/look/look.h"
#include "widgets/look/tool_tip_text.h"

#include <QFocusEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace warpwright {
namespace {

constexpr int gap = 12;

QString longName(const Budget &budget) {
    switch (budget.kind) {
    case Budget::Iterations:
        return BudgetMeters::tr("iterations");
    case Budget::Minutes:
        return BudgetMeters::tr("minutes");
    case Budget::Tokens:
        return BudgetMeters::tr("tokens");
    case Budget::Cost:
        return BudgetMeters::tr("cost in %1").arg(budgetName(budget));
    case Budget::Context:
        return BudgetMeters::tr("context");
    }
    return {};
}

/// Three digits at most: "2", "0.35", "11".
QString shortNumber(double value) {
    const double size = std::abs(value);
    QString text = numberText(value, size >= 10 ? 0 : size >= 1 ? 1 : 2);
    if (text.contains(u'.')) {
        while (text.endsWith(u'0'))
            text.chop(1);
        if (text.endsWith(u'.'))
            text.chop(1);
    }
    return text;
}

} // namespace

QString budgetName(const Budget &budget) {
    switch (budget.kind) {
    case Budget::Iterations:
        return QStringLiteral("it");
    case Budget::Minutes:
        return QStringLiteral("min");
    case Budget::Tokens:
        return QStringLiteral("tok");
    case Budget::Cost:
        return budget.currency.isEmpty() ? QStringLiteral("$") : budget.currency;
    case Budget::Context:
        return QStringLiteral("ctx");
    }
    return {};
}

QString tokensText(double tokens) {
    return budgetText({Budget::Tokens, tokens, std::nullopt});
}

QString budgetText(const Budget &budget) {
    QString used;
    QString limit;
    QString unit;
    if (budget.kind == Budget::Cost) {
        used = budget.isUnknown ? QStringLiteral("–") : numberText(budget.used, 2);
        limit = budget.limit ? shortNumber(*budget.limit) : QString();
    } else if (budget.kind == Budget::Tokens || budget.kind == Budget::Context) {
        const double most = budget.limit.value_or(budget.used);
        const double scale = most >= 1e6 ? 1e6 : most >= 1e3 ? 1e3 : 1;
        unit = scale > 1e3 ? QStringLiteral("\u00a0M") : scale > 1 ? QStringLiteral("\u00a0k") : QString();
        used = shortNumber(budget.used / scale);
        limit = budget.limit ? shortNumber(*budget.limit / scale) : QString();
    } else {
        // Whole ones that have passed: never more than there are.
        used = numberText(std::floor(budget.used));
        limit = budget.limit ? numberText(*budget.limit) : QString();
    }
    const QString about = budget.isEstimated ? QStringLiteral("≈") : QString();
    return about + (limit.isEmpty() ? used + unit : used + QLatin1Char('/') + limit + unit);
}

BudgetMeters::BudgetMeters(const Look &look, QWidget *parent) : QWidget(parent), m_look(look) {
    setObjectName(QStringLiteral("budgetMeters"));
    setFocusPolicy(Qt::NoFocus); // nothing is there yet
    setAccessibleName(tr("Budgets: none"));
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    connect(&look, &Look::changed, this, [this] {
        updateGeometry();
        update();
    });
}

void BudgetMeters::setBudgets(const std::vector<Budget> &budgets, bool hasStopped) {
    if (budgets == m_budgets && hasStopped == m_hasStopped)
        return;
    m_budgets = budgets;
    m_hasStopped = hasStopped;
    setFocusPolicy(budgets.empty() ? Qt::NoFocus : Qt::TabFocus); // nothing is there to be pressed
    QStringList lines;
    for (const Budget &budget : budgets) {
        QString line = longName(budget) + QStringLiteral(": ");
        if (budget.kind == Budget::Context)
            line += tr("%1 of %2, %3 of the model's window")
                        .arg(tokensText(budget.used), tokensText(budget.limit.value_or(0)),
                             percentText(budget.share(), 0));
        else if (budget.isUnknown)
            line += tr("not known");
        else
            line += budgetText(budget) +
                    (budget.limit ? tr(", %1 of the run's budget").arg(percentText(budget.share(), 0))
                                  : tr(", no budget"));
        lines << (budget.detail.isEmpty() ? line : line + QStringLiteral("; ") + budget.detail);
    }
    if (hasStopped)
        lines.prepend(stopped());
    setAccessibleName(tr("Budgets: %1").arg(lines.join(QStringLiteral("; "))));
    setToolTip(toolTipText((lines << tr("Click or Enter: change the budgets")).join(QLatin1Char('\n'))));
    updateGeometry();
    update();
}

QString BudgetMeters::stopped() const {
    for (const Budget &budget : m_budgets)
        if (budget.isReached() && budget.kind != Budget::Context)
            return tr("Auto stopped: %1").arg(longName(budget));
    return {};
}

int BudgetMeters::widthOf(const Budget &budget) const {
    const QFontMetrics metrics(m_look.font(TextRole::Axis));
    const int words = metrics.horizontalAdvance(budgetName(budget) + QLatin1Char(' ') + budgetText(budget));
    return std::max(m_look.px(44), words) + (budget.isNear() ? m_look.px(18) : 0);
}

QSize BudgetMeters::sizeHint() const {
    int width = m_look.px(8);
    for (const Budget &budget : m_budgets)
        width += widthOf(budget) + m_look.px(gap);
    if (m_hasStopped)
        width += QFontMetrics(m_look.font(TextRole::Small, QFont::DemiBold)).horizontalAdvance(stopped());
    return {width, m_look.px(32)};
}

QSize BudgetMeters::minimumSizeHint() const {
    int width = 0;
    for (const Budget &budget : m_budgets)
        width = std::max(width, widthOf(budget));
    return {width + m_look.px(8), m_look.px(32)};
}

std::vector<Budget> BudgetMeters::shown() const {
    if (m_budgets.empty() || width() >= sizeHint().width())
        return m_budgets;
    // As many as fit, the nearest to their limits first, each at its usual place.
    std::vector<Budget> ranked = m_budgets;
    std::stable_sort(ranked.begin(), ranked.end(),
                     [](const Budget &a, const Budget &b) { return a.share() > b.share(); });
    int room = width() - m_look.px(8) + m_look.px(gap);
    std::vector<Budget> kept;
    for (const Budget &budget : ranked) {
        room -= widthOf(budget) + m_look.px(gap);
        if (room >= 0 || kept.empty())
            kept.push_back(budget);
    }
    std::sort(kept.begin(), kept.end(), [](const Budget &a, const Budget &b) { return a.kind < b.kind; });
    return kept;
}

void BudgetMeters::paintEvent(QPaintEvent *) {
    QPainter painter(this);
    const QFont axis = m_look.font(TextRole::Axis);
    int x = m_look.px(4);
    for (const Budget &budget : shown()) {
        const bool isNear = budget.isNear();
        const int icon = m_look.px(14);
        if (isNear) {
            m_look.icon(QStringLiteral("warning"), m_look.color("verdict.inconclusive"))
                .paint(&painter, x, (height() - icon) / 2, icon, icon);
            x += m_look.px(18);
        }
        const int wide = widthOf(budget) - (isNear ? m_look.px(18) : 0);
        const QRect line(x, height() / 2 - m_look.px(12), wide + 2, m_look.px(14));
        painter.setFont(axis);
        painter.setPen(m_look.color(isNear ? "verdict.inconclusive" : "text.secondary"));
        const QString name = budgetName(budget) + QLatin1Char(' ');
        painter.drawText(line, Qt::AlignLeft | Qt::AlignVCenter, name);
        painter.setPen(m_look.color(isNear ? "verdict.inconclusive" : "text.primary"));
        painter.drawText(line.adjusted(painter.fontMetrics().horizontalAdvance(name), 0, 0, 0),
                         Qt::AlignLeft | Qt::AlignVCenter, budgetText(budget));
        const QRectF track(x, height() / 2 + m_look.px(5), wide, m_look.px(3));
        drawBox(&painter, track, 1.5, m_look.color("border.normal"), {});
        if (budget.share() > 0)
            drawBox(&painter,
                    QRectF(track.x(), track.y(), std::max(3.0, track.width() * std::min(1.0, budget.share())),
                           track.height()),
                    1.5, m_look.color(isNear ? "verdict.inconclusive" : "accent.focus"), {});
        x += wide + m_look.px(gap);
    }
    if (m_hasStopped && width() >= sizeHint().width()) {
        painter.setFont(m_look.font(TextRole::Small, QFont::DemiBold));
        painter.setPen(m_look.color("verdict.inconclusive"));
        painter.drawText(QRect(x, 0, width() - x, height()), Qt::AlignVCenter, stopped());
    }
    if (hasFocus() && m_showsFocus)
        drawBox(&painter, rect(), m_look.px(4), {}, m_look.color("accent.focus"), 2);
}

void BudgetMeters::mouseReleaseEvent(QMouseEvent *) {
    emit budgetsAsked();
}

void BudgetMeters::keyPressEvent(QKeyEvent *event) {
    if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter || event->key() == Qt::Key_Space)
        emit budgetsAsked();
    else
        QWidget::keyPressEvent(event);
}

void BudgetMeters::focusInEvent(QFocusEvent *event) {
    m_showsFocus = event->reason() != Qt::MouseFocusReason;
    update();
}

void BudgetMeters::focusOutEvent(QFocusEvent *) {
    update();
}

} // namespace warpwright
