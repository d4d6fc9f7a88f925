// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/tasks/task_bench.h"

#include "agent/tasks/task_results_file.h"

#include <QFileInfo>
#include <QTimer>

#include <algorithm>

namespace warpwright {
namespace {

/// The first task of a run may have to wait until the judge is built, which is no part of tuning it.
constexpr double minutesToBuild = 10;

} // namespace

TaskBench::TaskBench(TaskBenchRequest request, QObject *parent)
    : QObject(parent), m_request(std::move(request)) {}

TaskBench::~TaskBench() = default;

void TaskBench::start() {
    std::vector<TaskResult> known;
    if (QFileInfo::exists(m_request.resultsFile)) {
        const Result<std::vector<TaskResult>> rows = readTaskResults({m_request.resultsFile});
        if (!rows.hasValue()) {
            emit failed(rows.message());
            return;
        }
        known = rows.value();
    }
    if (!known.empty() && !m_request.resumes) {
        emit failed(
            QStringLiteral("Cannot write rows to \"%1\": it holds %2 already. Go on with --resume, or name "
                           "another folder with --out.")
                .arg(m_request.resultsFile)
                .arg(known.size()));
        return;
    }
    for (const TaskResult &row : known)
        if (const QString why = row.settings.whyNotWith(m_request.settings); !why.isEmpty()) {
            emit failed(QStringLiteral(
                            "Cannot go on with \"%1\": its rows are of another measurement: %2. Name another "
                            "folder with --out.")
                            .arg(m_request.resultsFile, why));
            return;
        }
    for (const TuningTask &task : m_request.tasks) {
        const bool isKnown = std::any_of(known.begin(), known.end(), [&task](const TaskResult &row) {
            return row.name == task.name && row.verdict != TaskVerdict::NotRun;
        });
        m_passedOver += isKnown ? 1 : 0;
        if (!isKnown)
            m_left.push_back(task);
    }
    QTimer::singleShot(0, this, &TaskBench::next);
}

void TaskBench::cancel() {
    m_isEnding = true;
    if (m_run)
        m_run->stop();
}

void TaskBench::next() {
    m_run.reset();
    if (m_isEnding || m_place == m_left.size()) {
        emit finished();
        return;
    }
    const TuningTask task = m_left[m_place++];
    emit taskBegan(task.name, static_cast<int>(m_place), static_cast<int>(m_left.size()));
    const bool isToBeBuilt = m_place == 1 && m_request.evaluation.judgeProgram.isEmpty();
    const double minutes = m_request.minutesPerTask + (isToBeBuilt ? minutesToBuild : 0);
    m_run = std::make_unique<TaskRun>(
        TaskRunRequest{task, m_request.folder + QStringLiteral("/workspaces/") + task.name, minutes,
                       m_request.minutesForFirst, m_request.settings, m_request.makeAgent, m_request.leave,
                       m_request.evaluation});
    connect(m_run.get(), &TaskRun::progress, this, &TaskBench::progress);
    connect(m_run.get(), &TaskRun::finished, this, &TaskBench::take);
    connect(m_run.get(), &TaskRun::stopped, this, [this] {
        m_isEnding = true;
        QTimer::singleShot(0, this, &TaskBench::next);
    });
    m_run->start();
}

void TaskBench::take(const TaskResult &result) {
    const Result<void> written = appendTaskResult(m_request.resultsFile, result);
    if (!written.hasValue()) {
        m_isEnding = true;
        emit failed(written.message());
        return;
    }
    emit taskEnded(result, static_cast<int>(m_place), static_cast<int>(m_left.size()));
    if (const QString &why = m_run->whyNoFurther(); !why.isEmpty() && !m_isEnding) {
        m_isEnding = true;
        m_whyEnded =
            QStringLiteral("The bench ends here, for no further task would get past this: %1 The rows so far "
                           "are kept in \"%2\"; once that is mended, go on with --resume.")
                .arg(why, m_request.resultsFile);
    }
    // Its session is in the middle of saying that it has ended.
    QTimer::singleShot(0, this, &TaskBench::next);
}

} // namespace warpwright
