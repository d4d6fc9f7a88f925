// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/shell/runs/other_agents.h"

#include "app/ide/agent/agent_controller.h"
#include "app/ide/agent/agent_event_model.h"
#include "app/ide/agent/agent_panel.h"
#include "app/ide/agent/answers_out.h"
#include "app/ide/editing/candidate_panel.h"
#include "app/ide/settings/agents_table.h"
#include "app/ide/settings/models_table.h"
#include "app/ide/settings/settings_page.h"
#include "app/ide/workbench/workbench.h"

#include <QAction>

#include <utility>

namespace warpwright {
namespace {

constexpr qsizetype mostOffered = 3; ///< models and agents in the empty pane; the menu has all

} // namespace

OtherAgents::OtherAgents(const Parts &parts, QObject *parent) : QObject(parent), m_parts(parts) {
    connect(&m_parts.agent, &AgentController::agentMissing, this, &OtherAgents::offer);
}

// Its model or program was renamed or removed: the run can go on with another of its kind.
void OtherAgents::offer(const QString &run, const AgentName &missing) {
    QStringList names;
    if (missing.kind == AuthorKind::Model) {
        for (const ModelProfile &profile : m_parts.settingsPage.models().profiles())
            names << profile.name;
    } else {
        names = m_parts.settingsPage.agents().offered();
    }
    if (names.isEmpty() || m_parts.agentPanel.events().rowCount() > 0)
        return;
    qDeleteAll(std::exchange(m_others, {}));
    for (const QString &name : names.mid(0, mostOffered)) {
        auto *goOn = new QAction(tr("Go on with %1").arg(name), this);
        goOn->setObjectName(QStringLiteral("goOnWith-") + name);
        connect(goOn, &QAction::triggered, this, [this, run, other = AgentName{missing.kind, name}] {
            const auto save = [this, run, other] {
                m_parts.candidate.saveAll([this, run, other](bool isSaved) {
                    if (isSaved)
                        m_parts.agent.continueRun(run, other);
                });
            };
            takeAnswersOut(m_parts.candidate, m_parts.bench, run, this, save);
        });
        m_others << goOn;
    }
    m_parts.agentPanel.showEmpty(
        tr("Its agent is not set up any more"),
        tr("The run was by %1. Another one can go on from there, with what was said so "
           "far; the record says so.")
            .arg(missing.name),
        m_others);
}

} // namespace warpwright
