// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/measured/counter_desk.h"

#include "app/ide/workbench.h"
#include "toolchain/counters/collect_stage.h"
#include "toolchain/counters/counter_store.h"
#include "toolchain/iteration_folder.h"
#include "toolchain/timeline/timeline_store.h"

#include <QFileInfo>

namespace warpwright {

CounterDesk::CounterDesk(Workbench &bench, QObject *parent) : QObject(parent), m_bench(bench) {
    connect(&bench, &Workbench::shownChanged, this, &CounterDesk::look);
    connect(&bench, &Workbench::closed, this, [this] {
        stop();
        m_jobs.next();
        m_lookedFor.clear();
        m_report.reset();
        m_ofText.reset();
        m_timeline.reset();
        emit countersChanged();
        emit timelineChanged();
    });
    connect(&m_runner, &EvaluationThread::progress, this, [this](const StageProgress &progress) {
        m_step = progress.step;
        emit runChanged();
    });
    connect(&m_runner, &EvaluationThread::stopping, this, &CounterDesk::runChanged);
    connect(&m_runner, &EvaluationThread::collected, this,
            [this](const SharedCounters &counters, const QString &storedAt) {
                m_hasMeasured = true;
                m_report.reset();
                if (storedAt.isEmpty())
                    emit failed(tr("These counters are not kept"),
                                counters->problems.value(counters->problems.size() - 1));
                // Another text may be shown by now: its own stay, and these were kept.
                if (counters->textHash == shownHash())
                    m_ofText = counters;
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
    connect(&m_runner, &EvaluationThread::finished, this, &CounterDesk::ended);
}

CounterDesk::~CounterDesk() = default;

QString CounterDesk::shownHash() const {
    const Shown &shown = m_bench.shown();
    if (shown.evaluation)
        return stringIn(shown.evaluation->workspace, "textHash");
    const IterationTree &tree = *m_bench.tree();
    const int row = tree.rows.value(shown.iteration, -1);
    return row < 0 ? QString() : tree.records[static_cast<std::size_t>(row)].iteration.textHash;
}

// What was kept of the shown text, if anything.
void CounterDesk::look() {
    const QString hash = shownHash();
    if (!m_bench.workspace() || hash == m_lookedFor)
        return;
    m_lookedFor = hash;
    const int number = m_jobs.next();
    m_ofText.reset();
    m_timeline.reset();
    emit countersChanged();
    emit timelineChanged();
    struct Kept {
        SharedCounters counters;
        std::optional<Timeline> timeline;
    };
    inPool(
        this,
        [state = m_bench.workspace()->state, hash] {
            auto found = CounterStore(state).latestOf(hash);
            return Kept{found ? makeShared(std::move(*found)) : nullptr, TimelineStore(state).latestOf(hash)};
        },
        [this, number](Kept &&kept) {
            if (m_jobs.isStale(number))
                return;
            if (kept.counters) {
                m_ofText = std::move(kept.counters);
                emit countersChanged();
            }
            if (kept.timeline) {
                m_timeline = std::move(kept.timeline);
                emit timelineChanged();
            }
        });
}

void CounterDesk::findOf(int iteration, std::function<void(SharedCounters)> then) {
    const IterationTree &tree = *m_bench.tree();
    const int row = tree.rows.value(iteration, -1);
    if (row < 0 || !m_bench.workspace())
        return then(nullptr);
    inPool(
        this,
        [state = m_bench.workspace()->state,
         hash = tree.records[static_cast<std::size_t>(row)].iteration.textHash]() -> SharedCounters {
            auto found = CounterStore(state).latestOf(hash);
            return found ? makeShared(std::move(*found)) : nullptr;
        },
        std::move(then));
}

QString CounterDesk::whyNot() const {
    if (isRunning())
        return tr("something is being measured");
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

void CounterDesk::collect(const CollectRequest &asked) {
    m_title = tr("Cannot collect counters");
    start(asked);
}

void CounterDesk::trace() {
    m_title = tr("Cannot trace a call");
    start({});
}

void CounterDesk::start(const std::optional<CollectRequest> &asked) {
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
    m_step = tr("prepare");
    m_runner.start(request, prepare);
    emit runChanged();
}

void CounterDesk::ended(const Evaluation &evaluation) {
    m_step.clear();
    emit runChanged();
    if (!m_hasMeasured && evaluation.verdict != Verdict::Cancelled)
        emit failed(m_title, plainText(evaluation.message));
}

void CounterDesk::openReport(const QString &path) {
    if (isRunning())
        return emit failed(tr("Cannot open the report"),
                           tr("Something is being measured: wait, or stop it."));
    ToolchainProbe::Request request;
    request.settings = m_bench.settings();
    request.folders = m_bench.folders();
    m_step = tr("open %1").arg(QFileInfo(path).fileName());
    m_probe = new Inquiry<ToolchainProbe, Toolchain>(request, this, [this, path](const Toolchain &toolchain) {
        std::exchange(m_probe, nullptr)->deleteLater();
        read(toolchain, path);
    });
    emit runChanged();
}

void CounterDesk::read(const Toolchain &toolchain, const QString &path) {
    ReportReading reading = reportReading(toolchain, m_bench.settings().python, m_bench.folders(),
                                          QProcessEnvironment::systemEnvironment());
    reading.report = path;
    m_reader = new ReportReader(reading, this);
    const auto over = [this] {
        std::exchange(m_reader, nullptr)->deleteLater();
        m_step.clear();
        emit runChanged();
    };
    connect(m_reader, &ReportReader::progress, this, [this](int done, int count) {
        m_step = tr("read launch %1 of %2").arg(done + 1).arg(count);
        emit runChanged();
    });
    connect(m_reader, &ReportReader::finished, this, [this, over](const SharedCounters &counters) {
        m_report = counters;
        over();
        emit countersChanged();
    });
    connect(m_reader, &ReportReader::failed, this, [this, over](const QString &message) {
        over();
        emit failed(tr("Cannot open the report"), message);
    });
    m_reader->start();
}

void CounterDesk::closeReport() {
    if (!m_report)
        return;
    m_report.reset();
    emit countersChanged();
}

void CounterDesk::stop() {
    if (m_runner.isRunning())
        m_runner.stop();
    if (m_reader != nullptr)
        m_reader->cancel();
    if (m_probe != nullptr) {
        std::exchange(m_probe, nullptr)->deleteLater();
        m_step.clear();
        emit runChanged();
    }
}

} // namespace warpwright
