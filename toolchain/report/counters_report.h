// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/base/ink.h"
#include "toolchain/counters/counters.h"

namespace warpwright {

/// A figure of a launch, as every text of counters has it.
struct LaunchFigure {
    QString name;
    std::optional<double> value; ///< none: not collected
    QString text;                ///< with its unit; "–" where there is none

    bool operator==(const LaunchFigure &) const = default;
};
[[nodiscard]] std::vector<LaunchFigure> launchFigures(const KernelCounters &kernel);
/// "rowSums<4>, launch 2: 132 blocks of 256 threads"
[[nodiscard]] QString launchTitle(const KernelCounters &kernel);

/// What was counted, kernel by kernel: time under the profiler, shares of the peak, traffic, occupancy, what
/// warps wait for, the hottest lines, and the tool's own rules. The same words for people and agents. What
/// was not collected is said so, and no zero. Of an arm with more launches than one reads (8) there is a
/// table of its kernels, and then one launch of each, the longest. What is missing stands first; `advice`,
/// how one gets more of it, behind that.
[[nodiscard]] QString countersText(const Counters &counters, const QString &workspace,
                                   const Terminal &terminal, const QString &advice = {});

/// The same numbers of two collections beside each other, kernels of the same name by their order. Two single
/// measurements: differences below 5 % are called noise.
[[nodiscard]] QString countersChangesText(const Counters &before, const Counters &after,
                                          const Terminal &terminal);

/// Every metric of each launch: name, value, unit, in the tool's base units. What is missing stands first.
[[nodiscard]] QString rawCountersText(const Counters &counters, const QString &advice = {});

} // namespace warpwright
