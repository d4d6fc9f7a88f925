// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/check/evaluation_run.h"

#include <QObject>
#include <QThread>

#include <functional>

namespace warpwright {

/// One evaluation at a time in a thread of its own, so that reading, hashing and storing never hold up a
/// window. From one to the next its judge stays warm. Each start() ends in exactly one finished().
///
/// Destroying it returns at once: what runs is cancelled, and the thread ends by itself once its processes
/// have (10 s at most, as EvaluationRun promises). The program waits for such threads at its own end.
class EvaluationThread : public QObject {
    Q_OBJECT
public:
    /// `name`: of the thread, for people who look at one.
    explicit EvaluationThread(const QString &name, QObject *parent = nullptr);
    ~EvaluationThread() override;

    /// What has to be done in the thread before the run, such as laying out its files; it may complete the
    /// request. An error ends the run with the verdict `environment`.
    using Preparation = std::function<Result<void>(EvaluationRequest &)>;

    /// Only when nothing runs.
    void start(const EvaluationRequest &request, const Preparation &prepare = {});
    /// May be called again and again; acknowledged by stopping() at once.
    void stop();
    [[nodiscard]] bool isRunning() const { return m_isRunning; }
    [[nodiscard]] bool isStopping() const { return m_isStopping; }

    /// Waits until all threads of destroyed objects have ended. QCoreApplication's end calls it.
    static void waitForRetired();

signals:
    void stopping();
    void progress(const warpwright::StageProgress &progress);
    void stageEnded(const QString &stage, warpwright::StageStatus status, double seconds);
    /// What the compilers said, before the evaluation that it is of, and what of that is known by then.
    void compiled(const QString &log, const warpwright::Evaluation &soFar);
    /// Of a request that traces, before the evaluation.
    void traced(const warpwright::Timeline &timeline, const QString &storedAt);
    /// Of a request that collects counters, before the evaluation.
    void collected(const warpwright::SharedCounters &counters, const QString &storedAt);
    void finished(const warpwright::Evaluation &evaluation, const QString &storedAt);

private:
    class There;
    void ended(const Evaluation &evaluation, const QString &storedAt);

    QThread *m_thread;
    There *m_there; // lives in the thread
    bool m_isRunning = false;
    bool m_isStopping = false;
};

} // namespace warpwright
