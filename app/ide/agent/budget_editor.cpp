// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/agent/budget_editor.h"

#include "app/ide/kit/card.h"
#include "toolchain/base/figures.h"
#include "widgets/frame/action_button.h"
#include "widgets/look/house_style.h"

#include <QCoreApplication>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLineEdit>
#include <QPainter>

#include <cmath>
#include <limits>

namespace warpwright {
namespace {

struct Kind {
    const char *name;
    const char *unit; ///< behind what is used
    const char *example;
};

constexpr std::array<Kind, 4> kinds{{
    {QT_TRANSLATE_NOOP("BudgetEditor", "Iterations"), "", "40"},
    {QT_TRANSLATE_NOOP("BudgetEditor", "Minutes"), "min", "60"},
    {QT_TRANSLATE_NOOP("BudgetEditor", "Tokens"), "", "350k or 2M"},
    {QT_TRANSLATE_NOOP("BudgetEditor", "Cost"), "$", "5.00"},
}};

constexpr std::size_t cost = 3;

QString nameOf(std::size_t kind) {
    return QCoreApplication::translate("BudgetEditor", kinds[kind].name);
}

double usedOf(const RunMeter &meter, std::size_t kind) {
    switch (kind) {
    case 0:
        return meter.iterations;
    case 1:
        return meter.minutes;
    case 2:
        return static_cast<double>(meter.tokensIn + meter.tokensOut);
    default:
        return meter.cost;
    }
}

/// "1.5 M", "350k", "60", "$ 5"
std::optional<double> numberIn(QString text) {
    text = text.simplified().remove(QLatin1Char(' ')).remove(QLatin1Char(',')).remove(QLatin1Char('$'));
    double scale = 1;
    if (text.endsWith(QLatin1Char('k'), Qt::CaseInsensitive))
        scale = 1e3;
    else if (text.endsWith(QLatin1Char('m'), Qt::CaseInsensitive))
        scale = 1e6;
    if (scale > 1)
        text.chop(1);
    bool isNumber = false;
    const double number = text.toDouble(&isNumber) * scale;
    return isNumber && std::isfinite(number) ? std::optional(number) : std::nullopt;
}

} // namespace

Result<RunBudgets> budgetsFromTexts(const std::array<QString, 4> &texts, const RunMeter &meter) {
    RunBudgets budgets;
    for (std::size_t kind = 0; kind < texts.size(); ++kind) {
        const QString text = texts[kind].trimmed();
        if (text.isEmpty())
            continue;
        const std::optional<double> number = numberIn(text);
        const bool isWhole = kind == 0 || kind == 2;
        const double most = kind == 0 ? std::numeric_limits<int>::max() : 1e15;
        if (!number || !(*number > 0) || *number > most || (isWhole && std::floor(*number) != *number))
            return Result<RunBudgets>::error(
                BudgetEditor::tr("%1: \"%2\" is no budget. Write a number above 0, as %3, or nothing for no "
                                 "limit.")
                    .arg(nameOf(kind), text, QLatin1String(kinds[kind].example)));
        if (const double used = usedOf(meter, kind); used >= *number)
            return Result<RunBudgets>::error(
                BudgetEditor::tr("%1: %2 are used already, so %3 would end the run now. Write more, or press "
                                 "Stop.")
                    .arg(nameOf(kind), numberText(used, kind == 1 || kind == 3 ? 2 : 0), text));
        if (kind == 0)
            budgets.iterations = static_cast<int>(*number);
        else if (kind == 1)
            budgets.minutes = *number;
        else if (kind == 2)
            budgets.tokens = static_cast<qint64>(*number);
        else
            budgets.cost = *number;
    }
    return Result<RunBudgets>::ok(budgets);
}

std::array<QString, 4> budgetTexts(const RunBudgets &budgets) {
    return {budgets.iterations ? QString::number(*budgets.iterations) : QString(),
            budgets.minutes ? QString::number(*budgets.minutes, 'g', 12) : QString(),
            budgets.tokens ? QString::number(*budgets.tokens) : QString(),
            budgets.cost ? QString::number(*budgets.cost, 'g', 12) : QString()};
}

BudgetEditor::BudgetEditor(const Look &look, QWidget *window)
    : QWidget(window),
      m_look(look),
      m_title(new Words(look, TextRole::Title, "text.primary", this, QFont::DemiBold)),
      m_remark(new Words(look, TextRole::Small, "text.secondary", this)),
      m_fields{},
      m_used{},
      m_problem(new Words(look, TextRole::Small, "verdict.wrong", this)) {
    setObjectName(QStringLiteral("budgetEditor"));
    setAccessibleName(tr("Budgets of the run"));
    auto *grid = new QGridLayout(this);
    grid->setContentsMargins(look.px(16), look.px(12), look.px(16), look.px(12));
    grid->setHorizontalSpacing(look.px(12));
    grid->setVerticalSpacing(look.px(8));
    m_remark->setObjectName(QStringLiteral("budgetRemark"));
    m_remark->setWordWrap(true);
    grid->addWidget(m_title, 0, 0, 1, 3);
    grid->addWidget(m_remark, 1, 0, 1, 3);
    for (std::size_t kind = 0; kind < kinds.size(); ++kind) {
        const int row = static_cast<int>(kind) + 2;
        auto *label = new Words(look, TextRole::Body, "text.primary", this);
        label->setText(nameOf(kind));
        m_fields[kind] = new QLineEdit(this);
        m_fields[kind]->setObjectName(QStringLiteral("budget%1").arg(nameOf(kind)));
        m_fields[kind]->setAccessibleName(
            tr("%1 that the run may use; empty for no limit").arg(nameOf(kind)));
        m_fields[kind]->setPlaceholderText(tr("no limit"));
        m_fields[kind]->installEventFilter(this);
        m_used[kind] = new Words(look, TextRole::Small, "text.secondary", this);
        m_used[kind]->setWordWrap(true);
        grid->addWidget(label, row, 0);
        grid->addWidget(m_fields[kind], row, 1);
        grid->addWidget(m_used[kind], row, 2);
    }
    m_problem->setObjectName(QStringLiteral("budgetProblem"));
    m_problem->setWordWrap(true);
    grid->addWidget(m_problem, 6, 0, 1, 3);
    auto *buttons = new QHBoxLayout;
    auto *apply = new ActionButton(look, ActionButton::Kind::Plain, this);
    apply->setObjectName(QStringLiteral("budgetsApply"));
    apply->setText(tr("Set"));
    apply->setKey(QStringLiteral("Enter"));
    auto *leave = new ActionButton(look, ActionButton::Kind::Flat, this);
    leave->setObjectName(QStringLiteral("budgetsCancel"));
    leave->setText(tr("Leave as they are"));
    leave->setKey(QStringLiteral("Esc"));
    buttons->addStretch(1);
    buttons->addWidget(leave);
    buttons->addWidget(apply);
    grid->addLayout(buttons, 7, 0, 1, 3);
    connect(apply, &QAbstractButton::clicked, this, &BudgetEditor::take);
    connect(leave, &QAbstractButton::clicked, this, &BudgetEditor::close);
    for (ActionButton *button : {apply, leave})
        button->installEventFilter(this);
    const auto size = [this] {
        for (std::size_t kind = 0; kind < kinds.size(); ++kind) {
            m_fields[kind]->setFixedWidth(m_look.px(120));
            m_used[kind]->setMinimumWidth(m_look.px(170));
        }
        m_problem->setMinimumWidth(m_look.px(300));
        update();
    };
    size();
    connect(&look, &Look::changed, this, size);
    hide();
}

void BudgetEditor::open(const RunBudgets &budgets, const RunMeter &meter, const Occasion &occasion,
                        const QPoint &topRight) {
    // What is being typed stays.
    if (isVisible()) {
        m_fields[0]->setFocus(Qt::OtherFocusReason);
        return;
    }
    m_meter = meter;
    m_before = window()->focusWidget();
    const std::array<QString, 4> texts = budgetTexts(budgets);
    for (std::size_t kind = 0; kind < kinds.size(); ++kind) {
        m_fields[kind]->setText(texts[kind]);
        const double used = usedOf(meter, kind);
        m_used[kind]->setText(used > 0 ? tr("used: %1 %2")
                                             .arg(numberText(used, kind == 1 || kind == 3 ? 2 : 0),
                                                  QLatin1String(kinds[kind].unit))
                                             .trimmed()
                                       : QString());
    }
    m_title->setText(occasion.title);
    setAccessibleName(occasion.title);
    m_remark->setText(occasion.remark);
    m_remark->setVisible(!occasion.remark.isEmpty());
    m_whyNoCost = occasion.whyNoCost;
    // One that was set before can be taken away.
    m_fields[cost]->setEnabled(m_whyNoCost.isEmpty() || !texts[cost].isEmpty());
    if (!m_whyNoCost.isEmpty())
        m_used[cost]->setText(m_whyNoCost);
    m_problem->hide();
    adjustSize();
    move(std::max(0, topRight.x() - width()), topRight.y());
    show();
    raise();
    m_fields[0]->setFocus(Qt::OtherFocusReason);
    m_fields[0]->selectAll();
}

void BudgetEditor::take() {
    std::array<QString, 4> texts;
    for (std::size_t kind = 0; kind < kinds.size(); ++kind)
        texts[kind] = m_fields[kind]->text();
    const Result<RunBudgets> budgets = budgetsFromTexts(texts, m_meter);
    if (!budgets.hasValue()) {
        std::size_t wrong = 0;
        for (std::size_t kind = 0; kind < kinds.size(); ++kind)
            if (budgets.message().startsWith(nameOf(kind)))
                wrong = kind;
        return object(wrong, budgets.message());
    }
    if (budgets.value().cost && !m_whyNoCost.isEmpty())
        return object(cost, tr("Cost: %1").arg(m_whyNoCost));
    close();
    emit accepted(budgets.value());
}

void BudgetEditor::object(std::size_t kind, const QString &problem) {
    m_problem->setText(problem);
    m_problem->show();
    const int right = x() + width();
    adjustSize();
    move(std::max(0, right - width()), y());
    m_fields[kind]->setFocus(Qt::OtherFocusReason);
}

void BudgetEditor::close() {
    hide();
    if (m_before != nullptr)
        m_before->setFocus(Qt::OtherFocusReason);
}

bool BudgetEditor::eventFilter(QObject *watched, QEvent *event) {
    if (event->type() != QEvent::KeyPress)
        return QWidget::eventFilter(watched, event);
    const int key = static_cast<QKeyEvent *>(event)->key();
    if (key == Qt::Key_Escape) {
        close();
        return true;
    }
    if ((key == Qt::Key_Return || key == Qt::Key_Enter) && qobject_cast<QLineEdit *>(watched) != nullptr) {
        take();
        return true;
    }
    return QWidget::eventFilter(watched, event);
}

void BudgetEditor::paintEvent(QPaintEvent *) {
    QPainter painter(this);
    painter.fillRect(rect(), m_look.color("bg.bar"));
    drawBox(&painter, rect(), m_look.px(6), m_look.color("bg.card"), m_look.color("border.strong"));
}

} // namespace warpwright
