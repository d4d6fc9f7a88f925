// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/join_folding.h"

#include "agent/playbook/kernel_merging.h"
#include "agent/playbook/kernel_parts.h"

#include <algorithm>
#include <map>
#include <set>

namespace warpwright {
namespace {

constexpr std::size_t mostParts = 32;

/// The loop that alone moves an index; empty: none does, or several do.
std::optional<std::size_t> onlyLoop(const FusedKernel &kernel, const AffineIndex &index) {
    std::optional<std::size_t> only;
    for (std::size_t k = 0; k < index.steps.size(); ++k) {
        if (index.steps[k] == 0 || kernel.loops[k] == 1)
            continue;
        if (only)
            return std::nullopt;
        only = k;
    }
    return only;
}

// By loop: the counters at which a condition changes, as "this is the second part" does.
std::map<std::size_t, std::set<std::int64_t>> cutsOf(const FusedKernel &kernel) {
    std::map<std::size_t, std::set<std::int64_t>> cuts;
    for (const KernelStep &step : kernel.steps) {
        if (!isComparison(step.op))
            continue;
        for (const std::size_t i : {0U, 1U}) {
            const KernelStep &counted = kernel.step(step.operands[i]);
            const KernelStep &number = kernel.step(step.operands[1 - i]);
            if (counted.op != KernelOp::Index || number.op != KernelOp::Number)
                continue;
            const auto loop = onlyLoop(kernel, counted.index);
            if (!loop)
                continue;
            const auto is = [&, op = step.op](std::int64_t counter) {
                const auto value =
                    static_cast<double>(counted.index.offset + counted.index.steps[*loop] * counter);
                const double first = i == 0 ? value : number.number;
                const double second = i == 0 ? number.number : value;
                return op == KernelOp::Less          ? first < second
                       : op == KernelOp::LessOrEqual ? first <= second
                                                     : first == second;
            };
            const std::int64_t near = (static_cast<std::int64_t>(number.number) - counted.index.offset) /
                                      counted.index.steps[*loop];
            for (std::int64_t at = std::max<std::int64_t>(near - 1, 1);
                 at <= near + 2 && at < kernel.loops[*loop]; ++at)
                if (is(at) != is(at - 1))
                    cuts[*loop].insert(at);
        }
    }
    return cuts;
}

/// The plan with the kernel's parts instead of it; empty: it would not be better.
std::optional<KernelPlan> takenApart(const KernelPlan &plan, std::size_t place, std::size_t loop,
                                     const std::set<std::int64_t> &cuts) {
    const FusedKernel &join = plan.kernels[place];
    std::vector<FusedKernel> parts;
    std::int64_t begin = 0;
    std::set<std::int64_t> ends = cuts;
    ends.insert(join.loops[loop]);
    for (const std::int64_t end : ends) {
        parts.push_back(partOf(join, loop, begin, end));
        parts.back().finish();
        begin = end;
    }
    if (std::any_of(parts.begin(), parts.end(), [](const FusedKernel &part) { return part.leaves.empty(); }))
        return std::nullopt; // a margin of numbers: who writes the rest writes them as well
    KernelPlan apart = plan;
    const auto at = apart.kernels.begin() + static_cast<std::ptrdiff_t>(place);
    apart.kernels.insert(apart.kernels.erase(at), parts.begin(), parts.end());
    std::size_t left = 0;
    std::size_t part = place;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        if (mergeIntoMaker(apart, part)) // the next part is in its place
            continue;
        ++left;
        ++part;
    }
    const bool isBetter =
        left <= 1 && apart.kernels.size() <= plan.kernels.size() && apart.bytes() < plan.bytes();
    return isBetter ? std::optional(std::move(apart)) : std::nullopt;
}

std::optional<KernelPlan> takenApart(const KernelPlan &plan, std::size_t place) {
    const FusedKernel &join = plan.kernels[place];
    if (join.anchor != Anchor::None || join.hasReductions() || join.stores.size() != 1)
        return std::nullopt;
    for (const auto &[loop, cuts] : cutsOf(join))
        if (cuts.size() < mostParts)
            if (auto apart = takenApart(plan, place, loop, cuts))
                return apart;
    return std::nullopt;
}

} // namespace

void foldJoins(KernelPlan &plan) {
    for (std::size_t i = 0; i < plan.kernels.size();) {
        if (auto apart = takenApart(plan, i)) {
            plan = std::move(*apart);
            i = 0;
        } else {
            ++i;
        }
    }
}

} // namespace warpwright
