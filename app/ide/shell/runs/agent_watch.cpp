// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/shell/runs/agent_watch.h"

#include "app/ide/agent/agent_controller.h"
#include "app/ide/agent/agent_panel.h"
#include "app/ide/kit/actions.h"
#include "app/ide/kit/notices.h"
#include "app/ide/layout/dock.h"
#include "app/ide/shell/panes/pane_opener.h"
#include "app/ide/shell/window_notices.h"
#include "app/ide/shell/window_pages.h"

#include <QAction>

namespace warpwright {
namespace {

constexpr qsizetype mostInNotice = 160; ///< letters of a question; the pane has all
constexpr int candidatePane = 1;

} // namespace

AgentWatch::AgentWatch(const Parts &parts, QObject *parent) : QObject(parent), m_parts(parts) {
    connectBreaks();
    connect(&m_parts.agent, &AgentController::reviewAsked, this, [this] {
        m_parts.pages.showWork();
        m_parts.panes.evenOut(candidatePane);
    });
    connectQuestions();
    connect(&m_parts.agent, &AgentController::noticed, this,
            [this](const QString &title, const QString &text, bool isTrouble) {
                if (isTrouble)
                    m_parts.notices.sayTrouble(title, text);
                else
                    m_parts.notices.tell(newsNotice(title, text));
            });
}

void AgentWatch::connectBreaks() {
    const QString brokenOff = tr("The run was broken off; it can be continued");
    connect(&m_parts.agent, &AgentController::runChanged, this, [this, brokenOff] {
        if (m_parts.agent.isRunning())
            for (const QString &title :
                 {brokenOff, tr("Cannot continue the run"), tr("Cannot begin the run")})
                m_parts.notices.takeBack(title);
    });
    connect(&m_parts.agent, &AgentController::brokenOff, this, [this, brokenOff](const QString &why) {
        m_parts.notices.takeBack(brokenOff);
        if (!settingsRowIn(why).isEmpty())
            return m_parts.notices.sayTrouble(brokenOff, why);
        Notice notice = troubleNotice(brokenOff, why);
        notice.actionName = tr("Continue");
        notice.action = [this] {
            m_parts.actions.continueRun->trigger();
        };
        m_parts.notices.tell(notice);
    });
}

// A question waits in the agent's pane. Where that is not to be seen, the window says so.
void AgentWatch::connectQuestions() {
    const QString title = tr("The agent asks you");
    connect(&m_parts.agent, &AgentController::asked, this,
            [this, title](const QString &who, const QString &question) {
                m_parts.notices.takeBack(title);
                m_parts.agentDock.setCall(who.isEmpty() ? QString() : tr("waits for you"));
                if (who.isEmpty() || (m_parts.agentDock.isVisible() && !m_parts.agentDock.isFolded()))
                    return;
                Notice notice =
                    newsNotice(title, QStringLiteral("%1: %2").arg(who, question.left(mostInNotice)));
                notice.actionName = tr("Answer");
                notice.action = [this] {
                    m_parts.actions.answerAgent->trigger();
                };
                m_parts.notices.tell(notice);
            });
    connect(m_parts.actions.answerAgent, &QAction::triggered, this, [this] {
        m_parts.pages.comeToWork();
        m_parts.agentDock.reveal();
        // Behind the candidate, which that page gives the keys to.
        QMetaObject::invokeMethod(&m_parts.agentPanel, &AgentPanel::focusPrompt, Qt::QueuedConnection);
    });
}

} // namespace warpwright
