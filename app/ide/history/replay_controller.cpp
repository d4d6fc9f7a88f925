// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/history/replay_controller.h"

#include "agent/record/run_iterations.h"
#include "app/ide/editing/candidate_panel.h"
#include "app/ide/history/past_run_panel.h"
#include "app/ide/history/replay_bar.h"
#include "app/ide/history/run_event_list.h"
#include "toolchain/base/figures.h"

#include <QAction>
#include <QDir>
#include <QFileInfo>

#include <algorithm>
#include <limits>

namespace warpwright {
namespace {

/// A night between two events is not waited for: the same as `wright replay`.
constexpr qint64 longestPauseMs = 5000;
constexpr double leastPauseMs = 500; ///< at a speed below 1, and divided by it
/// As fast as possible: what is seen changes this often.
constexpr int fastestMs = 50;

} // namespace

bool isRecording(const Workbench &bench) {
    return bench.workspace() && QFileInfo(bench.workspace()->folder).absolutePath() ==
                                    QDir::cleanPath(bench.folders().data + QStringLiteral("/recordings"));
}

ReplayController::ReplayController(Places places, QObject *parent)
    : QObject(parent),
      m_bench(places.bench),
      m_candidate(places.candidate),
      m_panel(places.panel),
      m_bar(places.bar) {
    m_pool.setMaxThreadCount(1);
    m_pause.setSingleShot(true);
    connect(&m_pause, &QTimer::timeout, this, &ReplayController::showHeld);
    connect(&m_bar.scrubber(), &ReplayScrubber::moved, this, &ReplayController::goTo);
    connect(&m_bar, &ReplayBar::speedPicked, this, &ReplayController::setSpeed);
    connect(&m_panel.events(), &RunEventList::eventPicked, this, &ReplayController::goTo);
    connect(&m_panel, &PastRunPanel::hunkPicked, this, &ReplayController::goToHunk);
    connect(&m_panel.events().events(), &RunEventModel::failed, this,
            [this](const QString &message) { emit failed(tr("The events cannot be listed"), message); });
    // Whoever shows something else has left the replay: back to the text, another iteration, a branch.
    connect(&m_bench, &Workbench::shownChanged, this, [this] {
        if (m_run && m_number > 0 && m_bench.shown().replay.isEmpty()) {
            m_run.reset();
            leave();
        }
    });
}

ReplayController::~ReplayController() {
    ++*m_epoch; // a long way through a run ends soon
}

void ReplayController::open(const IndexedRun &run, qint64 number) {
    if (!m_bench.workspace())
        return;
    const int epoch = ++*m_epoch;
    m_isPlaying = false;
    m_held.reset();
    m_pause.stop();
    m_wanted.reset();
    m_frames.reset();
    m_tree = makeIterationTree({});
    m_events.clear();
    m_stops.clear();
    m_key.clear();
    m_number = 0;
    m_isBusy = true;
    m_run = run;
    const QString state = m_bench.workspace()->state;
    m_panel.events().events().setRun(state, run.run, run.events);
    m_bar.scrubber().setLast(run.events);
    tellPlace();
    emit opened();
    inPool(
        m_pool, this, [state, id = run.run] { return ReplayFrames::open(state, id); },
        [this, epoch, number](const Result<std::shared_ptr<ReplayFrames>> &frames) {
            if (epoch != *m_epoch)
                return;
            m_isBusy = false;
            if (!frames.hasValue()) {
                emit failed(tr("Cannot open the run"), frames.message());
                leave();
                return;
            }
            m_frames = frames.value();
            want({std::clamp<qint64>(number, 1, std::max<qint64>(1, last())), 0, false});
            list();
        });
}

// The tree and the marks may be long: they come when the first event is in sight.
void ReplayController::list() {
    struct Listed {
        SharedTree tree = makeIterationTree({});
        QHash<int, qint64> events;
        QHash<QString, int> numbers;
        std::vector<RunMark> marks;
        std::vector<qint64> stops;
        QString error;
        int start = 0;
    };
    inPool(
        this,
        [state = m_bench.workspace()->state, run = m_run->run, measured = m_run->startMeasured,
         isOfOthers = isRecording(m_bench)] {
            Listed listed;
            Result<RunIndex> opened = RunIndex::open(state);
            const auto refuse = [&listed](const QString &why) {
                listed.error = why;
                return listed;
            };
            if (!opened.hasValue())
                return refuse(opened.message());
            RunIndex index = std::move(opened).value();
            auto marks = index.marks(run);
            auto rows = index.iterations(run, 0, std::numeric_limits<int>::max());
            if (!marks.hasValue() || !rows.hasValue())
                return refuse(marks.hasValue() ? rows.message() : marks.message());
            listed.marks = std::move(marks).value();
            if (auto stops = index.numbers(run, EventFilter::Stops); stops.hasValue())
                listed.stops = std::move(stops).value();
            std::vector<IterationRecord> records;
            records.reserve(rows.value().size());
            for (const IndexedIteration &row : rows.value()) {
                records.push_back(recordOf(row));
                // Where the tree's verdict is known: before that nothing of it is recorded.
                listed.events.insert(row.iteration.number, std::max(row.event, row.measured));
                listed.numbers.insert(row.iteration.textHash, row.iteration.number);
            }
            addFromHistory(state, run, records);
            for (const IterationRecord &record : records)
                if (!listed.events.contains(record.iteration.number)) { // what it began with
                    listed.start = record.iteration.number;
                    listed.events.insert(record.iteration.number, std::max<qint64>(1, measured));
                    listed.numbers.insert(record.iteration.textHash, record.iteration.number);
                }
            // «you» was whoever recorded it.
            for (IterationRecord &record : records)
                if (isOfOthers && record.iteration.author.kind == AuthorKind::You)
                    record.iteration.author.name = tr("a person");
            listed.tree = makeIterationTree(std::move(records));
            return listed;
        },
        [this, epoch = m_epoch->load()](Listed listed) {
            if (epoch != *m_epoch || !m_run)
                return;
            if (!listed.error.isEmpty())
                emit failed(tr("The iterations of the run cannot be listed"), listed.error);
            m_tree = std::move(listed.tree);
            m_events = std::move(listed.events);
            m_start = listed.start;
            m_stops = std::move(listed.stops);
            m_bar.scrubber().setMarks(std::move(listed.marks));
            m_pool.start(
                [frames = m_frames, numbers = std::move(listed.numbers)] { frames->setNumbers(numbers); });
            emit recordsChanged();
        });
}

void ReplayController::leave() {
    ++*m_epoch;
    m_isPlaying = false;
    m_isBusy = false;
    m_held.reset();
    m_pause.stop();
    m_wanted.reset();
    m_frames.reset();
    m_run.reset();
    m_tree = makeIterationTree({});
    m_events.clear();
    m_stops.clear();
    m_number = 0;
    m_review.reset();
    m_proposalEvent = 0;
    m_isAtHunk = false;
    m_followed = 0;
    m_wantedHunk = 0;
    m_candidate.setReview(nullptr);
    m_panel.events().events().setRun({}, {}, 0);
    m_bar.setPlaying(false);
    if (!m_bench.shown().replay.isEmpty())
        m_bench.backToText();
    emit left();
}

void ReplayController::goTo(qint64 number) {
    if (!m_run)
        return;
    setPlaying(false);
    want({std::clamp<qint64>(number, 1, std::max<qint64>(1, last())), 0, false});
}

void ReplayController::goToIteration(int iteration) {
    if (!m_run || !m_events.contains(iteration))
        return;
    setPlaying(false);
    // No event tells of the one that it began with: that is the text which lies there until then.
    want({m_events.value(iteration), iteration == m_start ? 0 : iteration, false});
}

void ReplayController::goToProposal(const QString &proposal) {
    if (!m_run)
        return;
    using Answer = Result<qint64>;
    inPool(
        this,
        [state = m_bench.workspace()->state, run = m_run->run, proposal] {
            Result<RunIndex> opened = RunIndex::open(state);
            if (!opened.hasValue())
                return Answer::error(opened.message());
            RunIndex index = std::move(opened).value();
            return index.proposalEvent(run, proposal);
        },
        [this, epoch = m_epoch->load()](const Answer &event) {
            if (epoch != *m_epoch)
                return;
            if (!event.hasValue())
                emit failed(tr("The events cannot be listed"), event.message());
            else if (event.value() > 0)
                goTo(event.value());
        });
}

void ReplayController::step(int by) {
    const qint64 from = m_wanted ? m_wanted->number : m_number;
    goTo(from + by);
}

void ReplayController::stepHunk(int by) {
    if (m_review != nullptr)
        m_candidate.goToHunk(m_review->neighbour(m_candidate.currentHunk(), by));
}

bool ReplayController::goToStop(int by) {
    if (m_stops.empty())
        return false;
    const qint64 from = m_wanted ? m_wanted->number : m_number;
    if (by > 0) {
        const auto next = std::upper_bound(m_stops.begin(), m_stops.end(), from);
        goTo(next == m_stops.end() ? last() : *next);
    } else {
        const auto here = std::lower_bound(m_stops.begin(), m_stops.end(), from);
        goTo(here == m_stops.begin() ? 1 : *(here - 1));
    }
    return true;
}

void ReplayController::goToHunk(int hunk) {
    if (m_review != nullptr)
        return m_candidate.goToHunk(hunk);
    if (m_proposalEvent == 0)
        return;
    m_wantedHunk = hunk;
    goTo(m_proposalEvent);
}

// Whoever steps through a run is led to what each event is about.
void ReplayController::followHunk(const ReplayFrame &frame) {
    const int wanted = std::exchange(m_wantedHunk, 0);
    if (m_review == nullptr)
        return;
    if (wanted > 0 || frame.hunk > 0)
        m_candidate.goToHunk(wanted > 0 ? wanted : frame.hunk);
    else if (frame.number == frame.proposalEvent ||
             (frame.isAboutProposal &&
              (m_followed != m_review->proposal || m_review->hunks.count(m_candidate.currentFile()) == 0)))
        m_candidate.goToHunk(m_review->first);
    else
        return;
    m_followed = m_review->proposal;
}

void ReplayController::setSpeed(double speed) {
    m_speed = speed;
    m_bar.setSpeed(speed);
    if (m_held) { // by the new speed its time may have come
        m_pause.stop();
        playOn();
    }
}

void ReplayController::setPlaying(bool isPlaying) {
    if (!m_run || m_isPlaying == isPlaying)
        return;
    m_isPlaying = isPlaying;
    m_held.reset();
    m_pause.stop();
    m_bar.setPlaying(isPlaying);
    if (isPlaying && m_number >= last())
        want({1, 0, false}); // from the beginning, as any player
    else if (isPlaying)
        playOn();
    emit changed();
}

void ReplayController::playOn() {
    if (!m_isPlaying || m_isBusy)
        return;
    if (m_held) {
        const qint64 between = std::clamp<qint64>(m_at.msecsTo(m_held->at), 0, longestPauseMs);
        // Who wants it slower wants to read: also what happened within a moment stands for a while.
        const double least = m_speed < 1 ? leastPauseMs : 0;
        const double stands = m_speed > 0 ? std::max(static_cast<double>(between), least) / m_speed : 0;
        m_pause.start(std::max(0, static_cast<int>(stands) - static_cast<int>(m_shownSince.elapsed())));
        return;
    }
    if (m_number >= last())
        return setPlaying(false);
    begin({m_number + 1, 0, m_speed <= 0, m_bar.stopsAtProposals()->isChecked()});
}

void ReplayController::showHeld() {
    if (!m_held || !m_isPlaying)
        return;
    const ReplayFrame frame = *std::exchange(m_held, {});
    show(frame);
    if (m_bar.stopsAtProposals()->isChecked() && frame.number == frame.proposalEvent)
        return setPlaying(false);
    playOn();
}

void ReplayController::want(const Wanted &wanted) {
    if (m_isBusy || !m_frames) {
        m_wanted = wanted;
        return;
    }
    begin(wanted);
}

void ReplayController::begin(const Wanted &wanted) {
    m_isBusy = true;
    const bool isPlayed = m_isPlaying;
    inPool(
        m_pool, this,
        [frames = m_frames, wanted, last = last(), epochs = m_epoch, epoch = m_epoch->load()] {
            return wanted.isFastest
                       ? frames->onwards(fastestMs, last, wanted.stopsAtProposals)
                       : frames->at(wanted.number, wanted.iteration, [&] { return epochs->load() == epoch; });
        },
        [this, epoch = m_epoch->load(), isPlayed](const ReplayFrame &frame) {
            if (epoch == *m_epoch)
                take(frame, isPlayed);
        });
    tellPlace();
}

void ReplayController::take(const ReplayFrame &frame, bool isPlayed) {
    m_isBusy = false;
    if (m_wanted) { // the person is already elsewhere
        const Wanted wanted = *std::exchange(m_wanted, {});
        begin(wanted);
        return;
    }
    if (!frame.error.isEmpty()) {
        setPlaying(false);
        emit failed(tr("The replay stops here"), frame.error);
    }
    if (isPlayed && !m_isPlaying)
        return tellPlace(); // paused meanwhile: what is seen stays
    if (isPlayed && m_number > 0 && frame.error.isEmpty()) {
        m_held = frame;
        playOn();
        return;
    }
    show(frame);
    playOn();
}

void ReplayController::show(const ReplayFrame &frame) {
    m_number = frame.number;
    m_at = frame.at;
    m_problem = frame.problem;
    m_shownSince.restart();
    m_bar.scrubber().setNumber(frame.number);
    m_panel.show(frame.heading, frame.words, frame.view);
    m_panel.events().setCurrentEvent(frame.number);
    Shown shown = frame.shown;
    shown.replay = tr("event %1 of %2 of the %3").arg(frame.number).arg(last()).arg(runName(m_run->beganAt));
    m_review = frame.review;
    m_proposalEvent = frame.proposalEvent;
    m_isAtHunk = frame.hunk > 0;
    const bool isOther = std::exchange(m_key, frame.key) != frame.key || m_bench.shown().replay.isEmpty();
    m_candidate.setReview(frame.review, isOther);
    if (isOther)
        m_bench.showReplayed(shown);
    followHunk(frame);
    tellPlace();
    emit changed();
}

void ReplayController::tellPlace() {
    if (!m_run)
        return;
    QStringList places;
    if (m_number == 0) {
        places << tr("is being opened");
    } else {
        const QString numbers = tr("%1 of %2").arg(m_number).arg(last());
        const QString event = tr("event %1").arg(numbers);
        const QString more =
            m_isBusy && !m_isPlaying
                ? tr("on the way")
                : tr("%1, read-only").arg(m_at.toLocalTime().toString(QStringLiteral("HH:mm:ss")));
        places << QStringLiteral("%1, %2").arg(event, more) << event << numbers;
    }
    m_bar.setPlace(tr("Replay: %1").arg(runName(m_run->beganAt)), places, m_problem);
}

} // namespace warpwright
