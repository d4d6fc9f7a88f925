// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/tasks/task_run.h"

namespace warpwright {

struct TaskBenchRequest {
    std::vector<TuningTask> tasks; ///< in this order
    QString folder;                ///< workspaces come into <folder>/workspaces/<name>
    QString resultsFile;           ///< a row is added as soon as its task has ended
    bool resumes = false;          ///< tasks with a row are passed over, but for those that were not run
    double minutesPerTask = 3;     ///< the first one gets more: it may have to wait until the judge is built
    double minutesForFirst = 4;    ///< beyond these: torch.compile unrolls a loop over time, for minutes
    TaskTerms settings;
    MakeAgent makeAgent;
    PromptLeave leave;
    EvaluationRequest evaluation;
};

/// Tasks one after the other, each row on the disk before the next task begins.
///
/// Ends in exactly one of finished() and failed(). cancel() ends what runs, writes no row for it, and comes
/// to finished(); so does what no further task could get past.
class TaskBench : public QObject {
    Q_OBJECT
public:
    explicit TaskBench(TaskBenchRequest request, QObject *parent = nullptr);
    ~TaskBench() override;

    void start();
    void cancel();

    [[nodiscard]] int passedOver() const { return m_passedOver; } ///< had a row already
    /// Behind finished(): for people, why it has ended before its last task, though nobody stopped it.
    [[nodiscard]] const QString &whyEnded() const { return m_whyEnded; }

signals:
    void progress(const warpwright::StageProgress &progress);
    /// `number` of `count`, from 1.
    void taskBegan(const QString &name, int number, int count);
    void taskEnded(const warpwright::TaskResult &result, int number, int count);
    void finished();
    void failed(const QString &message);

private:
    void next();
    void take(const TaskResult &result);

    TaskBenchRequest m_request;
    std::vector<TuningTask> m_left;
    std::size_t m_place = 0;
    int m_passedOver = 0;
    std::unique_ptr<TaskRun> m_run;
    bool m_isEnding = false;
    QString m_whyEnded;
};

} // namespace warpwright
