// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/shell/past_run_replay.h"

#include "agent/factory/reopened_run.h"
#include "agent/record/live_run.h"
#include "agent/record/recordings.h"
#include "agent/session/session.h"
#include "app/ide/agent/agent_controller.h"
#include "app/ide/agent/agent_event_model.h"
#include "app/ide/agent/agent_panel.h"
#include "app/ide/agent/answers_out.h"
#include "app/ide/editing/candidate_panel.h"
#include "app/ide/history/iterations_panel.h"
#include "app/ide/history/past_run_panel.h"
#include "app/ide/history/past_runs_models.h"
#include "app/ide/history/past_runs_page.h"
#include "app/ide/history/replay_bar.h"
#include "app/ide/history/replay_controller.h"
#include "app/ide/history/run_event_list.h"
#include "app/ide/kit/actions.h"
#include "app/ide/kit/notices.h"
#include "app/ide/layout/dock.h"
#include "app/ide/layout/top_bar.h"
#include "app/ide/measured/profile_panel.h"
#include "app/ide/shell/action_reasons.h"
#include "app/ide/shell/run_offers.h"
#include "app/ide/shell/window_notices.h"
#include "app/ide/shell/window_pages.h"
#include "app/ide/shell/window_parts.h"
#include "app/ide/shell/work_display.h"
#include "app/ide/shell/workspace_opener.h"
#include "app/ide/start/start_page.h"
#include "app/ide/workbench/job.h"
#include "app/ide/workbench/workbench.h"
#include "widgets/frame/toasts.h"
#include "widgets/look/look.h"

#include <QAction>
#include <QFileInfo>
#include <QShortcut>
#include <QStackedWidget>

#include <utility>

