// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/session/measurer.h"
#include "toolchain/check/evaluation_thread.h"

#include <deque>

namespace warpwright {

/// Measures in the workspace's shadow, with the real judge, which stays warm from one to the next. Reading,
/// hashing and storing happen in a thread of its own, so that a window may own it; destroying it stops what
/// runs without waiting for it.
class EvaluationMeasurer : public Measurer {
    Q_OBJECT
public:
    /// `request`: all but its path, which is the shadow's. `whose`: of one that does not hold the workspace's
    /// lock, see layOutShadow().
    EvaluationMeasurer(Workspace workspace, EvaluationRequest request, QObject *parent = nullptr,
                       QString whose = {});

    int measure(const Measurement &measurement) override;
    void cancel(int number) override;
    [[nodiscard]] bool isIdle() const override { return m_queue.empty() && m_running == 0; }

signals:
    /// The compilers are done with the one that runs, and it goes on.
    void compiled(const QString &log, const warpwright::Evaluation &soFar);

private:
    struct Waiting {
        int number = 0;
        Measurement measurement;
        int tries = 0; ///< that ended for the machine's sake
    };
    void startNext();
    void end(const Evaluation &evaluation);
    [[nodiscard]] QString inWorkspace(QString text, const Evaluation &of) const;
    [[nodiscard]] Evaluation without(Verdict verdict, const QString &why) const;

    Workspace m_workspace;
    EvaluationRequest m_request;
    QString m_whose;
    EvaluationThread m_runner{QStringLiteral("measure")};
    QString m_log; // what the compilers said of the running one
    std::deque<Waiting> m_queue;
    Waiting m_current;
    int m_running = 0; ///< its number; 0: none
    int m_lastNumber = 0;
};

} // namespace warpwright
