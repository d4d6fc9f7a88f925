// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/schedule/matmul/across_product.h"

#include "agent/playbook/analysis/instruction_cost.h"
#include "agent/playbook/ir/product_terms.h"
#include "agent/playbook/schedule/matmul/skinny_matmul.h"
#include "agent/playbook/target/plan_device.h"

#include <algorithm>
#include <limits>

namespace warpwright {
namespace {

constexpr std::int64_t pack = 4;       ///< floats that one instruction moves, and the copy engine counts by
constexpr std::int64_t leastRows = 32; ///< with fewer, the units wait for what is read
constexpr std::int64_t leastInner = 32;
constexpr std::int64_t mostPacks = 4; ///< read beside: registers are few
constexpr std::int64_t mostOfRows = 8;

std::int64_t parts(std::int64_t whole, std::int64_t part) {
    return (whole + part - 1) / part;
}

/// Along the columns or one for all of them, in packs, and counted by an int.
bool liesAcross(const FusedKernel &kernel, const AffineIndex &address) {
    const std::int64_t column = address.steps[2];
    std::int64_t last = address.offset;
    bool isInPacks = address.offset >= 0;
    for (std::size_t k = 0; k < 3; ++k) {
        isInPacks = isInPacks && address.steps[k] >= 0;
        last += address.steps[k] * (kernel.loops[k] - 1);
        if (k != 2 && column == 1)
            isInPacks = isInPacks && address.steps[k] % pack == 0;
    }
    return isInPacks && column <= 1 && (column == 0 || address.offset % pack == 0) &&
           last <= std::numeric_limits<int>::max();
}

} // namespace

bool isAcrossProduct(const FusedKernel &kernel) {
    return isOwnProduct(kernel) && hasBatches(kernel) && kernel.leaves[0].type == ElementType::Float32 &&
           kernel.leaves[1].address.steps[3] != 1;
}

bool canBeAcrossProduct(const FusedKernel &kernel) {
    if (kernel.anchor != Anchor::Product || kernel.loops.size() != 4 || !kernel.epilogue.isEmpty() ||
        kernel.stores.size() != 1 || isSmallProduct(kernel) || otherSumOf(kernel) >= 0 ||
        hasSlowSteps(kernel))
        return false;
    const std::int64_t rows = kernel.loops[1];
    const std::int64_t columns = kernel.loops[2];
    const std::int64_t inner = kernel.loops[3];
    const AffineIndex &first = kernel.leaves[0].address;
    const AffineIndex &second = kernel.leaves[1].address;
    const KernelStore &store = kernel.stores[0];
    const bool isLarge =
        rows >= leastRows && inner >= leastInner &&
        kernel.loops[0] * parts(columns, acrossTileColumns) * parts(rows, acrossTileRows(kernel)) >=
            tilesForMost(deviceOf(kernel));
    // The same for all batches, as weights are, or one for each.
    const bool isOfWeights = first.steps[0] >= 0 && first.steps[0] % pack == 0 &&
                             (first.steps[0] == 0 || first.steps[0] >= inner) && first.steps[3] == 1 &&
                             first.steps[1] >= inner && first.steps[1] % pack == 0 &&
                             first.offset % pack == 0 && first.offset >= 0;
    const bool isOfColumns = second.steps[2] == 1 && second.steps[1] == 0 && second.steps[3] >= columns &&
                             second.steps[3] % pack == 0 && second.steps[0] >= columns &&
                             second.steps[0] % pack == 0 && second.offset % pack == 0 && second.offset >= 0;
    if (!isLarge || !isOfWeights || !isOfColumns || columns % pack != 0 || store.address.steps[2] != 1 ||
        !liesAcross(kernel, store.address))
        return false;
    return std::all_of(
               kernel.leaves.begin(), kernel.leaves.end(),
               [](const KernelLeaf &leaf) { return leaf.isPlain() && leaf.type == ElementType::Float32; }) &&
           store.type == ElementType::Float32 && packsBeside(kernel) <= mostPacks &&
           static_cast<std::int64_t>(kernel.leaves.size()) - 2 - packsBeside(kernel) <= mostOfRows &&
           std::all_of(kernel.leaves.begin() + 2, kernel.leaves.end(),
                       [&](const KernelLeaf &leaf) { return liesAcross(kernel, leaf.address); }) &&
           std::none_of(kernel.steps.begin(), kernel.steps.end(),
                        [](const KernelStep &step) { return step.op == KernelOp::Index || step.isGuarded; });
}

std::int64_t packsBeside(const FusedKernel &kernel) {
    return std::count_if(kernel.leaves.begin() + 2, kernel.leaves.end(),
                         [](const KernelLeaf &leaf) { return leaf.address.steps[2] != 0; });
}

int acrossTileRows(const FusedKernel &kernel) {
    // A thread's sums are as many as rows; the columns are read once for each tile of rows.
    int best = 128;
    for (const int rows : {96, 64})
        if (parts(kernel.loops[1], rows) * rows < parts(kernel.loops[1], best) * best)
            best = rows;
    return best;
}

} // namespace warpwright
