// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ide/workbench/job.h"
#include "toolchain/check/evaluation_thread.h"
#include "toolchain/counters/collect_plan.h"
#include "toolchain/counters/counters.h"
#include "toolchain/counters/report_file.h"
#include "toolchain/environment/inquiry.h"
#include "toolchain/progress/stage_progress.h"

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>

#include <functional>
#include <optional>
#include <vector>

namespace warpwright {

class ReportReader;
class Workbench;

/// What is measured of the shown text beside its checks: hardware counters and the timeline of one call,
/// those that were kept and those that are measured now, in a thread of their own; and a report of Nsight
/// Compute that a person opened. No widgets; reading, copying and parsing are done in the pool.
///
/// A report that was opened stays shown until it is closed, attached or counters are collected; it is never
/// taken for the text's own unless a person says so.
class CounterController : public QObject {
    Q_OBJECT
public:
    explicit CounterController(Workbench &bench, QObject *parent = nullptr);
    ~CounterController() override;

    /// Of the text that is shown; the caller has saved it. Ends in kept() or failed(), or, stopped, in
    /// neither.
    void collect(const CollectRequest &asked);
    /// The same for one call of each arm.
    void trace();
    /// Ends in reportChanged() or failed().
    void openReport(const QString &path);
    void closeReport();
    /// Keeps the report that is open as counters of the text that is shown, where its kernels have the names
    /// of that text's (attached_report.h) and its file is still the one that was read. Ends in
    /// countersChanged() or failed(). Copying takes seconds: until then nothing else is kept, opened, closed
    /// or measured.
    void attachReport();
    /// Why that cannot be tried; empty: it can.
    [[nodiscard]] QString whyNotAttach() const;
    /// The report that is open is being kept, see attachReport().
    [[nodiscard]] bool isKeeping() const { return m_isKeeping; }
    void stop();

    /// Of the text that is shown, or of the report that is open; null: there are none.
    [[nodiscard]] const SharedCounters &counters() const { return m_report ? m_report : m_ofText; }
    /// Of the text that is shown, whatever report is open; null: there are none.
    [[nodiscard]] const SharedCounters &ofText() const { return m_ofText; }
    /// There are counters of that text that were collected here, and others that were read from a report.
    [[nodiscard]] bool hasOtherSource() const { return m_otherSource != nullptr; }
    /// Shows the other ones.
    void switchSource();
    /// What is shown is a report from elsewhere, and of no text here.
    [[nodiscard]] bool isReport() const { return m_report != nullptr; }
    /// Of the report that is open: its path; empty: none is.
    [[nodiscard]] QString reportPath() const { return m_report ? m_reportFile.path : QString(); }
    /// What was kept of other texts than the shown one, to hold it against: newest first, a dozen at most.
    /// Answered from the pool.
    void findOthers(std::function<void(std::vector<SharedCounters>)> then);
    [[nodiscard]] const std::optional<Timeline> &timeline() const { return m_timeline; }
    /// What was kept of the shown text is still being read: that there is none yet says nothing. Ends in
    /// countersChanged().
    [[nodiscard]] bool isLooking() const { return m_isLooking; }

    [[nodiscard]] bool isRunning() const {
        return m_runner.isRunning() || m_reader != nullptr || m_probe != nullptr;
    }
    [[nodiscard]] bool isStopping() const { return m_runner.isStopping(); }
    enum class Doing { Nothing, Collecting, Tracing, Reading };
    [[nodiscard]] Doing doing() const { return isRunning() ? m_doing : Doing::Nothing; }
    /// "A call is being traced", of what runs.
    [[nodiscard]] QString title() const;
    /// "Tracing: eager and compile · 1 min 12 s", "Verifying: round 2, 2 of 3 · 4 s", of what runs; the time
    /// goes on between two runChanged().
    [[nodiscard]] QString step() const;
    /// Why nothing can be measured of the shown text now; empty: it can be tried.
    [[nodiscard]] QString whyNot() const;

signals:
    void countersChanged();
    void timelineChanged();
    void runChanged();
    /// A second has gone by while something runs.
    void ticked();
    void failed(const QString &title, const QString &text);
    void noticed(const QString &title, const QString &text);

private:
    void look();
    void takeOfText(const SharedCounters &counters);
    [[nodiscard]] QString shownHash() const;
    void begin(Doing doing, const QString &step);
    void start(const std::optional<CollectRequest> &asked);
    void ended(const Evaluation &evaluation);
    void read(const Toolchain &toolchain, const QString &path);

    Workbench &m_bench;
    EvaluationThread m_runner{QStringLiteral("counters")};
    ReportReader *m_reader = nullptr;
    Inquiry<ToolchainProbe, Toolchain> *m_probe = nullptr;
    SharedCounters m_ofText;
    SharedCounters m_otherSource; ///< of the same text: imported where m_ofText is ours, and the other way
    SharedCounters m_report;
    std::vector<SharedCounters> m_others; ///< read last; they are not read again
    std::optional<Timeline> m_timeline;
    QString m_lookedFor; ///< hash of the text that they are of
    JobNumber m_jobs;
    JobNumber m_keepJobs;
    Doing m_doing = Doing::Nothing;
    StageProgress m_progress;
    QElapsedTimer m_since;
    QTimer m_tick;
    ReportFile m_reportFile; ///< that m_report was read from
    QString m_readPath;      ///< of the report that is being read
    QString m_title;         ///< of what would be said if what runs failed
    bool m_hasMeasured = false;
    bool m_isLooking = false;
    bool m_isKeeping = false;
};

} // namespace warpwright
