// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/base/data_folders.h"
#include "toolchain/base/settings.h"
#include "toolchain/base/stages.h"
#include "toolchain/compile/device_choice.h"
#include "toolchain/environment/toolchain_probe.h"
#include "toolchain/judge/judge_session.h"
#include "toolchain/progress/stage_progress.h"
#include "toolchain/workspace/workspace.h"

#include <QElapsedTimer>
#include <QObject>

#include <vector>

namespace warpwright {

/// What a person asks of the clock.
struct ClockRequest {
    QString path;   ///< a workspace: its reference is what is timed
    QString device; ///< as EvaluationRequest
    QString python;
    QString arm = QStringLiteral("eager"); ///< of the reference: "eager" or "compile"
    int quickRuns = 20;
    int certifyRuns = 5;
    QString judgeProgram; ///< a judge of the person's own instead of the built one; for tests
    Settings settings;
    DataFolders folders;
};

/// One measurement of something whose answer was known.
struct ClockMeasurement {
    Tier tier = Tier::Quick;
    double slowdown = 0; ///< injected, of the arm's own time: 0.02 is 2 % more
    bool hasTimes = false;
    double value = 0; ///< the arm's time over the stand-in's, 95 % interval
    double low = 0;
    double high = 0;
    QString certificate; ///< of the certify tier: "calls", "graph", or empty: not given
    QString reason;      ///< why there are no times, or no certificate
    double seconds = 0;
    double deviceSeconds = 0;

    [[nodiscard]] double truth() const { return 1 / (1 + slowdown); }
    [[nodiscard]] bool covers() const { return hasTimes && low <= truth() && truth() <= high; }
    [[nodiscard]] bool saysFaster(double share) const { return hasTimes && low > 1 + share; }
    [[nodiscard]] bool saysSlower() const { return hasTimes && high < 1; }
};

/// Tries the judge's clock with the reference in the candidate's place: against itself, where the truth is 1,
/// and with 2 % and 5 % more work in each call, which the certify tier has to find.
///
/// Ends in finished() or failed(). cancel() works at any time and ends in finished() with what there is.
class ClockTrial : public QObject {
    Q_OBJECT
public:
    explicit ClockTrial(ClockRequest request, QObject *parent = nullptr);
    ~ClockTrial() override;

    void start();
    void cancel();

    [[nodiscard]] const std::vector<ClockMeasurement> &measurements() const { return m_done; }
    /// schema warpwright.clock/1
    [[nodiscard]] OrderedJson document(const QString &programVersion) const;

signals:
    void progress(const warpwright::StageProgress &progress);
    void measured(const warpwright::ClockMeasurement &measurement);
    void finished();
    void failed(const QString &message);

private:
    void toolsFound(const Toolchain &toolchain);
    void openTask();
    void next();
    void answered(const Json &reply);
    void end();

    ClockRequest m_request;
    Workspace m_workspace;
    Toolchain m_toolchain;
    DeviceChoice m_device;
    OrderedJson m_deviceSection;
    QString m_scratch;
    ToolchainProbe *m_probe = nullptr;
    JudgeSession *m_judge = nullptr;
    std::vector<ClockMeasurement> m_plan;
    std::vector<ClockMeasurement> m_done;
    double m_armMicroseconds = 0; ///< from the runs without a slow-down
    QElapsedTimer m_clock;
    QString m_failure; ///< the judge's words
    bool m_isEnding = false;
};

} // namespace warpwright
