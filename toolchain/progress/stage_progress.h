// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/device_queue/device_wait.h"
#include "toolchain/progress/step_durations.h"

#include <QElapsedTimer>
#include <QHash>
#include <QString>

#include <optional>

namespace warpwright {

/// What is being done right now, for people who wait.
struct StageProgress {
    QString stage; ///< "prepare", "wait" (for the device), "compile", "open", "verify", "profile"
    QString step;  ///< "compile kernels/softmax.cu"
    int index = 0; ///< this is sub-step `index` of `count`, from 1; count 0: nobody knows
    int count = 0;
    double elapsedSeconds = 0;                     ///< of this sub-step
    std::optional<double> lastSeconds;             ///< how long this sub-step took the last time
    std::optional<DeviceWait> wait = std::nullopt; ///< of the stage "wait": for whom

    bool operator==(const StageProgress &) const = default;
};

/// The step for people; of a wait as it stands now: how long already, for whom and since when.
[[nodiscard]] QString stepText(const StageProgress &progress);

/// The judge is built on first use, and after an update: it serves all checks that follow.
[[nodiscard]] QString judgeBuildStep(const QString &what);
[[nodiscard]] bool isOfJudgeBuild(const StageProgress &progress);

/// Puts times on sub-steps: how long the one that begins took the last time, and how long the one that ends
/// took now. Several may run at once: the judge opens the task while two compilers run.
class StageClock {
public:
    /// `scope` keeps the durations of different workspaces apart.
    StageClock(const QString &file, QString scope);

    [[nodiscard]] std::optional<double> lastSeconds(const QString &stage, const QString &step) const {
        return m_durations.lastSeconds(keyOf(stage, step));
    }
    /// How many of something there were the last time; none: unknown.
    [[nodiscard]] std::optional<int> lastCount(const QString &stage, const QString &what) const;
    void rememberCount(const QString &stage, const QString &what, int count);
    /// A sub-step that already runs goes on; only its numbers change.
    [[nodiscard]] StageProgress begin(const QString &stage, const QString &step, int index, int count);
    void end(const QString &stage, const QString &step);
    /// Ends all sub-steps of this stage.
    void end(const QString &stage);
    /// Ends what still runs without remembering how long it took: it did not come to its end.
    void abandon() { m_running.clear(); }
    void save() { m_durations.save(); }

private:
    StepDurations m_durations;
    QString m_scope;
    QHash<QString, QHash<QString, QElapsedTimer>> m_running; // by stage, by step

    [[nodiscard]] QString keyOf(const QString &stage, const QString &step) const;
};

} // namespace warpwright
