// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/timeline/trace_plan.h"

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>

namespace warpwright {

/// Traces the reference's arms, then the candidate, and reads what came.
///
/// An arm that could not be traced has its reason in the timeline; where no arm has a picture it is failed().
/// Always ends in exactly one of finished() and failed(); by then each process has ended.
class TraceRun : public QObject {
    Q_OBJECT
public:
    static constexpr int limitMs = 180'000; ///< of each process; the first torch.compile takes half a minute
    static constexpr int patienceMs =
        10'000; ///< a process that runs longer is told of, and when it is stopped

    /// A process that runs longer than `patience` is told of, again and again, and when it is stopped.
    explicit TraceRun(TracePlan plan, int patience = patienceMs, QObject *parent = nullptr);

    void start();
    void cancel();

signals:
    /// "candidate"; of one that takes long, again and again, how long it runs and when it is stopped.
    void progress(const QString &step);
    /// Without what only the caller knows: workspace, text, evaluation, program.
    void finished(const warpwright::Timeline &timeline);
    void failed(const QString &message);

private:
    void run(bool isCandidate);
    void ended(const ProcessOutcome &outcome, bool isCandidate);
    void take(bool isCandidate, const QString &whyNot);
    void end();
    void tellOfWaiting();

    TracePlan m_plan;
    Timeline m_timeline;
    ChildProcess *m_process = nullptr;
    QString m_arm; ///< who runs
    QElapsedTimer m_since;
    QTimer m_waiting;
    bool m_isCancelled = false;
    bool m_isDone = false;
};

} // namespace warpwright
