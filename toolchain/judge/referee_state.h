// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/base/data_folders.h"
#include "toolchain/environment/toolchain_probe.h"
#include "toolchain/judge/referee_plan.h"
#include "toolchain/judge/referee_progress.h"

namespace warpwright {

/// Whether the judge that a check needs here is compiled, and how far that is.
struct RefereeState {
    bool isKnown = false;     ///< false: there is no Python with torch or no compiler to build it with
    bool isBuilt = false;     ///< a check can begin at once
    int count = 0;            ///< steps in all
    RefereeProgress progress; ///< of a build that goes on, or was stopped
    double secondsGuess = 0;  ///< for what is left, on as many cores as a build takes here
    QString failureLog;       ///< of the last build, which failed; empty: none did

    bool operator==(const RefereeState &) const = default;
};

/// Reads the judge's sources (for their key), so it belongs in the pool.
[[nodiscard]] RefereeState refereeStateOf(const Toolchain &toolchain, const DataFolders &folders);
[[nodiscard]] RefereeState refereeStateOf(const RefereePlan &plan, const QString &data);

/// What the doctor says of one that is not built.
[[nodiscard]] QString unbuiltWords(const RefereeState &state);

} // namespace warpwright
