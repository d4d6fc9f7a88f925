// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/kernel.h"

#include <set>

namespace warpwright {

/// What is cached of a row between the loops over it, and not recomputed or read again.
enum class RowCaching {
    Nothing,
    Costly, ///< what costs more than a load and a few instructions: a CPU has the row in its cache anyway
    All,    ///< loads as well: on a GPU, where registers hold the row
};

/// One loop over the elements of a row.
struct ReductionPass {
    std::vector<int> reductions;        ///< steps of the reductions that it computes
    std::vector<int> stores;            ///< indices of the kernel's stores: what it writes per element
    std::vector<int> computed;          ///< per-element steps that it computes, in order
    std::vector<int> cached;            ///< of these, what later loops reuse
    std::vector<int> reused;            ///< what it reuses from earlier loops
    std::vector<ReductionPass> selects; ///< after it: k-th values, each found by loops of its own

    bool operator==(const ReductionPass &) const = default;
};

/// A kernel's steps in the order of its text: before, between and after its loops over a row.
struct ReductionSchedule {
    std::vector<ReductionPass> passes;
    /// [p]: per-row steps that get a name before pass p; the last: after all passes.
    std::vector<std::vector<int>> named;
    std::vector<int> rowStores; ///< indices of the stores that are written once per row
    std::vector<int> cached;    ///< all cached steps, in order
    std::vector<int> uses;      ///< by step: how often the text uses it

    bool operator==(const ReductionSchedule &) const = default;
};

/// How often the text of a loop uses a step: from the second time on it needs a name. A Select's operand
/// counts twice, for a branch that computes cannot be vectorized.
[[nodiscard]] int usesIn(const Kernel &kernel, const ReductionPass &pass, int step);

/// How many values of each element are cached at a time: one that only makes the next frees its register.
[[nodiscard]] int maxCachedAtOnce(const ReductionSchedule &schedule);

/// `fleeting`: steps that are recomputed in each loop.
[[nodiscard]] ReductionSchedule scheduleOf(const Kernel &kernel, RowCaching caching,
                                           const std::set<int> &fleeting = {});

} // namespace warpwright
