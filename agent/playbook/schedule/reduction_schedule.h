// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/kernel.h"

#include <set>

namespace warpwright {

/// What is kept of a row from one loop over it to the next, and not computed or read again.
enum class RowCaching {
    Nothing,
    Costly, ///< what took more than a load and a few instructions: on a CPU a row is in the cache anyway
    All,    ///< also what was only read: on a GPU, where registers hold the row
};

/// One loop over the elements of a row.
struct ReductionPass {
    std::vector<int> reductions; ///< steps whose sums it forms
    std::vector<int> stores;     ///< of the kernel's stores, by place: what it writes element by element
    std::vector<int> computed;   ///< steps of elements that it computes, in order
    std::vector<int> cached;     ///< of these, what later loops take up
    std::vector<int> reused;     ///< what it takes up from loops before
    std::vector<ReductionPass>
        selects; ///< after it: elements of a rank, each searched for in loops of its own

    bool operator==(const ReductionPass &) const = default;
};

/// A kernel's steps in the order of its text: before, between and after its loops over a row.
struct ReductionSchedule {
    std::vector<ReductionPass> passes;
    /// [p]: steps of a row that get a name before pass p; the last: after all passes.
    std::vector<std::vector<int>> named;
    std::vector<int> rowStores; ///< by place: written once a row
    std::vector<int> cached;    ///< all that is kept, in the order of their steps
    std::vector<int> uses;      ///< by step: how many texts name it

    bool operator==(const ReductionSchedule &) const = default;
};

/// How often the text of a loop names a step: from the second time on it needs a name. What is chosen from by
/// a condition counts twice, for a branch that computes cannot become vector code.
[[nodiscard]] int usesIn(const Kernel &kernel, const ReductionPass &pass, int step);

/// How many values of each element are kept at a time: one that only makes the next gives up its place to it.
[[nodiscard]] int maxCachedAtOnce(const ReductionSchedule &schedule);

/// `fleeting`: steps that are computed anew in each loop.
[[nodiscard]] ReductionSchedule scheduleOf(const Kernel &kernel, RowCaching caching,
                                           const std::set<int> &fleeting = {});

} // namespace warpwright
