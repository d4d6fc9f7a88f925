// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/shell/runs/failure_talk.h"

#include "app/ide/agent/agent_controller.h"
#include "app/ide/agent/agent_panel.h"
#include "app/ide/layout/dock.h"
#include "app/ide/results/build_panel.h"
#include "app/ide/results/verify_page.h"
#include "app/ide/review/proposal_check.h"
#include "app/ide/shell/window_pages.h"
#include "app/ide/workbench/workbench.h"

#include <QStackedWidget>

namespace warpwright {

FailureTalk::FailureTalk(const Parts &parts, QObject *parent) : QObject(parent), m_parts(parts) {
    VerifyPage &verify = m_parts.build.verify();
    connect(&verify, &VerifyPage::agentAsked, this, [this](const QString &question) {
        m_parts.agentStack.setCurrentWidget(&m_parts.agentPanel);
        m_parts.agentDock.reveal();
        m_parts.agentPanel.compose(question);
    });
    auto *proposed = new ProposalCheck(m_parts.bench, this);
    const auto follow = [this, proposed] {
        proposed->follow(m_parts.agent.session());
    };
    connect(&m_parts.agent, &AgentController::runChanged, proposed, follow);
    connect(proposed, &ProposalCheck::changed, &m_parts.build,
            [this, proposed] { m_parts.build.setProposed(proposed->now()); });
    connect(&m_parts.agentPanel, &AgentPanel::checkPicked, &m_parts.build, [this](const QString &page) {
        m_parts.pages.comeToWork();
        m_parts.build.showPage(page);
    });
}

} // namespace warpwright
