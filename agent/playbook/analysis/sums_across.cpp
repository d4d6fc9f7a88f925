// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/analysis/sums_across.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <set>

namespace warpwright {
namespace {

constexpr double largeBytes =
    16e6; ///< below it a pass of its own costs more than lines of memory read in vain
constexpr std::int64_t fewNeighbours = 8;

/// What a step reads from memory itself, other sums aside.
std::set<int> leavesUnder(const FusedKernel &kernel, int sum) {
    std::set<int> leaves;
    std::set<int> seen;
    std::vector<int> open = kernel.step(sum).operands;
    while (!open.empty()) {
        const int number = open.back();
        open.pop_back();
        const KernelStep &step = kernel.step(number);
        if (!seen.insert(number).second || isReduction(step.op))
            continue;
        if (step.op == KernelOp::Load)
            leaves.insert(step.leaf);
        open.insert(open.end(), step.operands.begin(), step.operands.end());
    }
    return leaves;
}

bool isLarge(const FusedKernel &kernel, const KernelLeaf &leaf) {
    double bytes = bytesOf(leaf.type);
    for (std::size_t k = 0; k < kernel.loops.size(); ++k)
        bytes *= leaf.address.steps[k] != 0 ? static_cast<double>(kernel.loops[k]) : 1;
    return leaf.isPlain() && bytes >= largeBytes;
}

/// Whether neighbours in memory are neighbours in this loop, and more than a few.
bool isAlongLoop(const FusedKernel &kernel, const KernelLeaf &leaf, std::size_t loop) {
    return std::abs(leaf.address.steps[loop]) == 1 && kernel.loops[loop] >= fewNeighbours;
}

enum class Direction { Neither, Along, Across };

Direction directionOf(const FusedKernel &kernel, const KernelLeaf &leaf) {
    if (kernel.levelOf(leaf.address) < StepLevel::Column) // one value a row, wherever it lies
        return Direction::Neither;
    bool isAlong = false;
    bool isAcross = false;
    for (std::size_t k = 0; k < kernel.loops.size(); ++k)
        if (isAlongLoop(kernel, leaf, k))
            (k < kernel.outer ? isAcross : isAlong) = true;
    return !isLarge(kernel, leaf) || isAlong == isAcross ? Direction::Neither
           : isAlong                                     ? Direction::Along
                                                         : Direction::Across;
}

} // namespace

int sumAcross(const FusedKernel &kernel, const std::map<int, int> &sums) {
    int across = -1;
    bool isAnyAlong = false;
    for (const auto &[step, node] : sums) {
        bool isAlong = false;
        bool isAcross = false;
        for (const int leaf : leavesUnder(kernel, step)) {
            const Direction direction = directionOf(kernel, kernel.leaves[static_cast<std::size_t>(leaf)]);
            isAlong = isAlong || direction == Direction::Along;
            isAcross = isAcross || direction == Direction::Across;
        }
        isAnyAlong = isAnyAlong || isAlong;
        if (isAcross && !isAlong) // one that reads in both ways does so in any kernel
            across = node;
    }
    return isAnyAlong ? across : -1;
}

bool turnsResults(const FusedKernel &kernel) {
    if (!kernel.hasReductions())
        return false;
    const auto isSpread = [&kernel](std::size_t loop) {
        return std::any_of(kernel.stores.begin(), kernel.stores.end(), [&](const KernelStore &store) {
            return kernel.levelOf(store.address) >= StepLevel::Column &&
                   std::abs(store.address.steps[loop]) > 1;
        });
    };
    return std::any_of(kernel.leaves.begin(), kernel.leaves.end(), [&](const KernelLeaf &leaf) {
        bool isTurned = false;
        for (std::size_t k = 0; k < kernel.loops.size(); ++k)
            isTurned = isTurned || (isAlongLoop(kernel, leaf, k) && isSpread(k));
        return isTurned && isLarge(kernel, leaf);
    });
}

std::optional<std::vector<std::size_t>> orderOfReading(const FusedKernel &kernel, const IndexMap &map) {
    const KernelLeaf *largest = nullptr;
    std::int64_t most = 0;
    for (const KernelLeaf &leaf : kernel.leaves) {
        std::int64_t elements = 1;
        for (std::size_t k = 0; k < kernel.loops.size(); ++k)
            elements *= leaf.address.steps[k] != 0 ? kernel.loops[k] : 1;
        if (elements > most) {
            most = elements;
            largest = &leaf;
        }
    }
    // Each dimension is one loop, which the leaf follows.
    std::vector<std::int64_t> steps;
    std::set<std::size_t> taken;
    for (const AffineIndex &index : map) {
        std::optional<std::size_t> only;
        for (std::size_t k = 0; k < index.steps.size(); ++k)
            if (index.steps[k] != 0) {
                if (only || k >= kernel.loops.size() || index.steps[k] != 1 || !taken.insert(k).second)
                    return std::nullopt;
                only = k;
            }
        if (index.offset != 0 || (only && largest == nullptr))
            return std::nullopt;
        steps.push_back(only ? largest->address.steps[*only] : std::numeric_limits<std::int64_t>::max());
        if (steps.back() <= 0)
            return std::nullopt;
    }
    std::vector<std::size_t> order(map.size());
    std::iota(order.begin(), order.end(), std::size_t(0));
    std::stable_sort(order.begin(), order.end(),
                     [&steps](std::size_t a, std::size_t b) { return steps[a] > steps[b]; });
    return order.empty() ? std::nullopt : std::optional(order);
}

} // namespace warpwright
