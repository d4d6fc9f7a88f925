// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/measured/counter_controller.h"

#include "app/ide/results/verdict_banner.h"
#include "app/ide/workbench/workbench.h"
#include "toolchain/counters/attached_report.h"
#include "toolchain/counters/collect_stage.h"
#include "toolchain/counters/counter_store.h"
#include "toolchain/history/iteration_folder.h"
#include "toolchain/timeline/timeline_store.h"

#include <QFileInfo>

#include <algorithm>

namespace warpwright {
namespace {

constexpr std::size_t mostOthers = 12; // some megabytes each

QString elapsedText(qint64 seconds) {
    return seconds < 60 ? CounterController::tr("%1 s").arg(seconds)
                        : CounterController::tr("%1 min %2 s").arg(seconds / 60).arg(seconds % 60);
}

} // namespace

CounterController::CounterController(Workbench &bench, QObject *parent) : QObject(parent), m_bench(bench) {
    m_tick.setInterval(1000);
    connect(&m_tick, &QTimer::timeout, this, [this] {
        if (isRunning())
            emit ticked();
        else
            m_tick.stop();
    });
    connect(&bench, &Workbench::shownChanged, this, &CounterController::look);
    connect(&bench, &Workbench::closed, this, [this] {
        if (m_runner.isRunning())
            emit noticed(m_doing == Doing::Tracing ? tr("The trace was stopped")
                                                   : tr("Collecting counters was stopped"),
                         tr("Its workspace was closed before it had ended; nothing of it is kept."));
        stop();
        m_jobs.next();
        m_keepJobs.next();
        m_isLooking = false;
        m_isKeeping = false;
        m_lookedFor.clear();
        m_report.reset();
        m_ofText.reset();
        m_otherSource.reset();
        m_others.clear();
        m_timeline.reset();
        emit countersChanged();
        emit timelineChanged();
    });
    connect(&m_runner, &EvaluationThread::progress, this, [this](const StageProgress &progress) {
        m_progress = progress;
        emit runChanged();
    });
    connect(&m_runner, &EvaluationThread::stopping, this, &CounterController::runChanged);
    connect(&m_runner, &EvaluationThread::collected, this,
            [this](const SharedCounters &counters, const QString &storedAt) {
                m_hasMeasured = true;
                m_report.reset();
                if (storedAt.isEmpty())
                    emit failed(tr("These counters are not kept"),
                                counters->problems.value(counters->problems.size() - 1));
                // Another text may be shown by now: its own stay, and these were kept.
                if (counters->textHash == shownHash())
                    takeOfText(counters);
                emit countersChanged();
            });
    connect(&m_runner, &EvaluationThread::traced, this,
            [this](const Timeline &timeline, const QString &storedAt) {
                m_hasMeasured = true;
                if (storedAt.isEmpty())
                    emit failed(tr("This timeline is not kept"),
                                timeline.problems.value(timeline.problems.size() - 1));
                if (timeline.textHash != shownHash())
                    return;
                m_timeline = timeline;
                emit timelineChanged();
            });
    connect(&m_runner, &EvaluationThread::finished, this, &CounterController::ended);
}

CounterController::~CounterController() = default;

QString CounterController::shownHash() const {
    const Shown &shown = m_bench.shown();
    if (shown.evaluation)
        return stringIn(shown.evaluation->workspace, "textHash");
    const IterationTree &tree = *m_bench.tree();
    const int row = tree.rows.value(shown.iteration, -1);
    return row < 0 ? QString() : tree.records[static_cast<std::size_t>(row)].iteration.textHash;
}

// What was kept of the shown text, if anything.
void CounterController::look() {
    const QString hash = shownHash();
    if (!m_bench.workspace() || hash == m_lookedFor)
        return;
    m_lookedFor = hash;
    const int number = m_jobs.next();
    m_isLooking = true;
    m_ofText.reset();
    m_otherSource.reset();
    m_timeline.reset();
    emit countersChanged();
    emit timelineChanged();
    struct Kept {
        SharedCounters counters;
        SharedCounters other;
        std::optional<Timeline> timeline;
    };
    inPool(
        this,
        [state = m_bench.workspace()->state, hash] {
            const CounterStore store(state);
            auto found = store.latestOf(hash);
            auto other = found ? store.latestOf(hash, found->importedFrom.isEmpty()) : std::nullopt;
            return Kept{found ? makeShared(std::move(*found)) : nullptr,
                        other ? makeShared(std::move(*other)) : nullptr, TimelineStore(state).latestOf(hash)};
        },
        [this, number](Kept &&kept) {
            if (m_jobs.isStale(number))
                return;
            m_isLooking = false;
            // What was measured meanwhile is newer.
            if (kept.counters && !m_ofText) {
                m_ofText = std::move(kept.counters);
                m_otherSource = std::move(kept.other);
            }
            const bool hasTimeline = kept.timeline && !m_timeline;
            if (hasTimeline)
                m_timeline = std::move(kept.timeline);
            emit countersChanged(); // that there are none is news, too
            if (hasTimeline)
                emit timelineChanged();
        });
}

// An imported report hides no collection of ours, nor the other way: both can be shown.
void CounterController::takeOfText(const SharedCounters &counters) {
    if (m_ofText && m_ofText->importedFrom.isEmpty() != counters->importedFrom.isEmpty())
        m_otherSource = m_ofText;
    m_ofText = counters;
}

void CounterController::switchSource() {
    if (!m_otherSource || m_report)
        return;
    std::swap(m_ofText, m_otherSource);
    emit countersChanged();
}

void CounterController::findOthers(std::function<void(std::vector<SharedCounters>)> then) {
    if (!m_bench.workspace())
        return then({});
    inPool(
        this,
        [state = m_bench.workspace()->state, hash = shownHash(), known = m_others] {
            const CounterStore store(state);
            std::vector<SharedCounters> others;
            const QStringList ids = store.ids();
            for (qsizetype i = ids.size() - 1; i >= 0 && others.size() < mostOthers; --i) {
                const auto read = std::find_if(known.begin(), known.end(),
                                               [&](const SharedCounters &one) { return one->id == ids[i]; });
                SharedCounters found = read == known.end() ? nullptr : *read;
                if (!found)
                    if (Result<Counters> loaded = store.load(ids[i]); loaded.hasValue())
                        found = makeShared(std::move(loaded).value());
                if (found && found->textHash != hash)
                    others.push_back(std::move(found));
            }
            return others;
        },
        [this, then = std::move(then)](const std::vector<SharedCounters> &others) {
            m_others = others;
            then(others);
        });
}

QString CounterController::whyNot() const {
    if (isRunning())
        return tr("something is being measured");
    if (m_isKeeping)
        return tr("a report is being kept");
    if (!m_bench.workspace())
        return tr("no workspace is open");
    if (m_bench.isLent())
        return tr("an agent works here: stop it first, or wait for it");
    if (m_bench.isRunning())
        return tr("a check runs: stop it first, or wait for it");
    if (!m_bench.shown().replay.isEmpty())
        return tr("an event of a past run is shown: go back to your text first");
    if (m_bench.workspace()->modelNewFile.isEmpty())
        return tr("there is no candidate yet");
    return {};
}

void CounterController::collect(const CollectRequest &asked) {
    m_title = tr("Cannot collect counters");
    start(asked);
}

void CounterController::trace() {
    m_title = tr("Cannot trace a call");
    start({});
}

QString CounterController::title() const {
    if (isStopping())
        return tr("Stopping");
    switch (doing()) {
    case Doing::Collecting:
        return tr("Counters are being collected");
    case Doing::Tracing:
        return tr("A call is being traced");
    case Doing::Reading:
        return tr("Reading %1").arg(QFileInfo(m_readPath).fileName());
    case Doing::Nothing:
        break;
    }
    return {};
}

QString CounterController::step() const {
    if (!isRunning())
        return {};
    const QString stage = m_progress.stage == QLatin1String("timeline")   ? tr("Tracing")
                          : m_progress.stage == QLatin1String("counters") ? tr("Counting")
                          : m_progress.stage.isEmpty()                    ? QString()
                                                                          : stageWord(m_progress.stage);
    QString what = stage.isEmpty() || m_progress.step.isEmpty()
                       ? stage + m_progress.step
                       : QStringLiteral("%1: %2").arg(stage, stepText(m_progress));
    if (m_progress.wait) // it says its own time
        return what;
    if (m_progress.index > 0)
        what += m_progress.count > 0 ? tr(", %1 of %2").arg(m_progress.index).arg(m_progress.count)
                                     : tr(", launch %1").arg(m_progress.index);
    return QStringLiteral("%1 · %2").arg(what, elapsedText(m_since.elapsed() / 1000));
}

void CounterController::begin(Doing doing, const QString &step) {
    m_doing = doing;
    m_progress = {};
    m_progress.step = step;
    m_since.start();
    m_tick.start();
}

void CounterController::start(const std::optional<CollectRequest> &asked) {
    if (const QString why = whyNot(); !why.isEmpty())
        return emit failed(m_title, why);
    EvaluationRequest request = m_bench.request();
    request.tier = Tier::Quick;
    request.lastStage = LastStage::Verify;
    request.sweepsConfigs = false;
    request.listsKernels = false;
    request.isStored = false;
    request.before.clear();
    request.parent.reset();
    request.collect = asked;
    request.traces = !asked.has_value();
    request.stateFolder = m_bench.workspace()->state;
    EvaluationThread::Preparation prepare;
    if (m_bench.shown().isEarlier) {
        request.iteration = m_bench.shown().iteration;
        prepare = [workspace = *m_bench.workspace()](EvaluationRequest &wanted) {
            const Result<Workspace> earlier = layOutIteration(workspace, wanted.iteration, wanted.folders);
            if (!earlier.hasValue())
                return Result<void>::error(earlier.message());
            wanted.path = earlier.value().folder;
            return Result<void>::ok();
        };
    }
    m_hasMeasured = false;
    begin(asked ? Doing::Collecting : Doing::Tracing, tr("prepare"));
    m_runner.start(request, prepare);
    emit runChanged();
}

void CounterController::ended(const Evaluation &evaluation) {
    emit runChanged();
    if (!m_hasMeasured && evaluation.verdict != Verdict::Cancelled)
        emit failed(m_title, plainText(evaluation.message));
}

void CounterController::openReport(const QString &path) {
    if (isRunning())
        return emit failed(tr("Cannot open the report"),
                           tr("Something is being measured: wait, or stop it."));
    if (m_isKeeping)
        return emit failed(tr("Cannot open the report"), tr("The one that is open is being kept: wait."));
    ToolchainProbe::Request request;
    request.settings = m_bench.settings();
    request.folders = m_bench.folders();
    m_readPath = path;
    begin(Doing::Reading, tr("look for what reads it"));
    m_probe = new Inquiry<ToolchainProbe, Toolchain>(request, this, [this, path](const Toolchain &toolchain) {
        std::exchange(m_probe, nullptr)->deleteLater();
        read(toolchain, path);
    });
    emit runChanged();
}

void CounterController::read(const Toolchain &toolchain, const QString &path) {
    ReportReading reading = reportReading(toolchain, m_bench.settings().python, m_bench.folders(),
                                          QProcessEnvironment::systemEnvironment());
    reading.report = path;
    m_reader = new ReportReader(reading, this);
    const auto over = [this] {
        std::exchange(m_reader, nullptr)->deleteLater();
        emit runChanged();
    };
    connect(m_reader, &ReportReader::progress, this, [this](int done, int count) {
        m_progress.step = tr("launch %1 of %2").arg(done + 1).arg(count);
        emit runChanged();
    });
    connect(m_reader, &ReportReader::finished, this, [this, over](const SharedCounters &counters) {
        m_report = counters;
        m_reportFile = m_reader->file();
        over();
        emit countersChanged();
    });
    connect(m_reader, &ReportReader::failed, this, [this, over](const QString &message) {
        over();
        emit failed(tr("Cannot open the report"), message);
    });
    m_reader->start();
}

void CounterController::closeReport() {
    if (!m_report || m_isKeeping)
        return;
    m_report.reset();
    emit countersChanged();
}

QString CounterController::whyNotAttach() const {
    const Shown &shown = m_bench.shown();
    if (!m_report)
        return tr("no report is open");
    if (m_isKeeping)
        return tr("it is being kept");
    if (isRunning())
        return tr("something is being measured");
    if (!m_bench.readOnlyReason().isEmpty())
        return m_bench.readOnlyReason();
    if (!shown.replay.isEmpty())
        return tr("an event of a past run is shown: go back to your text first");
    if (m_bench.edits() > 0)
        return tr("the text was edited since it was checked: check it first");
    return shown.evaluation && !shown.evaluation->compile.kernels.empty()
               ? QString()
               : tr("no check of this text lists its kernels: check it first");
}

void CounterController::attachReport() {
    if (!m_bench.workspace() || !whyNotAttach().isEmpty())
        return;
    const Shown &shown = m_bench.shown();
    const AttachTarget target{m_bench.workspace()->name, shownHash(), shown.iteration, shown.evaluation->id,
                              shown.evaluation->compile.kernels};
    using Kept = Result<SharedCounters>;
    const int job = m_keepJobs.next();
    m_isKeeping = true;
    emit runChanged();
    inPool(
        this,
        [report = m_report, file = m_reportFile, state = m_bench.workspace()->state, target,
         program = m_bench.request().programVersion] {
            Result<Counters> made = attachedCounters(*report, file.path, file.written, target);
            if (!made.hasValue())
                return Kept::error(made.message());
            Counters counters = std::move(made).value();
            counters.program = program;
            const Result<QString> stored = CounterStore(state).storeWithReport(counters, file);
            return stored.hasValue() ? Kept::ok(makeShared(std::move(counters)))
                                     : Kept::error(stored.message());
        },
        [this, job, hash = target.textHash](const Kept &kept) {
            const bool isOfThisWorkspace = !m_keepJobs.isStale(job);
            if (isOfThisWorkspace) {
                m_isKeeping = false;
                emit runChanged();
            }
            if (!kept.hasValue())
                return emit failed(tr("The report is not kept here"), kept.message());
            if (!isOfThisWorkspace)
                return;
            m_report.reset(); // while it is kept no other one is opened
            // What is shown by now may be newer; the ids sort by time.
            if (hash == shownHash() && (!m_ofText || m_ofText->id < kept.value()->id))
                takeOfText(kept.value());
            emit countersChanged();
        });
}

void CounterController::stop() {
    if (m_runner.isRunning())
        m_runner.stop();
    if (m_reader != nullptr)
        m_reader->cancel();
    if (m_probe != nullptr) {
        std::exchange(m_probe, nullptr)->deleteLater();
        emit runChanged();
    }
}

} // namespace warpwright
