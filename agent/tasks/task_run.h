// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/factory/agent_by_name.h"
#include "agent/record/trajectory_writer.h"
#include "agent/session/evaluation_measurer.h"
#include "agent/session/session.h"
#include "agent/tasks/task_result.h"
#include "agent/tasks/task_set.h"

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>

#include <memory>
#include <optional>

namespace warpwright {

/// What one task is tried with.
struct TaskRunRequest {
    TuningTask task;
    QString folder;             ///< its workspace is made there; an earlier one in its place is removed
    double minutes = 3;         ///< of a clock, for all of it; a first text is measured to its end
    double minutesForFirst = 4; ///< that a first text has beyond them
    TaskTerms settings;
    MakeAgent makeAgent;
    PromptLeave leave;            ///< nobody is there to answer anything else: that ends the task's run
    EvaluationRequest evaluation; ///< all but its path
};

/// One task from its reference to its row: a new workspace, an agent in auto mode, the text that stands
/// at the end.
///
/// Ends in exactly one of finished() and stopped(), the latter after stop() alone. After its minutes nothing
/// new is begun, and the text that stands counts; where none does yet, the first one still has some time.
class TaskRun : public QObject {
    Q_OBJECT
public:
    explicit TaskRun(TaskRunRequest request, QObject *parent = nullptr);
    ~TaskRun() override;

    void start();
    void stop();
    /// Behind finished(): why the next task would come no further: the agent's server is gone, its key is
    /// refused, what it asks nobody answers. Empty: it would be tried like this one.
    [[nodiscard]] const QString &whyNoFurther() const { return m_whyNoFurther; }

signals:
    void progress(const warpwright::StageProgress &progress);
    void finished(const warpwright::TaskResult &result);
    void stopped();

private:
    [[nodiscard]] Result<Workspace> makeWorkspace() const;
    void listen();
    void endSearch();
    void takeEnd(SessionEnd end, const QString &why);
    void end(TaskVerdict verdict, const QString &why);

    TaskRunRequest m_request;
    TaskResult m_result;
    QElapsedTimer m_clock;
    QTimer m_limit;
    QTimer m_search; ///< runs while new texts are begun
    std::unique_ptr<TrajectoryWriter> m_writer;
    std::unique_ptr<Recorder> m_recorder;
    std::shared_ptr<Agent> m_agent;
    std::unique_ptr<EvaluationMeasurer> m_measurer;
    std::unique_ptr<Session> m_session; // last: it goes first
    std::map<QString, QString> m_moves; ///< by proposal
    std::optional<Evaluation> m_last;   ///< of a proposal
    bool m_hasText = false;             ///< a proposal was accepted
    bool m_wasUndecided = false;        ///< a proposal was verified, and the clock could not decide
    QString m_whyNoFurther;
    bool m_isStopped = false;
    bool m_isOver = false;
};

} // namespace warpwright
