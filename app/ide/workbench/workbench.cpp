// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/workbench/workbench.h"

#include "agent/session/applied_text.h"
#include "toolchain/base/figures.h"
#include "toolchain/base/text_file.h"
#include "toolchain/evaluation/evaluation_store.h"
#include "toolchain/evaluation/summary_evaluation.h"
#include "toolchain/history/iteration_store.h"
#include "toolchain/history/recent_workspaces.h"
#include "toolchain/workspace/candidate_files.h"

namespace warpwright {
namespace {

QString folderOf(const Workspace &workspace) {
    return workspace.isLoneFile ? workspace.modelFile : workspace.folder;
}

std::optional<Evaluation> newestEvaluation(const QString &state, const IterationRecord *record) {
    if (record == nullptr || record->evaluations.isEmpty())
        return std::nullopt;
    Result<Evaluation> loaded = EvaluationStore(state).load(record->evaluations.last());
    return loaded.hasValue() ? std::optional(std::move(loaded).value()) : std::nullopt;
}

} // namespace

struct Workbench::Opening {
    QString error;
    Workspace workspace;
    std::shared_ptr<WorkspaceLock> lock;
    QString readOnlyReason;
    SharedTree tree = makeIterationTree({});
    QString historyProblem;
    QString finished; ///< what a dead program had left half done, in a sentence
    Shown shown;
    int live = 0;
    bool differs = false;
};

Workbench::Workbench(DataFolders folders, QString programVersion, QObject *parent)
    : QObject(parent),
      m_folders(std::move(folders)),
      m_programVersion(std::move(programVersion)),
      m_live([this] { return request(); }) {
    connect(&m_live, &LiveCompile::changed, this, &Workbench::compiledTextChanged);
    connect(&m_runner, &EvaluationThread::progress, this, [this](const StageProgress &progress) {
        if (progress.step != m_progress.step || progress.stage != m_progress.stage)
            emit logged(QStringLiteral("%1: %2").arg(progress.stage, progress.step));
        m_progress = progress;
        emit runChanged();
    });
    connect(&m_runner, &EvaluationThread::stageEnded, this,
            [this](const QString &stage, StageStatus status, double seconds) {
                m_passedStages << tr("%1 %2").arg(stage, durationText(seconds));
                emit logged(tr("%1 %2 after %3").arg(stage, statusName(status), durationText(seconds)));
                emit runChanged();
            });
    connect(&m_runner, &EvaluationThread::stopping, this, &Workbench::runChanged);
    connect(&m_runner, &EvaluationThread::compiled, this, &Workbench::runCompiled);
    connect(&m_runner, &EvaluationThread::finished, this, &Workbench::runEnded);
}

namespace {

MeasuredFigures figuresOf(const EvaluationSummary &summary) {
    MeasuredFigures figures = measuredFigures(evaluationOfSummary(summary));
    figures.device.name = summary.device;
    figures.eager = summary.eager;
    if (summary.sameClass && summary.sameClass->arm == QLatin1String("compile"))
        figures.compile = summary.sameClass;
    else
        figures.sameClass = summary.sameClass;
    if (!summary.candidate)
        return figures;
    figures.verify.status = StageStatus::Passed; // only what is right is timed
    figures.profile = StageStatus::Passed;
    const ArmTiming &time = *summary.candidate;
    ArmFigures arm;
    arm.name = QStringLiteral("candidate");
    arm.label = armLabel(arm.name);
    arm.medianMicroseconds = time.medianMicroseconds;
    arm.lowMicroseconds = time.lowMicroseconds;
    arm.highMicroseconds = time.highMicroseconds;
    arm.samples = time.samples;
    arm.isLive = time.isLive;
    // Of the baselines only the speed-ups are kept, which say their times.
    for (const std::optional<SpeedUp> &speedUp : {summary.eager, summary.sameClass}) {
        if (!speedUp || figures.arm(speedUp->arm) != nullptr)
            continue;
        ArmFigures baseline;
        baseline.name = speedUp->arm;
        baseline.label = armLabel(baseline.name);
        baseline.medianMicroseconds = time.medianMicroseconds * speedUp->value;
        baseline.lowMicroseconds = time.medianMicroseconds * speedUp->low;
        baseline.highMicroseconds = time.medianMicroseconds * speedUp->high;
        baseline.isDerived = true;
        figures.arms.push_back(baseline);
    }
    figures.arms.push_back(arm);
    figures.times = timeScaleOf(time.medianMicroseconds, time.lowMicroseconds, time.highMicroseconds);
    return figures;
}

} // namespace

Shown Workbench::shownWithEvaluation(const QString &state, const QString &evaluation,
                                     const std::optional<EvaluationSummary> &summary) {
    Shown shown;
    if (evaluation.isEmpty())
        return shown;
    Result<Evaluation> loaded = EvaluationStore(state).load(evaluation);
    if (!loaded.hasValue()) { // removed since, or a recording, which ships without
        if (summary) {
            shown.isSummary = true;
            shown.evaluation = evaluationOfSummary(*summary);
            shown.figures = figuresOf(*summary);
            shown.compileLog = tr("What the compilers said of this text was not kept.");
        }
        return shown;
    }
    shown.evaluation = std::move(loaded).value();
    shown.figures = measuredFigures(*shown.evaluation);
    const Result<QByteArray> log =
        readTextFile(state + QStringLiteral("/evaluations/") + evaluation + QStringLiteral(".log"));
    if (log.hasValue())
        shown.compileLog = QString::fromUtf8(log.value());
    return shown;
}

Shown Workbench::loadShown(const QString &state, const IterationTree &tree, int number, bool isEarlier) {
    Shown shown;
    const IterationRecord *record = tree.byNumber(number);
    shown.iteration = record != nullptr ? number : 0;
    shown.isEarlier = isEarlier;
    shown.evaluation = newestEvaluation(state, record);
    if (shown.evaluation) {
        shown.figures = measuredFigures(*shown.evaluation);
        const Result<QByteArray> log = readTextFile(state + QStringLiteral("/evaluations/") +
                                                    shown.evaluation->id + QStringLiteral(".log"));
        if (log.hasValue())
            shown.compileLog = QString::fromUtf8(log.value());
        if (const Result<CandidateTexts> texts = IterationStore(state).texts(number); texts.hasValue())
            shown.configs = statedConfigs(texts.value());
    }
    if (record != nullptr)
        shown.parentEvaluation = newestEvaluation(state, tree.byNumber(record->iteration.parent));
    return shown;
}

void Workbench::open(const QString &path) {
    close();
    const int job = m_jobs.next();
    inPool(
        this,
        [path, folders = m_folders] {
            Opening opening;
            const Result<Workspace> opened = Workspace::open(path, folders);
            if (!opened.hasValue()) {
                opening.error = opened.message();
                return opening;
            }
            opening.workspace = opened.value();
            const QString &state = opening.workspace.state;
            opening.lock = std::make_shared<WorkspaceLock>(state);
            if (opening.lock->take() == WorkspaceLock::State::HeldByOther)
                opening.readOnlyReason = opening.lock->message();
            if (const auto finished = finishInterrupted(opening.workspace, *opening.lock);
                !finished.hasValue())
                opening.historyProblem = finished.message();
            else if (opening.finished = finished.value(); !opening.finished.isEmpty())
                if (Result<Workspace> again = Workspace::open(path, folders); again.hasValue())
                    opening.workspace = std::move(again).value(); // files have come or gone
            const IterationStore store(state);
            Result<std::vector<IterationRecord>> records = store.list();
            if (records.hasValue())
                opening.tree = makeIterationTree(std::move(records).value());
            else
                opening.historyProblem = records.message();
            opening.live = store.current();
            if (const Result<CandidateTexts> texts = readCandidateTexts(opening.workspace);
                texts.hasValue()) {
                const QString hash = textHashOf(texts.value());
                const IterationRecord *current = opening.tree->byNumber(opening.live);
                opening.differs = current != nullptr && current->iteration.textHash != hash;
                // The text of some other iteration was put back by hand: then it is that one.
                for (const IterationRecord &record : opening.tree->records)
                    if (opening.differs && record.iteration.textHash == hash) {
                        opening.live = record.iteration.number;
                        opening.differs = false;
                    }
            }
            opening.shown = loadShown(state, *opening.tree, opening.live, false);
            return opening;
        },
        [this, job](Opening opening) {
            if (m_jobs.isStale(job))
                return;
            adopt(std::move(opening));
        });
}

void Workbench::adopt(Opening &&opening) {
    if (!opening.error.isEmpty()) {
        emit failed(tr("Cannot open the workspace"), opening.error);
        return;
    }
    m_workspace = std::move(opening.workspace);
    m_lock = std::move(opening.lock);
    m_readOnlyReason = opening.readOnlyReason;
    m_tree = std::move(opening.tree);
    m_shown = std::move(opening.shown);
    m_liveIteration = opening.live;
    m_edits = opening.differs ? 1 : 0;
    inPool(
        this,
        [folders = m_folders, path = folderOf(*m_workspace)] {
            return RecentWorkspaces(folders).opened(path);
        },
        [](const Result<void> &) {}); // a list that could not be kept is no reason to disturb anybody
    emit opened();
    emit iterationsChanged();
    emit shownChanged();
    if (!m_readOnlyReason.isEmpty())
        emit noticed(tr("Opened read-only"), m_readOnlyReason);
    else if (m_lock->state() == WorkspaceLock::State::Failed)
        emit noticed(tr("Opened without a lock"), m_lock->message());
    if (!opening.finished.isEmpty())
        emit noticed(tr("Finished what had broken off"), opening.finished);
    if (!opening.historyProblem.isEmpty())
        emit failed(tr("The history cannot be read"), opening.historyProblem);
}

void Workbench::close() {
    m_jobs.next();
    m_treeJobs.next();
    if (!m_workspace)
        return;
    stop();
    m_workspace.reset();
    m_live.forget();
    m_isLent = false;
    m_lock.reset();
    m_readOnlyReason.clear();
    m_tree = makeIterationTree({});
    m_shown = {};
    m_liveIteration = 0;
    m_edits = 0;
    emit closed();
    emit iterationsChanged();
    emit shownChanged();
}

void Workbench::refreshFiles() {
    if (!m_workspace)
        return;
    inPool(
        this, [path = folderOf(*m_workspace), folders = m_folders] { return Workspace::open(path, folders); },
        [this, job = m_filesJobs.next()](const Result<Workspace> &opened) {
            if (m_filesJobs.isStale(job))
                return; // files have other names by now
            if (!opened.hasValue()) {
                emit failed(tr("Cannot read the workspace"), opened.message());
                return;
            }
            if (m_workspace && m_workspace->folder == opened.value().folder) {
                m_workspace = opened.value();
                emit filesChanged();
            }
        });
}

void Workbench::setEdits(int edits) {
    if (m_edits == edits)
        return;
    m_edits = edits;
    if (!m_shown.isEarlier)
        emit runChanged();
}

void Workbench::lend(bool isLent) {
    if (!m_workspace || std::exchange(m_isLent, isLent) == isLent || !m_lock)
        return;
    // The session of an agent takes it itself, as `wright tune` does.
    if (isLent)
        m_lock->release();
    else
        m_lock->take();
    emit runChanged();
}

void Workbench::followRun(int iteration) {
    if (!m_workspace)
        return;
    if (iteration > 0) {
        m_liveIteration = iteration; // how far the text differs from it, setEdits() is told
        m_live.forget();
        refreshFiles(); // a run makes files, and takes some away
    }
    // Also under an earlier one: the way back leads to the text of now.
    reloadIterations(m_shown.isEarlier ? m_shown.iteration : m_liveIteration, m_shown.isEarlier,
                     std::nullopt);
}

EvaluationRequest Workbench::request() const {
    EvaluationRequest request;
    request.path = m_workspace ? folderOf(*m_workspace) : QString();
    request.settings = m_settings;
    request.folders = m_folders;
    request.programVersion = m_programVersion;
    request.isForWindow = true;
    request.judgeProgram = qEnvironmentVariable("WARPWRIGHT_JUDGE");
    request.judgeSilenceMs = qEnvironmentVariableIntValue("WARPWRIGHT_JUDGE_SILENCE_MS");
    return request;
}

void Workbench::reloadIterations(int showNumber, bool isEarlier, const std::optional<Evaluation> &known) {
    if (!m_workspace)
        return;
    // What a person has picked comes all the same: of the history alone is read then.
    const int job = isPicking() ? -1 : m_jobs.next();
    struct Loaded {
        SharedTree tree = makeIterationTree({});
        QString problem;
        Shown shown;
    };
    inPool(
        this,
        [workspace = *m_workspace, showNumber, isEarlier, texts = m_shown.texts, known] {
            const QString &state = workspace.state;
            Loaded loaded;
            Result<std::vector<IterationRecord>> records = IterationStore(state).list();
            if (records.hasValue())
                loaded.tree = makeIterationTree(std::move(records).value());
            else
                loaded.problem = records.message();
            loaded.shown = loadShown(state, *loaded.tree, showNumber, isEarlier);
            if (isEarlier)
                loaded.shown.texts = texts;
            // What could not be stored or was stopped is still shown.
            if (known && !isEarlier &&
                (!loaded.shown.evaluation || loaded.shown.evaluation->id < known->id)) {
                loaded.shown.evaluation = known;
                loaded.shown.figures = measuredFigures(*known);
                if (const auto now = readCandidateTexts(workspace); now.hasValue())
                    loaded.shown.configs = statedConfigs(now.value());
            }
            return loaded;
        },
        [this, job, treeJob = m_treeJobs.next(), isEarlier](Loaded loaded) {
            if (m_treeJobs.isStale(treeJob) || !m_workspace)
                return;
            if (loaded.problem.isEmpty())
                m_tree = std::move(loaded.tree);
            else
                emit failed(tr("The history cannot be read"), loaded.problem);
            const bool isShown = !m_jobs.isStale(job);
            // A replay goes on over whatever a check or a terminal adds to the history.
            if (isShown && (!isEarlier || m_shown.replay.isEmpty()))
                m_shown = std::move(loaded.shown);
            emit iterationsChanged();
            if (isShown)
                emit shownChanged();
            else if (!isPicking() && !m_shown.isEarlier)
                backToText(); // it has gone on since that was picked
        });
}

void Workbench::showIteration(int number) {
    if (!m_workspace)
        return;
    if (number == m_liveIteration && m_edits == 0) {
        backToText();
        return;
    }
    const int job = m_picked = m_jobs.next();
    struct Loaded {
        Shown shown;
        QString error;
    };
    inPool(
        this,
        [state = m_workspace->state, tree = m_tree, number] {
            Loaded loaded{loadShown(state, *tree, number, true), {}};
            Result<CandidateTexts> texts = IterationStore(state).texts(number);
            if (texts.hasValue())
                loaded.shown.texts = std::move(texts).value();
            else
                loaded.error = texts.message();
            return loaded;
        },
        [this, job](Loaded loaded) {
            if (m_jobs.isStale(job) || !m_workspace)
                return;
            m_picked = -1;
            if (!loaded.error.isEmpty()) {
                emit failed(tr("Cannot show this iteration"), loaded.error);
                return m_shown.isEarlier ? void() : backToText(); // it may have gone on meanwhile
            }
            m_shown = std::move(loaded.shown);
            emit shownChanged();
        });
}

void Workbench::backToText() {
    if (!m_workspace)
        return;
    const int job = m_picked = m_jobs.next();
    inPool(
        this,
        [state = m_workspace->state, tree = m_tree, number = m_liveIteration] {
            return loadShown(state, *tree, number, false);
        },
        [this, job, tree = m_tree](Shown shown) {
            if (m_jobs.isStale(job) || !m_workspace)
                return;
            m_picked = -1;
            if (tree != m_tree) // the text has gone on meanwhile, or was measured
                return backToText();
            m_shown = std::move(shown);
            emit shownChanged();
        });
}

void Workbench::showReplayed(const Shown &shown) {
    if (!m_workspace)
        return;
    m_jobs.next();
    m_shown = shown;
    emit shownChanged();
}

void Workbench::branchFromShown() {
    if (!m_workspace || !m_shown.isEarlier || isRunning() || !m_readOnlyReason.isEmpty())
        return;
    inPool(
        this,
        [workspace = *m_workspace, texts = m_shown.texts, parent = m_liveIteration,
         number = m_shown.iteration, replay = m_shown.replay] {
            using Answer = Result<int>;
            const IterationStore store(workspace.state);
            // What lies there now must not be lost: it becomes an iteration of its own, unless it is one.
            const Result<CandidateTexts> now = readCandidateTexts(workspace);
            if (!now.hasValue())
                return Answer::error(now.message());
            if (const auto kept = store.commit(now.value(), parent, Author{}); !kept.hasValue())
                return Answer::error(kept.message());
            // A text of a replay may be none that the history has: between two iterations, or of a history
            // that was begun anew.
            int from = number;
            if (const Result<CandidateTexts> known = store.texts(number);
                !known.hasValue() || known.value() != texts) {
                const auto made = store.commit(texts, known.hasValue() ? number : 0, Author{},
                                               tr("Text at %1").arg(replay));
                if (!made.hasValue())
                    return Answer::error(made.message());
                from = made.value().iteration.number;
            }
            const auto put = CandidateFiles(workspace.folder, workspace.state).put(texts);
            if (!put.hasValue())
                return Answer::error(put.message());
            const Result<void> set = store.setCurrent(from);
            return set.hasValue() ? Answer::ok(from) : Answer::error(set.message());
        },
        [this, texts = m_shown.texts](const Result<int> &done) {
            if (!done.hasValue()) {
                emit failed(tr("Cannot branch from here"), done.message());
                return;
            }
            const int number = done.value();
            m_liveIteration = number;
            m_edits = 0;
            m_live.forget();
            emit branched(texts);
            refreshFiles();
            reloadIterations(number, false, std::nullopt);
        });
}

} // namespace warpwright
