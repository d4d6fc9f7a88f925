// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/counters/collect_plan.h"
#include "toolchain/counters/report_reader.h"

#include <QObject>

namespace warpwright {

/// Runs each arm once under Nsight Compute, one after another, and reads the reports.
///
/// What one arm refuses is a problem of the counters and leaves the others; where not even the candidate has
/// a report it is failed(). Always ends in exactly one of finished() and failed(); by then each process has
/// ended. The reports lie where reportPathOf() says.
class CollectRun : public QObject {
    Q_OBJECT
public:
    static constexpr int armLimitMs = 300'000;

    CollectRun(CollectPlan plan, ReportReading reading, QObject *parent = nullptr);

    void start();
    void cancel();

signals:
    /// "candidate: softmaxRows", launch from 1.
    void progress(const QString &step, int launch);
    /// Without what only the caller knows: workspace, text, evaluation, program.
    void finished(const warpwright::SharedCounters &counters);
    void failed(const QString &message);

private:
    void next();
    void take(const QByteArray &bytes);
    void armEnded(const ProcessOutcome &outcome);
    void read();
    void merge(const Counters &read);
    void armFailed(const QString &sentence);
    void end();

    CollectPlan m_plan;
    ReportReading m_reading;
    Counters m_counters;
    QStringList m_left;
    QString m_arm;
    QString m_firstFailure;
    QByteArray m_line;
    ChildProcess *m_process = nullptr;
    ReportReader *m_reader = nullptr;
    bool m_isCancelled = false;
    bool m_isDone = false;
};

} // namespace warpwright
