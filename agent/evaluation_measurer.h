// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/measurer.h"
#include "toolchain/evaluation_run.h"

#include <QThread>

#include <deque>

namespace warpwright {

/// Measures in the workspace's shadow, with the real judge, which stays warm from one to the next. Reading,
/// hashing and storing happen in a thread of its own, so that a window may own it; destroying it stops what
/// runs and waits until its processes have ended (10 s at most, as EvaluationRun promises).
class EvaluationMeasurer : public Measurer {
    Q_OBJECT
public:
    /// `request`: all but its path, which is the shadow's.
    EvaluationMeasurer(Workspace workspace, EvaluationRequest request, QObject *parent = nullptr);
    ~EvaluationMeasurer() override;

    int measure(const Measurement &measurement) override;
    void cancel(int number) override;
    [[nodiscard]] bool isIdle() const override { return m_queue.empty() && m_running == 0; }

private:
    struct Waiting {
        int number = 0;
        Measurement measurement;
    };
    void startNext();
    void runThere(int number, const CandidateTexts &texts);
    void end(int number, const Evaluation &evaluation, const QString &log);
    [[nodiscard]] Evaluation without(Verdict verdict, const QString &why) const;

    Workspace m_workspace;
    EvaluationRequest m_request;
    QThread m_thread;
    QObject *m_there; // lives in the thread; the run is its child
    JudgeKeeper *m_keeper;
    std::deque<Waiting> m_queue;
    int m_running = 0; ///< 0: none
    int m_lastNumber = 0;
};

} // namespace warpwright
