// SPDX-License-Identifier: GPL-3.0-or-later
// Past runs in the window: their page, and the replay of one.
#include "agent/factory/agent_by_name.h"
#include "agent/record/live_run.h"
#include "app/ide/agent/agent_desk.h"
#include "app/ide/agent/agent_event_model.h"
#include "app/ide/agent/agent_panel.h"
#include "app/ide/agent/answers_out.h"
#include "app/ide/editing/candidate_panel.h"
#include "app/ide/history/iterations_panel.h"
#include "app/ide/history/past_run_panel.h"
#include "app/ide/history/past_runs_models.h"
#include "app/ide/history/past_runs_page.h"
#include "app/ide/history/replay_bar.h"
#include "app/ide/history/replay_desk.h"
#include "app/ide/history/run_event_list.h"
#include "app/ide/kit/actions.h"
#include "app/ide/kit/notices.h"
#include "app/ide/layout/dock.h"
#include "app/ide/layout/top_bar.h"
#include "app/ide/measured/profile_panel.h"
#include "app/ide/shell/main_window.h"
#include "widgets/frame/toasts.h"

#include <QFileInfo>
#include <QShortcut>
#include <QStackedWidget>

namespace warpwright {
namespace {

/// It does nothing by itself, so that what was before it can be looked up meanwhile.
bool waitsForReview(const AgentDesk &agent) {
    const Session *session = agent.session();
    return session != nullptr && session->mode() == SessionMode::Review &&
           session->state() == SessionState::AwaitingReview && session->review() != nullptr &&
           agent.asker().isEmpty();
}

} // namespace

void MainWindow::buildRuns() {
    m_runsPage = new PastRunsPage(m_look, this);
    m_pages->addWidget(m_runsPage);
    m_replay = new ReplayDesk({*m_bench, *m_candidate, *m_pastRun, *m_replayBar}, this);
    const auto on = [this](QAction *action, auto what) {
        connect(action, &QAction::triggered, this, what);
    };
    on(m_actions->pastRuns, [this] {
        m_runsPage->open(m_bench->workspace()->state);
        showPage(m_runsPage);
    });
    on(m_actions->openRun, [this] { openLastRun(); });
    on(m_actions->replayPlay, [this] { m_replay->setPlaying(!m_replay->isPlaying()); });
    on(m_actions->replayBack, [this] { m_replay->step(-1); });
    on(m_actions->replayForward, [this] { m_replay->step(1); });
    on(m_actions->nextHunk, [this] { m_replay->stepHunk(1); });
    on(m_actions->previousHunk, [this] { m_replay->stepHunk(-1); });
    // In place of those of a review, which are off meanwhile.
    for (QAction *answer : {m_actions->acceptHunk, m_actions->rejectHunk, m_actions->editHunk,
                            m_actions->acceptAllHunks, m_actions->rejectAllHunks, m_actions->acceptHunkOnly,
                            m_actions->rejectHunkOnly, m_actions->undoDecision}) {
        auto *key = new QShortcut(this);
        key->setEnabled(false);
        connect(key, &QShortcut::activated, this, [this] {
            m_toasts->show(newsNotice(
                tr("This is a recording"),
                tr("Its hunks were answered when it ran, and nothing is answered here. «Branch» goes on from "
                   "the text that is shown.")));
        });
        connect(m_replay, &ReplayDesk::opened, key, [key, answer] {
            key->setKey(answer->shortcut());
            key->setEnabled(true);
        });
        connect(m_replay, &ReplayDesk::left, key, [key] { key->setEnabled(false); });
    }
    on(m_actions->continueRun, [this] {
        const QString run = m_replay->isOpen() ? m_replay->run()->run : m_left.run;
        // What was typed is saved first: it becomes an iteration of the person's.
        const auto goOn = [this, run](bool isSaved) {
            if (!isSaved || run.isEmpty())
                return;
            if (m_replay->isOpen())
                m_replay->leave();
            m_agentDock->reveal();
            m_agent->continueRun(run);
        };
        takeAnswersOut(*m_candidate, *m_bench, run, this, [this, goOn] { m_candidate->saveAll(goOn); });
    });
    connect(m_runsPage, &PastRunsPage::closed, this, &MainWindow::backToWork);
    connect(m_runsPage, &PastRunsPage::runPicked, this, [this](const IndexedRun &run, qint64 event) {
        showPage(m_workPage);
        if (m_agent->isRunning() && !waitsForReview(*m_agent))
            return sayTrouble(tr("The past run is not opened"),
                              tr("The agent's run has gone on meanwhile. Open it when that waits for you."));
        m_replay->open(run, event);
    });
    connect(&m_pastRun->events(), &RunEventList::playAsked, m_actions->replayPlay, &QAction::trigger);
    connect(&m_replayBar->scrubber(), &ReplayScrubber::playAsked, m_actions->replayPlay, &QAction::trigger);
    connect(&m_pastRun->events(), &RunEventList::pageAsked, &m_replayBar->scrubber(), &ReplayScrubber::page);
    connect(m_bench, &Workbench::branched, this, [this] {
        const Shown &shown = m_bench->shown();
        if (!shown.replay.isEmpty())
            m_toasts->show(newsNotice(
                tr("Branched"), tr("The text at %1 is iteration %2 and lies in \"%3\" now. What lay there "
                                   "before is kept among the iterations. Check it, or let an agent go on "
                                   "from it.")
                                    .arg(shown.replay)
                                    .arg(m_bench->liveIteration())
                                    .arg(m_bench->workspace()->folder)));
    });
    connect(m_replay, &ReplayDesk::failed, this, &MainWindow::sayTrouble);
    connect(m_replay, &ReplayDesk::opened, this, [this] {
        m_agentStack->setCurrentWidget(m_pastRun);
        m_agentDock->show();
        m_replayBar->show();
        m_replayBar->scrubber().setFocus(); // arrows and a presenter's keys go through the run at once
        enableActions();
    });
    // Its numbers are of another machine than the one that the device button names.
    connect(m_bench, &Workbench::opened, this, [this] {
        m_topBar->setRecordedOn({});
        if (!isRecording(*m_bench))
            return;
        inPool(
            this,
            [name = QFileInfo(m_bench->workspace()->folder).fileName(),
             resources = m_bench->folders().resources] {
                QString device;
                for (const Recording &recording : listRecordings(resources))
                    if (recording.name == name)
                        device = recording.device;
                return device;
            },
            [this, folder = m_bench->workspace()->folder](const QString &device) {
                if (m_bench->workspace() && m_bench->workspace()->folder == folder)
                    m_topBar->setRecordedOn(device);
            });
    });
    connect(m_bench, &Workbench::closed, this, [this] { m_topBar->setRecordedOn({}); });
    connect(m_replay, &ReplayDesk::left, this, [this] {
        m_agentStack->setCurrentWidget(m_agentPanel);
        m_replayBar->hide();
        showRecords();
        enableActions();
        if (m_agent->isRunning())
            m_agent->showReview();
        else
            m_actions->setNoReview(tr("no proposal is under review"));
    });
    connect(m_replay, &ReplayDesk::recordsChanged, this, &MainWindow::showRecords);
    connect(m_replay, &ReplayDesk::changed, this, &MainWindow::enableReplay);
    connect(m_replay, &ReplayDesk::changed, this, [this] {
        if (m_replay->isOpen())
            m_profile->showHunks(m_replay->review() != nullptr ? m_replay->review()->contributions
                                                               : HunkContributions());
    });
    connect(m_replay, &ReplayDesk::left, this, [this] { m_profile->showHunks({}); });
    // A run that works has the pane for itself.
    connect(m_agent, &AgentDesk::runChanged, this, [this] {
        if (m_agent->isRunning() && !waitsForReview(*m_agent) && m_replay->isOpen())
            m_replay->leave();
        if (m_agent->isRunning())
            m_left = {};
        else
            lookForLeftRun();
    });
    connect(m_iterations, &IterationsPanel::picked, this, &MainWindow::showIteration);
    connect(m_profile, &ProfilePanel::hunkPicked, m_replay, &ReplayDesk::goToHunk);
}

void MainWindow::showIteration(int number) {
    if (m_replay->isOpen())
        m_replay->goToIteration(number);
    else
        m_bench->showIteration(number);
}

// At its end, which sums it up.
void MainWindow::openLastRun() {
    using Answer = Result<std::optional<IndexedRun>>;
    inPool(
        this,
        [state = m_bench->workspace()->state, id = m_agent->lastRun()] {
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
        [this, folder = m_bench->workspace()->folder](const Answer &found) {
            if (!m_bench->workspace() || m_bench->workspace()->folder != folder || m_agent->isRunning())
                return;
            if (!found.hasValue() || !found.value())
                return sayTrouble(tr("Cannot open the run"),
                                  found.hasValue()
                                      ? tr("It is not of this workspace. Open its own one first.")
                                      : found.message());
            showPage(m_workPage);
            m_replay->open(*found.value(), found.value()->events);
        });
}

void MainWindow::openRecording(const QString &name) {
    using Answer = Result<OpenedRecording>;
    inPool(
        this,
        [name, folders = m_bench->folders()] {
            for (const Recording &recording : listRecordings(folders.resources))
                if (recording.name == name)
                    return openRecordingCopy(recording, folders.data);
            return Answer::error(QStringLiteral("There is no recording \"%1\".").arg(name));
        },
        [this](const Answer &opened) {
            if (!opened.hasValue())
                return sayTrouble(tr("Cannot open the recording"), opened.message());
            m_recordingToPlay = opened.value();
            openWorkspace(opened.value().folder);
        });
}

// Its text is in the editors now: the run can be shown over it, from its first event on.
void MainWindow::playOpenedRecording() {
    const std::optional<OpenedRecording> recording = std::exchange(m_recordingToPlay, std::nullopt);
    if (!recording || !m_bench->workspace() ||
        QFileInfo(m_bench->workspace()->folder) != QFileInfo(recording->folder))
        return;
    using Answer = Result<std::vector<IndexedRun>>;
    inPool(
        this,
        [state = m_bench->workspace()->state] {
            Result<RunIndex> opened = RunIndex::open(state);
            if (!opened.hasValue())
                return Answer::error(opened.message());
            RunIndex index = std::move(opened).value();
            return index.runs();
        },
        [this, recording = *recording](const Answer &runs) {
            if (!runs.hasValue())
                return sayTrouble(tr("Cannot open the recording"), runs.message());
            for (const IndexedRun &run : runs.value())
                if (run.run == recording.run) {
                    m_replay->open(run);
                    m_toasts->show(
                        newsNotice(tr("The recording"), tr("It lies in \"%1\". Play it above, or pick an "
                                                           "event at the right; «Branch» goes on "
                                                           "from what is shown.")
                                                            .arg(recording.folder)));
                    return;
                }
        });
}

void MainWindow::showRecords() {
    const SharedTree tree = shownTree();
    m_iterations->setTree(tree);
    m_profile->showTree(tree);
    const int first = m_agent == nullptr ? 0 : m_agent->measuredFirst();
    m_iterations->setChecked(tree != m_bench->tree() ? 0
                             : first > 0             ? first
                                                     : m_bench->checkedIteration(),
                             first > 0);
    showBanner(); // it says how many there are
}

SharedTree MainWindow::shownTree() const {
    const bool isReplay = m_replay != nullptr && m_replay->isOpen() && !m_replay->records().empty();
    return isReplay ? m_replay->tree() : m_bench->tree();
}

void MainWindow::enableReplay() {
    const bool isOpen = m_replay != nullptr && m_replay->isOpen();
    const QString none = tr("no past run is open");
    const bool isLeft = !isOpen && m_bench->workspace() && !m_left.run.isEmpty();
    if (isOpen) {
        m_actions->setNoReview(tr("this is a recording: its hunks were answered when it ran"));
        for (QAction *step : {m_actions->nextHunk, m_actions->previousHunk})
            Actions::setReason(step,
                               m_replay->review() != nullptr ? QString() : tr("no proposal is shown here"));
    }
    m_actions->backToText->setText(isOpen ? tr("Leave the replay") : tr("Back to my text"));
    Actions::setReason(m_actions->replayPlay, isOpen ? QString() : none);
    Actions::setReason(m_actions->replayBack, !isOpen                   ? none
                                              : m_replay->number() <= 1 ? tr("this is the first event")
                                                                        : QString());
    Actions::setReason(m_actions->replayForward, !isOpen ? none
                                                 : m_replay->number() >= m_replay->last()
                                                     ? tr("this is the last event")
                                                     : QString());
    const QString locked = m_bench->readOnlyReason();
    Actions::setReason(m_actions->continueRun,
                       !isOpen && !isLeft           ? none
                       : m_agent->isRunning()       ? tr("an agent's run is going on")
                       : m_bench->isRunning()       ? tr("a check is running")
                       : isLeft && m_left.process   ? runsElsewhereWords(*m_left.process)
                       : isLeft                     ? locked
                       : hasEnded(*m_replay->run()) ? tr("this run came to its end")
                       : !AgentName{m_replay->run()->agentKind, m_replay->run()->agent}.isAgent()
                           ? tr("its agent, %1, cannot go on").arg(m_replay->run()->agent)
                           : locked);
    // The same run can be gone on with and looked through.
    const bool canGoOn = !m_left.run.isEmpty() && m_left.run == m_agent->lastRun();
    m_actions->openRun->setText(canGoOn ? tr("Replay this run so far") : tr("Open the run that has ended"));
    Actions::setReason(m_actions->openRun, !m_bench->workspace()  ? tr("no workspace is open")
                                           : m_agent->isRunning() ? tr("an agent's run is going on")
                                           : m_agent->lastRun().isEmpty()
                                               ? tr("no run has ended since the window was opened")
                                               : QString());
    Actions::setReason(m_actions->pastRuns,
                       !m_bench->workspace() ? tr("no workspace is open")
                       : m_agent->isRunning() && !waitsForReview(*m_agent)
                           ? tr("an agent's run is at work; they can be looked at while it waits for you")
                           : QString());
}

} // namespace warpwright
