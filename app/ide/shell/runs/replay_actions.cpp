// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/shell/runs/replay_actions.h"

#include "agent/record/live_run.h"
#include "agent/session/session.h"
#include "app/ide/agent/agent_controller.h"
#include "app/ide/agent/answers_out.h"
#include "app/ide/editing/candidate_panel.h"
#include "app/ide/history/past_runs_models.h"
#include "app/ide/history/replay_controller.h"
#include "app/ide/kit/actions.h"
#include "app/ide/layout/dock.h"
#include "app/ide/layout/left_work.h"
#include "app/ide/shell/runs/left_runs.h"
#include "app/ide/workbench/workbench.h"

#include <QAction>

namespace warpwright {

bool waitsForReview(const AgentController &agent) {
    const Session *session = agent.session();
    return session != nullptr && session->mode() == SessionMode::Review &&
           session->state() == SessionState::AwaitingReview && session->review() != nullptr &&
           agent.asker().isEmpty();
}

ReplayActions::ReplayActions(const Parts &parts, QObject *parent) : QObject(parent), m_parts(parts) {
    connectSteps();
    connect(&m_parts.replay, &ReplayController::left, this, [this] {
        if (m_parts.agent.isRunning())
            m_parts.agent.showReview();
        else
            m_parts.actions.setNoReview(tr("no proposal is under review"));
    });
    connect(&m_parts.replay, &ReplayController::changed, this, &ReplayActions::enable);
    // A run that works has the pane for itself.
    connect(&m_parts.agent, &AgentController::runChanged, this, [this] {
        if (m_parts.agent.isRunning() && !waitsForReview(m_parts.agent) && m_parts.replay.isOpen())
            m_parts.replay.leave();
        if (m_parts.agent.isRunning())
            m_parts.left.forget();
        else
            m_parts.left.look();
    });
    connect(&m_parts.left, &LeftRuns::found, this, &ReplayActions::enable);
}

void ReplayActions::connectSteps() {
    const Actions &a = m_parts.actions;
    const auto on = [this](QAction *action, auto what) {
        connect(action, &QAction::triggered, this, what);
    };
    on(a.replayPlay, [this] { m_parts.replay.setPlaying(!m_parts.replay.isPlaying()); });
    on(a.replayBack, [this] { m_parts.replay.step(-1); });
    on(a.replayForward, [this] { m_parts.replay.step(1); });
    on(a.nextHunk, [this] { m_parts.replay.stepHunk(1); });
    on(a.previousHunk, [this] { m_parts.replay.stepHunk(-1); });
    on(a.continueRun, [this] { goOn(); });
}

void ReplayActions::goOn() {
    const QString run = m_parts.replay.isOpen() ? m_parts.replay.run()->run : m_parts.left.left().run;
    // What was typed is saved first: it becomes an iteration of the person's.
    const auto goOn = [this, run](bool isSaved) {
        if (!isSaved || run.isEmpty())
            return;
        if (m_parts.replay.isOpen())
            m_parts.replay.leave();
        m_parts.agentDock.reveal();
        m_parts.agent.continueRun(run);
    };
    takeAnswersOut(m_parts.candidate, m_parts.bench, run, this,
                   [this, goOn] { m_parts.candidate.saveAll(goOn); });
}

void ReplayActions::enable() {
    const Actions &a = m_parts.actions;
    const ReplayController &replay = m_parts.replay;
    const QString none = tr("no past run is open");
    if (replay.isOpen()) {
        m_parts.actions.setNoReview(tr("this is a recording: its hunks were answered when it ran"));
        for (QAction *step : {a.nextHunk, a.previousHunk})
            Actions::setReason(step,
                               replay.review() != nullptr ? QString() : tr("no proposal is shown here"));
    }
    a.backToText->setText(replay.isOpen() ? tr("Leave the replay") : tr("Back to my text"));
    Actions::setReason(a.replayPlay, replay.isOpen() ? QString() : none);
    Actions::setReason(a.replayBack, !replay.isOpen()       ? none
                                     : replay.number() <= 1 ? tr("this is the first event")
                                                            : QString());
    Actions::setReason(a.replayForward, !replay.isOpen()                   ? none
                                        : replay.number() >= replay.last() ? tr("this is the last event")
                                                                           : QString());
    enableContinue();
    const bool isOpen = m_parts.bench.workspace().has_value();
    const bool isRunning = m_parts.agent.isRunning();
    // The same run can be gone on with and looked through.
    const QString left = m_parts.left.left().run;
    const bool canGoOn = !left.isEmpty() && left == m_parts.agent.lastRun();
    a.openRun->setText(canGoOn ? tr("Replay this run so far") : tr("Open the run that has ended"));
    Actions::setReason(a.openRun, !isOpen     ? tr("no workspace is open")
                                  : isRunning ? tr("an agent's run is going on")
                                  : m_parts.agent.lastRun().isEmpty()
                                      ? tr("no run has ended since the window was opened")
                                      : QString());
    Actions::setReason(a.pastRuns,
                       !isOpen ? tr("no workspace is open")
                       : isRunning && !waitsForReview(m_parts.agent)
                           ? tr("an agent's run is at work; they can be looked at while it waits for you")
                           : QString());
}

void ReplayActions::enableContinue() {
    const ReplayController &replay = m_parts.replay;
    const LeftRun &left = m_parts.left.left();
    const bool isLeft = !replay.isOpen() && m_parts.bench.workspace() && !left.run.isEmpty();
    const QString locked = m_parts.bench.readOnlyReason();
    Actions::setReason(m_parts.actions.continueRun,
                       !replay.isOpen() && !isLeft ? tr("no past run is open")
                       : m_parts.agent.isRunning() ? tr("an agent's run is going on")
                       : m_parts.bench.isRunning() ? tr("a check is running")
                       : isLeft && left.process    ? runsElsewhereWords(*left.process)
                       : isLeft                    ? locked
                       : hasEnded(*replay.run())   ? tr("this run came to its end")
                       : !AgentName{replay.run()->agentKind, replay.run()->agent}.isAgent()
                           ? tr("its agent, %1, cannot go on").arg(replay.run()->agent)
                           : locked);
}

} // namespace warpwright
