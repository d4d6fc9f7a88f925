// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/base/result.h"

#include <QDateTime>
#include <QString>

#include <optional>

namespace warpwright {

/// How far a build of the judge is, told by what lies in the folder that it goes on in: also to those who
/// only wait for it, in other processes, and to the doctor.
struct RefereeProgress {
    int done = 0;  ///< of `count` steps, those of a build that was stopped among them
    int count = 0; ///< 0: unknown, for no build goes on there
    bool isRunning = false;
    std::optional<double> secondsLeft = std::nullopt; ///< by the steps since it began; empty: too few to tell

    /// The step that is being taken, from 1.
    [[nodiscard]] int step() const { return done < count ? done + 1 : count; }
    bool operator==(const RefereeProgress &) const = default;
};

/// To be written when a build begins in this folder, and removed before the folder is used: the steps that
/// follow are timed from it.
[[nodiscard]] Result<void> noteRefereeBegun(const QString &buildFolder, int count);
void forgetRefereeBegun(const QString &buildFolder);

[[nodiscard]] RefereeProgress refereeProgressIn(const QString &buildFolder, const QDateTime &now);

/// Where nothing was timed: what so many steps take, so many of them at once.
[[nodiscard]] double refereeSecondsGuess(int steps, int jobs);

/// "about 3 min", "less than a minute"
[[nodiscard]] QString roughTimeText(double seconds);

} // namespace warpwright
