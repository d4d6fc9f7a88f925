// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/measurer.h"
#include "toolchain/evaluation_run.h"

#include <deque>

namespace warpwright {

/// Measures in the workspace's shadow, with the real judge, which stays warm from one to the next.
class EvaluationMeasurer : public Measurer {
    Q_OBJECT
public:
    /// `request`: all but its path, which is the shadow's.
    EvaluationMeasurer(Workspace workspace, EvaluationRequest request, QObject *parent = nullptr);

    int measure(const Measurement &measurement) override;
    void cancel(int number) override;
    [[nodiscard]] bool isIdle() const override { return m_queue.empty() && m_run == nullptr; }

private:
    struct Waiting {
        int number = 0;
        Measurement measurement;
    };
    void startNext();
    void end(int number, const Evaluation &evaluation, const QString &log);
    void endLater(int number, Verdict verdict, const QString &why);

    Workspace m_workspace;
    EvaluationRequest m_request;
    JudgeKeeper m_keeper;
    std::deque<Waiting> m_queue;
    EvaluationRun *m_run = nullptr;
    int m_running = 0;
    int m_lastNumber = 0;
};

} // namespace warpwright
