// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/counters/counters.h"

namespace warpwright {

/// All launches of one kernel, in microseconds under the profiler.
struct KernelSum {
    QString name; ///< as in KernelCounters
    QString function;
    int launches = 0; ///< those that are not kept included
    double total = 0;
    double median = 0;
    double least = 0;
    double most = 0;
    double share = 0;                      ///< of the arm's total, 0 … 1
    const KernelCounters *shown = nullptr; ///< the longest of those in full, else of those kept; null: none

    bool operator==(const KernelSum &) const = default;
};

/// Kernels of an arm by their total, the most first. Launches without a time count as 0. Points into
/// `counters`.
[[nodiscard]] std::vector<KernelSum> kernelSums(const Counters &counters, const QString &arm);

} // namespace warpwright
