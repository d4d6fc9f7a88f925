// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/bench/suite_outcome.h"
#include "toolchain/compile/compile_run.h"
#include "toolchain/compile/device_choice.h"
#include "toolchain/environment/toolchain_probe.h"
#include "toolchain/judge/judge_session.h"
#include "toolchain/progress/stage_progress.h"
#include "toolchain/workspace/workspace.h"

#include <QElapsedTimer>
#include <QObject>

#include <map>
#include <memory>

namespace warpwright {

class LifetimeLock;

/// What a person asks of the self-test.
struct SuiteRequest {
    QString device; ///< as EvaluationRequest
    QString python;
    Settings settings;
    DataFolders folders;
    QString suite; ///< its folder; empty: ours
    int shard = 1;
    int shards = 1;
    QStringList only; ///< names of rows; empty: all of the shard
};

/// Runs the suite's rows one after the other, each against a judge that has the row's task open, as a check
/// does: compiled from its sources, verified, and timed where the row asks for it.
///
/// Ends in finished() or failed(). cancel() works at any time and ends in finished() with the rows so far.
/// One judge serves all rows of a task; the candidate's process is new for each.
class SuiteRun : public QObject {
    Q_OBJECT
public:
    explicit SuiteRun(SuiteRequest request, QObject *parent = nullptr);
    ~SuiteRun() override;

    void start();
    void cancel();

    [[nodiscard]] const std::vector<SuiteResult> &results() const { return m_results; }
    [[nodiscard]] const OrderedJson &device() const { return m_deviceSection; }
    [[nodiscard]] OrderedJson environment(const QString &programVersion) const;

signals:
    void progress(const warpwright::StageProgress &progress);
    void rowDone(const warpwright::SuiteResult &result);
    void finished();
    /// This machine lacks what the suite needs.
    void failed(const QString &message);

private:
    void toolsFound(const Toolchain &toolchain);
    void nextRow();
    void startRow();
    void openTask();
    void compile();
    void compileDone(const CompileOutcome &outcome);
    void verify();
    void answered(const QString &method, const Json &reply);
    void refused(const JudgeError &error);
    void rowEnded();
    void skip(const QString &why);
    void stopJudge();
    void show(const QString &stage, const QString &step);
    void end();
    [[nodiscard]] QString whyNotHere(const SuiteRow &row) const;
    [[nodiscard]] SuiteRow twinOf(const SuiteRow &row) const;

    SuiteRequest m_request;
    CheatSuite m_suite;
    std::vector<SuiteRow> m_rows;
    std::size_t m_next = 0;
    Toolchain m_toolchain;
    DeviceChoice m_device;
    OrderedJson m_deviceSection;
    std::unique_ptr<LifetimeLock> m_lock;
    QString m_folder;  ///< the workspace of each row in turn
    QString m_scratch; ///< of the judge
    Workspace m_workspace;
    ToolchainProbe *m_probe = nullptr;
    CompileRun *m_compile = nullptr;
    JudgeSession *m_judge = nullptr;
    QString m_openGroup; ///< whose task the judge has open; empty: none
    SuiteRow m_row;      ///< at work: a row, or the twin that it is compared with
    bool m_isTwin = false;
    bool m_isJudging = false;
    QString m_runFolder;
    int m_tries = 0;
    int m_gains = 0; ///< tries of the row in which it seemed to gain; its twin is measured anew between them
    SuiteOutcome m_outcome;
    std::map<QString, SuiteOutcome> m_twins; ///< by group
    std::vector<SuiteResult> m_results;
    QElapsedTimer m_clock;
    bool m_isEnding = false;
};

} // namespace warpwright
