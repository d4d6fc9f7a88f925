// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/counters/collect_plan.h"
#include "toolchain/counters/counters.h"
#include "toolchain/evaluation_thread.h"
#include "toolchain/inquiry.h"

#include <QObject>

#include <optional>

namespace warpwright {

class ReportReader;
class Workbench;

/// What is measured of the shown text beside its checks: hardware counters and the timeline of one call, in a
/// thread of their own; and a report of Nsight Compute that a person opened. No widgets. What was measured is
/// kept in the workspace's state, where whoever shows it reads it.
class CounterDesk : public QObject {
    Q_OBJECT
public:
    explicit CounterDesk(Workbench &bench, QObject *parent = nullptr);
    ~CounterDesk() override;

    /// Of the text that is shown; the caller has saved it. Ends in kept() or failed(), or, stopped, in
    /// neither.
    void collect(const CollectRequest &asked);
    /// The same for one call of each arm.
    void trace();
    /// Ends in reportChanged() or failed().
    void openReport(const QString &path);
    void closeReport();
    void stop();

    /// The report that is open, of no text here; null: none is.
    [[nodiscard]] const SharedCounters &report() const { return m_report; }
    [[nodiscard]] bool isRunning() const {
        return m_runner.isRunning() || m_reader != nullptr || m_probe != nullptr;
    }
    [[nodiscard]] bool isStopping() const { return m_runner.isStopping(); }
    /// "candidate: softmaxRows", of what runs.
    [[nodiscard]] const QString &step() const { return m_step; }
    /// Why nothing can be measured of the shown text now; empty: it can be tried.
    [[nodiscard]] QString whyNot() const;

signals:
    /// Counters or a timeline were stored, of a text that may be shown no more.
    void kept();
    void reportChanged();
    void runChanged();
    void failed(const QString &title, const QString &text);

private:
    void start(const std::optional<CollectRequest> &asked);
    void ended(const Evaluation &evaluation);
    void read(const Toolchain &toolchain, const QString &path);

    Workbench &m_bench;
    EvaluationThread m_runner{QStringLiteral("counters")};
    ReportReader *m_reader = nullptr;
    Inquiry<ToolchainProbe, Toolchain> *m_probe = nullptr;
    SharedCounters m_report;
    QString m_step;
    QString m_title; ///< of what would be said if what runs failed
    bool m_hasMeasured = false;
};

} // namespace warpwright
