// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/shell/runs/kept_run_choices.h"

#include "app/ide/agent/agent_controller.h"
#include "app/ide/kit/actions.h"
#include "app/ide/layout/window_state.h"

#include <QAction>

namespace warpwright {
namespace {

constexpr QLatin1String nextBudgets("nextBudgets"); ///< in the window's state

} // namespace

KeptRunChoices::KeptRunChoices(const Parts &parts, QObject *parent) : QObject(parent), m_parts(parts) {
    const Result<Json> budgets = parseJson(m_parts.state.bytes(nextBudgets));
    m_parts.agent.setNextBudgets(budgets.hasValue() ? budgetsFromJson(budgets.value()) : RunBudgets());
    connect(&m_parts.agent, &AgentController::nextBudgetsChanged, this, [this](const RunBudgets &changed) {
        m_parts.state.setBytes(nextBudgets, dumpJson(budgetsToJson(changed)));
    });
    m_parts.actions.expertFirst->setChecked(m_parts.state.bytes(QStringLiteral("expertFirst")) == "yes");
}

} // namespace warpwright
