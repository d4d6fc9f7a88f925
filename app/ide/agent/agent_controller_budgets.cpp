// SPDX-License-Identifier: GPL-3.0-or-later
// What runs may use, in the window: the one that is going on, one that was left, and those to come.
#include "app/ide/agent/agent_controller.h"
#include "app/ide/agent/budget_editor.h"
#include "app/ide/agent/shown_budgets.h"
#include "app/ide/layout/budget_meters.h"
#include "app/ide/layout/top_bar.h"

namespace warpwright {

void AgentController::setLeftRun(const LeftRun &left) {
    if (left.run == m_left.run && m_hasRaised)
        return; // what was set for it counts once it goes on
    m_left = left;
    m_hasRaised = false;
    m_waitsForBudget = false;
}

void AgentController::openBudgets() {
    const QWidget &bar = m_places.topBar;
    const BudgetMeters &meters = m_places.topBar.budgets();
    const QPoint below = m_run ? meters.mapTo(meters.window(), QPoint(meters.width(), bar.height()))
                               : bar.mapTo(bar.window(), QPoint(bar.width(), bar.height()));
    if (m_run)
        return m_budgets->open(m_run->session().budgets(), m_run->session().meter(),
                               {tr("Budgets of the run"), {}, whyNoCost()}, below);
    if (!m_left.run.isEmpty())
        return m_budgets->open(
            m_left.budgets, m_left.meter,
            {tr("Budgets of the run that was left"),
             m_waitsForBudget ? tr("One of them is used up. With more of it, or no limit, the run goes on.")
                              : tr("They count once it is continued, and for each run that begins after it."),
             {}},
            below);
    m_budgets->open(m_nextBudgets, {},
                    {tr("Budgets of the next runs"),
                     tr("Each run that begins from now on may use so much; empty: no limit. Cost needs the "
                        "model's prices: Settings > Models > Change > More."),
                     {}},
                    below);
}

void AgentController::takeBudgets(const RunBudgets &budgets) {
    if (m_run)
        return m_run->session().setBudgets(budgets);
    if (!m_left.run.isEmpty()) {
        m_left.budgets = budgets;
        m_hasRaised = true;
    }
    if (std::exchange(m_nextBudgets, budgets) != budgets)
        emit nextBudgetsChanged(budgets);
    if (std::exchange(m_waitsForBudget, false))
        continueRun(m_left.run);
}

QString AgentController::whyNoCost() const {
    const RunMeter &meter = m_run->session().meter();
    if (meter.cost > 0 || !meter.currency.isEmpty())
        return {};
    const QString why = m_run->agent().whyCostUnknown();
    return !why.isEmpty() || !isCostUnknown(meter)
               ? why
               : tr("%1 does not say what it costs.").arg(m_run->agent().identity().name);
}

// It would break off after the first answer that is paid for.
bool AgentController::refusesCost(const Agent &agent, const RunBudgets &budgets) {
    const QString why = budgets.cost ? agent.whyCostUnknown() : QString();
    if (why.isEmpty())
        return false;
    emit noticed(tr("The run does not begin"),
                 tr("Its cost is limited, and it would not be known. %1 «Budgets…» in the menu «Agent» takes "
                    "the limit away.")
                     .arg(why),
                 true);
    return true;
}

} // namespace warpwright
