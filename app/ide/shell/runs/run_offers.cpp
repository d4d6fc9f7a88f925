// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/shell/runs/run_offers.h"

#include "agent/factory/agent_by_name.h"
#include "agent/session/session.h"
#include "app/ide/agent/agent_controller.h"
#include "app/ide/agent/agent_event_model.h"
#include "app/ide/agent/agent_panel.h"
#include "app/ide/agent/agent_talk.h"
#include "app/ide/agent/way_back.h"
#include "app/ide/editing/candidate_panel.h"
#include "app/ide/kit/actions.h"
#include "app/ide/layout/dock.h"
#include "app/ide/layout/left_work.h"
#include "app/ide/lesson/lesson_controller.h"
#include "app/ide/shell/runs/left_runs.h"
#include "app/ide/workbench/workbench.h"
#include "widgets/frame/file_dialogs.h"

#include <QAction>

#include <utility>

namespace warpwright {
namespace {

constexpr qsizetype mostOffered = 3; ///< models and agents in the empty pane; the menu has all

/// As a sentence begins with it.
QString subjectOf(const AgentName &agent) {
    return agent.isNamed() ? agent.name : RunOffers::tr("The %1").arg(agent.text());
}

} // namespace

RunOffers::RunOffers(const Parts &parts, QWidget *window)
    : QObject(window),
      m_parts(parts),
      m_window(window),
      m_wayBack(new WayBack(parts.bench, parts.actions.branchHere, this)) {
    connect(m_wayBack, &WayBack::turned, this, [this] {
        if (m_parts.agentPanel.events().rowCount() > 0)
            offer();
    });
    showNoRun();
    connect(&m_parts.agent, &AgentController::runChanged, this, [this] { offer(); });
    connect(&m_parts.agent.talk(), &AgentTalk::spokenToNobody, this, &RunOffers::readMessage);
    connectActions();
    connect(&m_parts.left, &LeftRuns::looked, this, &RunOffers::offerLeft);
}

void RunOffers::connectActions() {
    const Actions &a = m_parts.actions;
    connect(a.tunePlaybook, &QAction::triggered, this, [this] { begin({AuthorKind::Playbook, {}}); });
    connect(a.tuneScript, &QAction::triggered, this, [this] {
        askForFile(m_window, {FileQuestion::Of::Folder, tr("A folder of patches")},
                   [this](const QString &folder) {
                       begin({AuthorKind::Script, {}}, folder);
                   });
    });
    connect(&m_parts.actions, &Actions::tuneModelAsked, this, [this](const QString &name) {
        begin({AuthorKind::Model, name},
              m_parts.actions.expertFirst->isChecked() ? QString::fromLatin1(expertFirst) : QString());
    });
    connect(&m_parts.actions, &Actions::tuneAgentAsked, this, [this](const QString &name) {
        begin({AuthorKind::Acp, name});
    });
    connect(&m_parts.actions, &Actions::offersChanged, this, &RunOffers::offerAnew);
}

void RunOffers::workspaceOpened() {
    m_lastAgent = {};
    const QString folder = m_parts.bench.workspace()->folder;
    if (std::exchange(m_talkedIn, folder) != folder)
        m_parts.agent.forgetRun();
}

// What was typed is saved first: the run is of the text that is seen.
void RunOffers::begin(const AgentName &agent, const QString &source) {
    m_lastAgent = agent.isNamed() ? agent : AgentName();
    m_lastSource = agent.isNamed() ? source : QString();
    m_parts.candidate.saveAll([this, agent, source](bool isSaved) {
        if (!isSaved)
            return;
        m_parts.agentDock.reveal(); // what it says and asks is there
        m_parts.agent.begin(agent, source, SessionMode::Review, m_parts.agent.nextBudgets());
    });
}

void RunOffers::offerAnew() {
    if (!m_parts.agent.isRunning() && m_parts.left.left().run.isEmpty())
        showNoRun();
}

void RunOffers::offerLeft(const LeftWork &work) {
    if (m_parts.agentPanel.events().rowCount() > 0)
        return offer();
    m_parts.agentPanel.showEmpty(
        leftTitle(work), leftWords(work),
        work.left.process ? QList<QAction *>() : QList<QAction *>{m_parts.actions.continueRun} + offered());
}

void RunOffers::showNoRun() {
    m_parts.left.forget();
    m_parts.agent.setLeftRun({});
    if (m_parts.agentPanel.events().rowCount() > 0)
        return offer(); // what the last run has said stays in sight
    if (showLesson())
        return;
    m_parts.agentPanel.showEmpty(
        tr("No agent runs"),
        tr("The playbook is the built-in expert and needs no model. A language model, or another program's "
           "agent, works with the same compiler and judge. The menu «Agent» has lessons to follow, and "
           "series of patches to review."),
        offered());
}

bool RunOffers::showLesson() {
    const auto &lesson = m_parts.lesson.contents();
    if (!lesson || lesson->isRecording || lesson->elsewhere)
        return false;
    const Actions &a = m_parts.actions;
    if (!lesson->story.hasBegun()) {
        m_parts.agentPanel.showEmpty(
            tr("The lesson has not begun"),
            tr("«Begin the lesson» measures the text that you begin with, and proposes the first step. You "
               "bet on each, look at its hunks, accept or reject them, and go on. The lesson's page tells "
               "the task."),
            {a.beginLesson, a.showLesson, a.betsFirst});
        return true;
    }
    if (!lesson->isFinished())
        return false;
    m_parts.agentPanel.showEmpty(
        tr("All steps of the lesson are decided"),
        tr("The closing picture has the time of each step, beside what was predicted and bet."),
        {a.findChild<QAction *>(QStringLiteral("closingPicture")), a.showLesson, a.beginLessonAnew});
    return true;
}

QList<QAction *> RunOffers::offered() const {
    QList<QAction *> actions{m_parts.actions.tunePlaybook};
    actions += (m_parts.actions.tuneModels() + m_parts.actions.tuneAgents()).mid(0, mostOffered);
    if (m_parts.actions.tuneModels().isEmpty())
        actions << m_parts.actions.setUpModel;
    if (m_parts.actions.tuneAgents().isEmpty())
        actions << m_parts.actions.setUpAgent;
    if (m_parts.actions.beginLesson->isEnabled())
        actions.prepend(m_parts.actions.beginLesson);
    if (auto *closing = m_parts.actions.findChild<QAction *>(QStringLiteral("closingPicture"));
        closing->isEnabled())
        actions.prepend(closing);
    return actions << m_parts.actions.budgets << m_parts.actions.betsFirst;
}

// After a run: what can be done next stands below its conversation, and the box says who would read it.
void RunOffers::offer() {
    if (m_parts.agent.isRunning())
        return offerOfRunning();
    QList<QAction *> choices = offered();
    if (m_parts.agentPanel.events().rowCount() > 0 && !m_parts.agent.lastRun().isEmpty())
        choices.prepend(m_parts.actions.openRun);
    if (m_wayBack->leads())
        choices.prepend(m_wayBack);
    const LeftRun &left = m_parts.left.left();
    const bool isLeft = !left.run.isEmpty() && !left.process;
    if (isLeft)
        choices.prepend(m_parts.actions.continueRun);
    m_parts.agentPanel.setChoices(choices);
    const QString last = m_lastAgent.name;
    if (isLeft && left.agent.isNamed()) // others read nothing
        m_parts.agentPanel.setReader(tr("Message %1, and its run goes on").arg(subjectOf(left.agent)),
                                     tr("continues the run"));
    else if (m_lastAgent.isNamed())
        m_parts.agentPanel.setReader(tr("Message %1, and another run begins").arg(last), tr("begins a run"));
    else
        m_parts.agentPanel.setReader(tr("No agent runs; it waits for the next one"), tr("keeps it"));
}

void RunOffers::offerOfRunning() {
    const Session *session = m_parts.agent.session();
    const AgentName works = m_parts.agent.agent();
    // Also of a run that was continued.
    if (works != m_lastAgent) {
        m_lastAgent = works.isNamed() ? works : AgentName();
        m_lastSource.clear();
    }
    // Once it has ended, another run of it would be one more.
    m_parts.actions.tunePlaybook->setText(
        works.kind == AuthorKind::Playbook ? tr("Let the playbook tune again") : tr("Let the playbook tune"));
    const bool isAsked = session != nullptr && session->state() == SessionState::AwaitingReview;
    m_parts.agentPanel.setChoices({});
    if (works.kind == AuthorKind::Playbook)
        m_parts.agentPanel.setReader(tr("The playbook reads no messages; the record of the run keeps them"),
                                     tr("keeps it"));
    else if (works.kind == AuthorKind::Script)
        m_parts.agentPanel.setReader(
            m_parts.lesson.contents()
                ? tr("Your notes: nobody answers, the record of the lesson keeps them")
                : tr("A series of patches reads no messages; the record of the run keeps them"),
            tr("keeps it"));
    else
        m_parts.agentPanel.setReader(
            isAsked ? tr("Message the agent; it reads it after your answer") : QString(), {});
}

// Written where no agent works: the one that it is for begins, with it.
void RunOffers::readMessage() {
    const LeftRun &left = m_parts.left.left();
    if (!left.run.isEmpty() && !left.process && left.agent.isNamed())
        m_parts.actions.continueRun->trigger();
    else if (m_lastAgent.isNamed())
        begin(m_lastAgent, m_lastSource);
}

} // namespace warpwright
