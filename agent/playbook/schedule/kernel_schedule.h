// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/fused_kernel.h"

#include <set>

namespace warpwright {

/// What is kept of a row from one loop over it to the next, and not computed or read again.
enum class Keeping {
    Nothing,
    Costly, ///< what took more than a load and a few instructions: on a CPU a row is in the cache anyway
    All,    ///< also what was only read: on a GPU, where registers hold the row
};

/// One loop over the elements of a row.
struct KernelPass {
    std::vector<int> reductions;    ///< steps whose sums it forms
    std::vector<int> stores;        ///< of the kernel's stores, by place: what it writes element by element
    std::vector<int> computed;      ///< steps of elements that it computes, in order
    std::vector<int> kept;          ///< of these, what later loops take up
    std::vector<int> taken;         ///< what it takes up from loops before
    std::vector<KernelPass> ranked; ///< after it: elements of a rank, each searched for in loops of its own

    bool operator==(const KernelPass &) const = default;
};

/// A kernel's steps in the order of its text: before, between and after its loops over a row.
struct KernelSchedule {
    std::vector<KernelPass> passes;
    /// [p]: steps of a row that get a name before pass p; the last: after all passes.
    std::vector<std::vector<int>> named;
    std::vector<int> rowStores; ///< by place: written once a row
    std::vector<int> kept;      ///< all that is kept, in the order of their steps
    std::vector<int> uses;      ///< by step: how many texts name it

    bool operator==(const KernelSchedule &) const = default;
};

/// How often the text of a loop names a step: from the second time on it needs a name. What is chosen from by
/// a condition counts twice, for a branch that computes cannot become vector code.
[[nodiscard]] int usesIn(const FusedKernel &kernel, const KernelPass &pass, int step);

/// How many values of each element are kept at a time: one that only makes the next gives up its place to it.
[[nodiscard]] int mostKeptAtOnce(const KernelSchedule &schedule);

/// `fleeting`: steps that are computed anew in each loop.
[[nodiscard]] KernelSchedule scheduleOf(const FusedKernel &kernel, Keeping keeping,
                                        const std::set<int> &fleeting = {});

} // namespace warpwright
