// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/session/auto_policy.h"
#include "toolchain/base/result.h"

#include <QPointer>
#include <QWidget>

#include <array>

class QLineEdit;

namespace warpwright {

class ActionButton;
class Look;
class Words;

/// What a run may use, to be changed while it runs, before it begins or before it goes on: opens below the
/// meters, a field for each, empty for no limit. Enter takes it over, Esc leaves it as it was; what is wrong
/// is said below the fields.
class BudgetEditor : public QWidget {
    Q_OBJECT
public:
    BudgetEditor(const Look &look, QWidget *window);

    /// Which run they are of.
    struct Occasion {
        QString title;
        QString remark;    ///< when they count; empty: at once
        QString whyNoCost; ///< cost cannot be limited; empty: it can
    };
    void open(const RunBudgets &budgets, const RunMeter &meter, const Occasion &occasion,
              const QPoint &topRight);

signals:
    void accepted(const warpwright::RunBudgets &budgets);

protected:
    void paintEvent(QPaintEvent *event) override;
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void take();
    void close();
    void object(std::size_t kind, const QString &problem);

    const Look &m_look;
    RunMeter m_meter;
    QString m_whyNoCost;
    Words *m_title;
    Words *m_remark;
    std::array<QLineEdit *, 4> m_fields; ///< iterations, minutes, tokens, cost
    std::array<Words *, 4> m_used;
    Words *m_problem;
    QPointer<QWidget> m_before; ///< had the focus
};

/// What was typed, iterations first; an error says which of them is no budget, and what is. A run that has
/// used up as much already would end at once, so that is none either.
[[nodiscard]] Result<RunBudgets> budgetsFromTexts(const std::array<QString, 4> &texts, const RunMeter &meter);
[[nodiscard]] std::array<QString, 4> budgetTexts(const RunBudgets &budgets);

} // namespace warpwright
