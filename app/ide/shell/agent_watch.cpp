// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/shell/agent_watch.h"

#include "agent/session/session.h"
#include "app/ide/agent/agent_controller.h"
#include "app/ide/agent/agent_panel.h"
#include "app/ide/kit/actions.h"
#include "app/ide/kit/notices.h"
#include "app/ide/layout/dock.h"
#include "app/ide/layout/four_panes.h"
#include "app/ide/measured/profile_panel.h"
#include "app/ide/results/assembly_page.h"
#include "app/ide/results/build_panel.h"
#include "app/ide/results/verify_page.h"
#include "app/ide/review/proposal_check.h"
#include "app/ide/shell/place_opener.h"
#include "app/ide/shell/window_notices.h"
#include "app/ide/shell/window_pages.h"
#include "app/ide/shell/window_parts.h"
#include "app/ide/shell/work_display.h"
#include "app/ide/workbench/workbench.h"
#include "widgets/frame/toasts.h"

#include <QAction>
#include <QStackedWidget>

namespace warpwright {
namespace {

constexpr qsizetype mostInNotice = 160; ///< letters of a question; the pane has all
constexpr int candidatePane = 1;

} // namespace

AgentWatch::AgentWatch(const WindowParts &parts, QObject *parent) : QObject(parent), m_parts(parts) {
    connectFailure();
    connectBreaks();
    connect(m_parts.agent, &AgentController::reviewAsked, this, [this] {
        m_parts.pages->showWork();
        if (const int enlarged = m_parts.four->enlarged(); enlarged >= 0 && enlarged != candidatePane)
            m_parts.four->enlarge(enlarged); // all alike again
    });
    connect(m_parts.agent, &AgentController::worked, m_parts.display, &WorkDisplay::showNow);
    connect(m_parts.agent, &AgentController::worked, m_parts.display, &WorkDisplay::showMeasuredFirst);
    connect(m_parts.agent, &AgentController::runChanged, m_parts.display, &WorkDisplay::showMeasuredFirst);
    connectQuestions();
    connect(m_parts.agentPanel, &AgentPanel::linkActivated, m_parts.places, &PlaceOpener::follow);
    connect(m_parts.agent, &AgentController::noticed, this,
            [this](const QString &title, const QString &text, bool isTrouble) {
                if (isTrouble)
                    m_parts.notices->sayTrouble(title, text);
                else
                    m_parts.toasts->show(newsNotice(title, text));
            });
}

void AgentWatch::connectBreaks() {
    const QString brokenOff = tr("The run was broken off; it can be continued");
    connect(m_parts.agent, &AgentController::runChanged, this, [this, brokenOff] {
        if (m_parts.agent->isRunning())
            for (const QString &title :
                 {brokenOff, tr("Cannot continue the run"), tr("Cannot begin the run")})
                m_parts.toasts->closeAll(title);
    });
    connect(m_parts.agent, &AgentController::brokenOff, this, [this, brokenOff](const QString &why) {
        m_parts.toasts->closeAll(brokenOff);
        if (!settingsRowIn(why).isEmpty())
            return m_parts.notices->sayTrouble(brokenOff, why);
        Notice notice = troubleNotice(brokenOff, why);
        notice.actionName = tr("Continue");
        notice.action = [this] {
            m_parts.actions->continueRun->trigger();
        };
        m_parts.toasts->show(notice);
    });
}

// A question waits in the agent's pane. Where that is not to be seen, the window says so.
void AgentWatch::connectQuestions() {
    const QString title = tr("The agent asks you");
    connect(m_parts.agent, &AgentController::asked, this,
            [this, title](const QString &who, const QString &question) {
                m_parts.toasts->closeAll(title);
                m_parts.agentDock->setCall(who.isEmpty() ? QString() : tr("waits for you"));
                if (who.isEmpty() || (m_parts.agentDock->isVisible() && !m_parts.agentDock->isFolded()))
                    return;
                Notice notice =
                    newsNotice(title, QStringLiteral("%1: %2").arg(who, question.left(mostInNotice)));
                notice.actionName = tr("Answer");
                notice.action = [this] {
                    m_parts.actions->answerAgent->trigger();
                };
                m_parts.toasts->show(notice);
            });
    connect(m_parts.actions->answerAgent, &QAction::triggered, this, [this] {
        m_parts.pages->show(m_parts.workPage);
        m_parts.agentDock->reveal();
        // Behind the candidate, which that page gives the keys to.
        QMetaObject::invokeMethod(m_parts.agentPanel, &AgentPanel::focusPrompt, Qt::QueuedConnection);
    });
}

// What failed is asked about where agents are talked to; which lines store comes from the kernels' listing.
void AgentWatch::connectFailure() {
    VerifyPage &verify = m_parts.build->verify();
    connect(&verify, &VerifyPage::agentAsked, this, [this](const QString &question) {
        m_parts.agentStack->setCurrentWidget(m_parts.agentPanel);
        m_parts.agentDock->reveal();
        m_parts.agentPanel->compose(question);
    });
    AssemblyPage &assembly = m_parts.profile->assembly();
    assembly.readFor(verify.inspectionReader());
    const auto read = [&verify, &assembly] {
        verify.setInspection(assembly.isSettled() ? assembly.inspection() : nullptr);
    };
    auto *proposed = new ProposalCheck(*m_parts.bench, this);
    const auto follow = [this, proposed] {
        proposed->follow(m_parts.agent->session());
    };
    connect(m_parts.agent, &AgentController::runChanged, proposed, follow);
    connect(proposed, &ProposalCheck::changed, m_parts.build,
            [this, proposed] { m_parts.build->setProposed(proposed->now()); });
    connect(m_parts.agentPanel, &AgentPanel::checkPicked, m_parts.build, [this](const QString &page) {
        m_parts.pages->show(m_parts.workPage);
        m_parts.build->showPage(page);
    });
    connect(&assembly, &AssemblyPage::settled, &verify, read);
    connect(m_parts.bench, &Workbench::shownChanged, &verify, read);
    // Launch bounds, too, for the kernels that were compiled: after the panel has shown them.
    const auto bound = [this, &assembly] {
        m_parts.build->setInspection(assembly.isSettled() ? assembly.inspection() : nullptr);
    };
    connect(&assembly, &AssemblyPage::settled, m_parts.build, bound);
    connect(m_parts.bench, &Workbench::shownChanged, m_parts.build, bound);
    connect(m_parts.bench, &Workbench::compiledTextChanged, m_parts.build, bound);
}

} // namespace warpwright
