// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/timeline/trace_plan.h"

#include <QObject>

namespace warpwright {

/// Traces the reference's arms, then the candidate, and reads what came.
///
/// An arm that could not be traced has its reason in the timeline; where no arm has a picture it is failed().
/// Always ends in exactly one of finished() and failed(); by then each process has ended.
class TraceRun : public QObject {
    Q_OBJECT
public:
    static constexpr int limitMs = 180'000; ///< of each process; the first torch.compile takes half a minute

    explicit TraceRun(TracePlan plan, QObject *parent = nullptr);

    void start();
    void cancel();

signals:
    void progress(const QString &step);
    /// Without what only the caller knows: workspace, text, evaluation, program.
    void finished(const warpwright::Timeline &timeline);
    void failed(const QString &message);

private:
    void run(bool isCandidate);
    void ended(const ProcessOutcome &outcome, bool isCandidate);
    void take(bool isCandidate, const QString &whyNot);
    void end();

    TracePlan m_plan;
    Timeline m_timeline;
    ChildProcess *m_process = nullptr;
    bool m_isCancelled = false;
    bool m_isDone = false;
};

} // namespace warpwright
