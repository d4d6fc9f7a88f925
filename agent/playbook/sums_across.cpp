// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/sums_across.h"

#include <algorithm>
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

enum class Direction { Neither, Along, Across };

Direction directionOf(const FusedKernel &kernel, const KernelLeaf &leaf) {
    double bytes = bytesOf(leaf.type);
    bool isAlong = false;
    bool isAcross = false;
    for (std::size_t k = 0; k < kernel.loops.size(); ++k) {
        const std::int64_t step = leaf.address.steps[k];
        bytes *= step != 0 ? static_cast<double>(kernel.loops[k]) : 1;
        if (std::abs(step) != 1 || kernel.loops[k] < fewNeighbours)
            continue;
        (k < kernel.outer ? isAcross : isAlong) = true;
    }
    const bool isLarge = leaf.isPlain() && bytes >= largeBytes;
    return !isLarge || isAlong == isAcross ? Direction::Neither
           : isAlong                       ? Direction::Along
                                           : Direction::Across;
}

} // namespace

int sumAcross(const FusedKernel &kernel, const std::map<int, int> &sums) {
    int across = -1;
    bool isAnyAlong = false;
    for (const auto &[step, node] : sums)
        for (const int leaf : leavesUnder(kernel, step)) {
            const Direction direction = directionOf(kernel, kernel.leaves[static_cast<std::size_t>(leaf)]);
            isAnyAlong = isAnyAlong || direction == Direction::Along;
            if (direction == Direction::Across)
                across = node;
        }
    return isAnyAlong ? across : -1;
}

bool turnsResults(const FusedKernel &kernel) {
    if (!kernel.hasReductions())
        return false;
    return std::any_of(kernel.leaves.begin(), kernel.leaves.end(), [&](const KernelLeaf &leaf) {
        double bytes = bytesOf(leaf.type);
        bool isTurned = false;
        for (std::size_t k = 0; k < kernel.loops.size(); ++k) {
            bytes *= leaf.address.steps[k] != 0 ? static_cast<double>(kernel.loops[k]) : 1;
            const bool isAlong = std::abs(leaf.address.steps[k]) == 1 && kernel.loops[k] >= fewNeighbours;
            isTurned = isTurned || (isAlong && std::any_of(kernel.stores.begin(), kernel.stores.end(),
                                                           [&](const KernelStore &store) {
                                                               return kernel.levelOf(store.address) >=
                                                                          StepLevel::Column &&
                                                                      std::abs(store.address.steps[k]) > 1;
                                                           }));
        }
        return leaf.isPlain() && isTurned && bytes >= largeBytes;
    });
}

} // namespace warpwright
