// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/step_durations.h"

#include <QElapsedTimer>
#include <QHash>
#include <QString>

#include <optional>

namespace warpwright {

/// What is being done right now, for people who wait.
struct StageProgress {
    QString stage; ///< "prepare", "compile", "open", "verify", "profile"
    QString step;  ///< "compile kernels/softmax.cu"
    int index = 0; ///< this is sub-step `index` of `count`, from 1; count 0: nobody knows
    int count = 0;
    double elapsedSeconds = 0;         ///< of this sub-step
    std::optional<double> lastSeconds; ///< how long this sub-step took the last time

    bool operator==(const StageProgress&) const = default;
};

/// Puts times on sub-steps: how long the one that begins took the last time, and how long the one that ends
/// took now. One sub-step of a stage runs at a time; stages may overlap (the judge opens the task while the
/// compilers run).
class StageClock {
public:
    /// `scope` keeps the durations of different workspaces and devices apart.
    StageClock(const QString& file, QString scope);

    [[nodiscard]] StageProgress begin(const QString& stage, const QString& step, int index, int count);
    void end(const QString& stage);
    /// Ends what still runs without remembering how long it took: it did not come to its end.
    void abandon();
    void save() { m_durations.save(); }

private:
    struct Running {
        QString key;
        QElapsedTimer clock;
    };

    StepDurations m_durations;
    QString m_scope;
    QHash<QString, Running> m_running;
};

} // namespace warpwright
