// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ide/job.h"
#include "toolchain/counters/collect_plan.h"
#include "toolchain/counters/counters.h"
#include "toolchain/evaluation_thread.h"
#include "toolchain/inquiry.h"

#include <QObject>

#include <functional>
#include <memory>
#include <optional>

namespace warpwright {

class ReportReader;
class Workbench;

/// The hardware counters that belong to the text that is shown: those that were kept, those that are
/// collected now, or those of a report that a person opened. No widgets. Reading, copying and parsing are
/// done in the pool, collecting in a thread of its own.
///
/// A report that was opened stays shown until it is closed or counters of a text are collected; it is never
/// taken for the text's own.
class CounterDesk : public QObject {
    Q_OBJECT
public:
    explicit CounterDesk(Workbench &bench, QObject *parent = nullptr);
    ~CounterDesk() override;

    /// Of the text that is shown; the caller has saved it. Ends in countersChanged() or failed().
    void collect(const CollectRequest &asked);
    /// Ends in countersChanged() or failed().
    void openReport(const QString &path);
    void closeReport();
    void stop();

    [[nodiscard]] const SharedCounters &counters() const { return m_report ? m_report : m_ofText; }
    /// What is shown is a report from elsewhere, and of no text here.
    [[nodiscard]] bool isReport() const { return m_report != nullptr; }
    /// The newest counters that were kept of this iteration's text; null: none. Answered in the pool.
    void findOf(int iteration, std::function<void(SharedCounters)> then);

    [[nodiscard]] bool isRunning() const { return m_runner.isRunning() || m_reader || m_probe; }
    [[nodiscard]] bool isStopping() const { return m_runner.isStopping(); }
    /// "candidate: softmaxRows", of what runs.
    [[nodiscard]] const QString &step() const { return m_step; }
    /// Why counters of the shown text cannot be collected now; empty: they can be tried.
    [[nodiscard]] QString whyNot() const;

signals:
    void countersChanged();
    void runChanged();
    void failed(const QString &title, const QString &text);

private:
    void look();
    [[nodiscard]] QString shownHash() const;
    void ended(const Evaluation &evaluation);
    void read(const Toolchain &toolchain, const QString &path);

    Workbench &m_bench;
    EvaluationThread m_runner{QStringLiteral("counters")};
    ReportReader *m_reader = nullptr;
    Inquiry<ToolchainProbe, Toolchain> *m_probe = nullptr;
    SharedCounters m_ofText;
    SharedCounters m_report;
    QString m_lookedFor; ///< hash of the text whose counters m_ofText is
    QString m_step;
    JobNumber m_jobs;
    bool m_hasCollected = false;
};

} // namespace warpwright
