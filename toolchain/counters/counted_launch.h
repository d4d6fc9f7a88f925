// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/counters/counters.h"

#include <QString>

#include <memory>

namespace warpwright {

/// One launch within what was collected; it keeps that alive. Rows are made of it, and whoever shows them
/// chooses it.
struct CountedLaunch {
    std::shared_ptr<const Counters> counters;
    int kernel = -1;
    QString origin; ///< of a baseline, for people: "iteration 6"; empty: of the same collection

    [[nodiscard]] const KernelCounters *launch() const;
    /// "strided, launch 1", with its origin before it
    [[nodiscard]] QString name() const;
};

/// The launch of `counters` that answers to this one: the same arm, the same function, the same place among
/// its launches, or the last one there is; none: it has no such kernel.
[[nodiscard]] int matchingLaunch(const Counters &counters, const Counters &of, int kernel);

} // namespace warpwright