namespace warpwright {
namespace {

/// It does nothing by itself, so that what was before it can be looked up meanwhile.
bool waitsForReview(const AgentController &agent) {
    const Session *session = agent.session();
    return session != nullptr && session->mode() == SessionMode::Review &&
           session->state() == SessionState::AwaitingReview && session->review() != nullptr &&
           agent.asker().isEmpty();
}

} // namespace

PastRunReplay::PastRunReplay(const WindowParts &parts, RunOffers &offers, QObject *parent)
    : QObject(parent), m_parts(parts), m_offers(offers), m_page(new PastRunsPage(*parts.look, parts.window)) {
    m_parts.pageStack->addWidget(m_page);
    connectSteps();
    silenceReview();
    connectPage();
    connect(m_parts.bench, &Workbench::branched, this, &PastRunReplay::tellBranch);
    connectReplay();
    connectRecording();
    // A run that works has the pane for itself.
    connect(m_parts.agent, &AgentController::runChanged, this, [this] {
        if (m_parts.agent->isRunning() && !waitsForReview(*m_parts.agent) && m_parts.replay->isOpen())
            m_parts.replay->leave();
        if (m_parts.agent->isRunning())
            m_offers.forgetLeft();
        else
            m_offers.lookForLeft();
    });
    connect(m_parts.iterations, &IterationsPanel::picked, this,
            [this](int number) { showIteration(m_parts, number); });
    connect(m_parts.profile, &ProfilePanel::hunkPicked, m_parts.replay, &ReplayController::goToHunk);
    connect(&m_offers, &RunOffers::leftFound, this, &PastRunReplay::enable);
    connect(m_parts.reasons, &ActionReasons::updated, this, &PastRunReplay::enable);
}

void PastRunReplay::connectSteps() {
    const Actions &a = *m_parts.actions;
    const auto on = [this](QAction *action, auto what) {
        connect(action, &QAction::triggered, this, what);
    };
    on(a.pastRuns, [this] {
        m_page->open(m_parts.bench->workspace()->state);
        m_parts.pages->show(m_page);
    });
    on(a.openRun, [this] { openLastRun(); });
    on(a.replayPlay, [this] { m_parts.replay->setPlaying(!m_parts.replay->isPlaying()); });
    on(a.replayBack, [this] { m_parts.replay->step(-1); });
    on(a.replayForward, [this] { m_parts.replay->step(1); });
    on(a.nextHunk, [this] { m_parts.replay->stepHunk(1); });
    on(a.previousHunk, [this] { m_parts.replay->stepHunk(-1); });
    on(a.continueRun, [this] { goOn(); });
}

// In place of the keys of a review, which are off meanwhile.
void PastRunReplay::silenceReview() {
    const Actions &a = *m_parts.actions;
    for (QAction *answer : {a.acceptHunk, a.rejectHunk, a.editHunk, a.acceptAllHunks, a.rejectAllHunks,
                            a.acceptHunkOnly, a.rejectHunkOnly, a.undoDecision}) {
        auto *key = new QShortcut(m_parts.window);
        key->setEnabled(false);
        connect(key, &QShortcut::activated, this, [this] {
            m_parts.toasts->show(newsNotice(
                tr("This is a recording"),
                tr("Its hunks were answered when it ran, and nothing is answered here. «Branch» goes on from "
                   "the text that is shown.")));
        });
        connect(m_parts.replay, &ReplayController::opened, key, [key, answer] {
            key->setKey(answer->shortcut());
            key->setEnabled(true);
        });
        connect(m_parts.replay, &ReplayController::left, key, [key] { key->setEnabled(false); });
    }
}

void PastRunReplay::goOn() {
    const QString run = m_parts.replay->isOpen() ? m_parts.replay->run()->run : m_offers.left().run;
    // What was typed is saved first: it becomes an iteration of the person's.
    const auto goOn = [this, run](bool isSaved) {
        if (!isSaved || run.isEmpty())
            return;
        if (m_parts.replay->isOpen())
            m_parts.replay->leave();
        m_parts.agentDock->reveal();
        m_parts.agent->continueRun(run);
    };
    takeAnswersOut(*m_parts.candidate, *m_parts.bench, run, this,
                   [this, goOn] { m_parts.candidate->saveAll(goOn); });
}

void PastRunReplay::connectPage() {
    connect(m_page, &PastRunsPage::closed, m_parts.pages, &WindowPages::backToWork);
    connect(m_page, &PastRunsPage::runPicked, this, [this](const IndexedRun &run, qint64 event) {
        m_parts.pages->show(m_parts.workPage);
        if (m_parts.agent->isRunning() && !waitsForReview(*m_parts.agent))
            return m_parts.notices->sayTrouble(
                tr("The past run is not opened"),
                tr("The agent's run has gone on meanwhile. Open it when that waits for you."));
        m_parts.replay->open(run, event);
    });
    QAction *play = m_parts.actions->replayPlay;
    ReplayScrubber *scrubber = &m_parts.replayBar->scrubber();
    connect(&m_parts.pastRun->events(), &RunEventList::playAsked, play, &QAction::trigger);
    connect(scrubber, &ReplayScrubber::playAsked, play, &QAction::trigger);
    connect(&m_parts.pastRun->events(), &RunEventList::pageAsked, scrubber, &ReplayScrubber::page);
}

void PastRunReplay::tellBranch() {
    const Shown &shown = m_parts.bench->shown();
    if (shown.replay.isEmpty())
        return;
    m_parts.toasts->show(newsNotice(
        tr("Branched"),
        tr("The text at %1 is iteration %2 and lies in \"%3\" now. What lay there before is kept among the "
           "iterations. Check it, or let an agent go on from it.")
            .arg(shown.replay)
            .arg(m_parts.bench->liveIteration())
            .arg(m_parts.bench->workspace()->folder)));
}

void PastRunReplay::connectReplay() {
    connect(m_parts.replay, &ReplayController::failed, m_parts.notices, &WindowNotices::sayTrouble);
    connect(m_parts.replay, &ReplayController::opened, this, [this] {
        m_parts.agentStack->setCurrentWidget(m_parts.pastRun);
        m_parts.agentDock->show();
        m_parts.replayBar->show();
        // Arrows and a presenter's keys go through the run at once.
        m_parts.replayBar->scrubber().setFocus();
        m_parts.reasons->update();
    });
    connect(m_parts.replay, &ReplayController::left, this, [this] {
        m_parts.agentStack->setCurrentWidget(m_parts.agentPanel);
        m_parts.replayBar->hide();
        m_parts.display->showRecords();
        m_parts.reasons->update();
        if (m_parts.agent->isRunning())
            m_parts.agent->showReview();
        else
            m_parts.actions->setNoReview(tr("no proposal is under review"));
    });
    connect(m_parts.replay, &ReplayController::recordsChanged, m_parts.display, &WorkDisplay::showRecords);
    connect(m_parts.replay, &ReplayController::changed, this, &PastRunReplay::enable);
    connect(m_parts.replay, &ReplayController::changed, this, [this] {
        const ReplayController &replay = *m_parts.replay;
        if (replay.isOpen())
            m_parts.profile->showHunks(replay.review() != nullptr ? replay.review()->contributions
                                                                  : HunkContributions());
    });
    connect(m_parts.replay, &ReplayController::left, this, [this] { m_parts.profile->showHunks({}); });
}

// Its numbers are of another machine than the one that the device button names.
void PastRunReplay::connectRecording() {
    connect(m_parts.bench, &Workbench::opened, this, [this] {
        m_parts.topBar->setRecordedOn({});
        if (!isRecording(*m_parts.bench))
            return;
        inPool(
            this,
            [name = QFileInfo(m_parts.bench->workspace()->folder).fileName(),
             resources = m_parts.bench->folders().resources] {
                QString device;
                for (const Recording &recording : listRecordings(resources))
                    if (recording.name == name)
                        device = recording.device;
                return device;
            },
            [this, folder = m_parts.bench->workspace()->folder](const QString &device) {
                if (m_parts.bench->workspace() && m_parts.bench->workspace()->folder == folder)
                    m_parts.topBar->setRecordedOn(device);
            });
    });
    connect(m_parts.bench, &Workbench::closed, this, [this] { m_parts.topBar->setRecordedOn({}); });
    connect(m_parts.opener, &WorkspaceOpener::recordingAsked, this, &PastRunReplay::playOpened);
    connect(m_parts.start, &StartPage::recordingAsked, this, &PastRunReplay::openRecording);
}

// At its end, which sums it up.
void PastRunReplay::openLastRun() {
    using Answer = Result<std::optional<IndexedRun>>;
    inPool(
        this,
        [state = m_parts.bench->workspace()->state, id = m_parts.agent->lastRun()] {
            Result<RunIndex> opened = RunIndex::open(state);
            if (!opened.hasValue())
                return Answer::error(opened.message());
            RunIndex index = std::move(opened).value();
            const Result<std::vector<IndexedRun>> runs = index.runs();
            if (!runs.hasValue())
                return Answer::error(runs.message());
            for (const IndexedRun &run : runs.value())
                if (run.run == id)
                    return Answer::ok(run);
            return Answer::ok(std::nullopt);
        },
        [this, folder = m_parts.bench->workspace()->folder](const Answer &found) {
            if (!m_parts.bench->workspace() || m_parts.bench->workspace()->folder != folder ||
                m_parts.agent->isRunning())
                return;
            if (!found.hasValue() || !found.value())
                return m_parts.notices->sayTrouble(
                    tr("Cannot open the run"),
                    found.hasValue() ? tr("It is not of this workspace. Open its own one first.")
                                     : found.message());
            m_parts.pages->show(m_parts.workPage);
            m_parts.replay->open(*found.value(), found.value()->events);
        });
}

void PastRunReplay::openRecording(const QString &name) {
    using Answer = Result<OpenedRecording>;
    inPool(
        this,
        [name, folders = m_parts.bench->folders()] {
            for (const Recording &recording : listRecordings(folders.resources))
                if (recording.name == name)
                    return openRecordingCopy(recording, folders.data);
            return Answer::error(QStringLiteral("There is no recording \"%1\".").arg(name));
        },
        [this](const Answer &opened) {
            if (!opened.hasValue())
                return m_parts.notices->sayTrouble(tr("Cannot open the recording"), opened.message());
            m_parts.opener->after().recording = opened.value();
            m_parts.opener->open(opened.value().folder);
        });
}

// Its text is in the editors now: the run can be shown over it, from its first event on.
void PastRunReplay::playOpened() {
    const std::optional<OpenedRecording> recording =
        std::exchange(m_parts.opener->after().recording, std::nullopt);
    if (!recording || !m_parts.bench->workspace() ||
        QFileInfo(m_parts.bench->workspace()->folder) != QFileInfo(recording->folder))
        return;
    using Answer = Result<std::vector<IndexedRun>>;
    inPool(
        this,
        [state = m_parts.bench->workspace()->state] {
            Result<RunIndex> opened = RunIndex::open(state);
            if (!opened.hasValue())
                return Answer::error(opened.message());
            RunIndex index = std::move(opened).value();
            return index.runs();
        },
        [this, recording = *recording](const Answer &runs) {
            if (!runs.hasValue())
                return m_parts.notices->sayTrouble(tr("Cannot open the recording"), runs.message());
            for (const IndexedRun &run : runs.value())
                if (run.run == recording.run) {
                    m_parts.replay->open(run);
                    m_parts.toasts->show(
                        newsNotice(tr("The recording"), tr("It lies in \"%1\". Play it above, or pick an "
                                                           "event at the right; «Branch» goes on "
                                                           "from what is shown.")
                                                            .arg(recording.folder)));
                    return;
                }
        });
}

void PastRunReplay::enable() {
    const Actions &a = *m_parts.actions;
    const ReplayController &replay = *m_parts.replay;
    const QString none = tr("no past run is open");
    if (replay.isOpen()) {
        m_parts.actions->setNoReview(tr("this is a recording: its hunks were answered when it ran"));
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
    const bool isOpen = m_parts.bench->workspace().has_value();
    const bool isRunning = m_parts.agent->isRunning();
    // The same run can be gone on with and looked through.
    const QString left = m_offers.left().run;
    const bool canGoOn = !left.isEmpty() && left == m_parts.agent->lastRun();
    a.openRun->setText(canGoOn ? tr("Replay this run so far") : tr("Open the run that has ended"));
    Actions::setReason(a.openRun, !isOpen     ? tr("no workspace is open")
                                  : isRunning ? tr("an agent's run is going on")
                                  : m_parts.agent->lastRun().isEmpty()
                                      ? tr("no run has ended since the window was opened")
                                      : QString());
    Actions::setReason(a.pastRuns,
                       !isOpen ? tr("no workspace is open")
                       : isRunning && !waitsForReview(*m_parts.agent)
                           ? tr("an agent's run is at work; they can be looked at while it waits for you")
                           : QString());
}

void PastRunReplay::enableContinue() {
    const ReplayController &replay = *m_parts.replay;
    const LeftRun &left = m_offers.left();
    const bool isLeft = !replay.isOpen() && m_parts.bench->workspace() && !left.run.isEmpty();
    const QString locked = m_parts.bench->readOnlyReason();
    Actions::setReason(m_parts.actions->continueRun,
                       !replay.isOpen() && !isLeft  ? tr("no past run is open")
                       : m_parts.agent->isRunning() ? tr("an agent's run is going on")
                       : m_parts.bench->isRunning() ? tr("a check is running")
                       : isLeft && left.process     ? runsElsewhereWords(*left.process)
                       : isLeft                     ? locked
                       : hasEnded(*replay.run())    ? tr("this run came to its end")
                       : !AgentName{replay.run()->agentKind, replay.run()->agent}.isAgent()
                           ? tr("its agent, %1, cannot go on").arg(replay.run()->agent)
                           : locked);
}

} // namespace warpwright
