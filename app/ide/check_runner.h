// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/evaluation_run.h"

#include <QObject>
#include <QPointer>
#include <QThread>

namespace warpwright {

/// One evaluation at a time in a thread of its own, so that reading, hashing and storing never hold up the
/// window. Each start() ends in exactly one finished().
class CheckRunner : public QObject {
    Q_OBJECT
public:
    explicit CheckRunner(QObject *parent = nullptr);
    /// Stops what runs and waits until its processes have ended (10 s at most, as EvaluationRun promises).
    ~CheckRunner() override;

    /// Only when nothing runs.
    void start(const EvaluationRequest &request);
    /// May be called again and again; acknowledged by stopping() at once.
    void stop();
    [[nodiscard]] bool isRunning() const { return m_isRunning; }
    [[nodiscard]] bool isStopping() const { return m_isStopping; }

signals:
    void stopping();
    void progress(const warpwright::StageProgress &progress);
    void stageEnded(const QString &stage, warpwright::StageStatus status, double seconds);
    /// What the compilers said, before the evaluation that it is of.
    void compiled(const QString &log);
    void finished(const warpwright::Evaluation &evaluation, const QString &storedAt);

private:
    void ended(const Evaluation &evaluation, const QString &storedAt);

    QThread m_thread;
    QObject *m_there;      // lives in the thread; the run is its child
    JudgeKeeper *m_keeper; // and so is this: the next check of a task finds a warm judge
    bool m_isRunning = false;
    bool m_isStopping = false;
};

} // namespace warpwright
