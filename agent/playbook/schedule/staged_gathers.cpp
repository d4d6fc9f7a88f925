// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/schedule/staged_gathers.h"

#include "agent/playbook/ir/kernel_parts.h"
#include "agent/playbook/schedule/places_cuda.h"
#include "agent/playbook/schedule/transpose_tile.h"
#include "agent/playbook/target/plan_device.h"

#include <algorithm>

namespace warpwright {
namespace {

constexpr std::int64_t mostBytes = 200 * 1024;
constexpr std::int64_t ofTwoBlocks = 113 * 1024; ///< a multiprocessor has room for two of them
constexpr std::int64_t leastElements = 512;      ///< fewer lie in few lines
constexpr std::int64_t leastColumns = 512;       ///< two for each thread of a block
constexpr std::int64_t unasked = 48 * 1024;      ///< that every GPU gives a block
constexpr std::int64_t bytesOfOrder = 4;         ///< of a place
constexpr std::int64_t widestPack = 8;

/// Whether values from memory say where.
std::vector<bool> hangOnMemory(const FusedKernel &kernel) {
    std::vector<bool> hangs;
    for (const KernelStep &step : kernel.steps)
        hangs.push_back(step.op == KernelOp::Load ||
                        std::any_of(step.operands.begin(), step.operands.end(), [&hangs](int operand) {
                            return hangs[static_cast<std::size_t>(operand)];
                        }));
    return hangs;
}

/// Elements of the segments that the outer loops go through, one behind the other, if all of the tensor is
/// such: then what is counted besides, and is there in every row, stays within one. What a condition says is
/// not there may lie beyond. 0: it is not.
std::int64_t segmentOf(const FusedKernel &kernel, int number) {
    if (isGuarded(kernel, number))
        return 0;
    const KernelLeaf &leaf = kernel.leaves[static_cast<std::size_t>(number)];
    std::vector<std::pair<std::int64_t, std::int64_t>> outer; // steps and sizes
    for (std::size_t k = 0; k < kernel.loops.size(); ++k) {
        const std::int64_t step = leaf.address.steps[k];
        if (step < 0 || (step > 0 && k >= kernel.outer))
            return 0;
        if (step > 0)
            outer.emplace_back(step, kernel.loops[k]);
    }
    if (outer.empty())
        return 0;
    std::sort(outer.begin(), outer.end());
    const std::int64_t segment = outer.front().first;
    std::int64_t whole = segment;
    for (const auto &[step, size] : outer) {
        if (step != whole)
            return 0;
        whole *= size;
    }
    const bool isInside = leaf.address.offset >= 0 && leaf.address.offset < segment;
    const bool isRising =
        std::all_of(leaf.strides.begin(), leaf.strides.end(), [](std::int64_t stride) { return stride > 0; });
    return whole == leaf.elements && isInside && isRising ? segment : 0;
}

/// How many rows look up in one order, read from memory, and have nothing of their own: it takes the first
/// cache as long as the rows do. On an H100 30000 rows of 4096 halves took 237 us one by one, by fours 172.
int rowsTogether(const FusedKernel &kernel, const StagedGather &staged) {
    const bool isOneOrder =
        std::any_of(kernel.leaves.begin(), kernel.leaves.end(), [](const KernelLeaf &leaf) {
            return leaf.isPlain() && leaf.address.steps[0] == 0 && bytesOf(leaf.type) >= bytesOfOrder;
        });
    const bool hasOwn = std::any_of(kernel.steps.begin(), kernel.steps.end(), [](const KernelStep &step) {
        return step.level == StepLevel::Row && step.op != KernelOp::Number;
    });
    const bool isNextTo = kernel.outer == 1 && staged.begin.steps[0] == staged.elements;
    if (!isOneOrder || hasOwn || !isNextTo || kernel.columns() % widestPack != 0)
        return 1;
    for (const int rows : {4, 5, 3, 2})
        if (kernel.rows() % rows == 0 && !hasFewRowsForDevice(deviceOf(kernel), kernel.rows() / rows) &&
            rows * staged.bytes() <= unasked)
            return rows;
    return 1;
}

} // namespace

bool StagedGather::holds(int leaf) const {
    return std::find(leaves.begin(), leaves.end(), leaf) != leaves.end();
}

std::optional<StagedGather> stagedGatherOf(const FusedKernel &kernel) {
    if (!isOfLoops(kernel) || kernel.hasReductions() || kernel.outer == 0 ||
        hasFewRowsForDevice(deviceOf(kernel), kernel.rows()) || kernel.columns() < leastColumns ||
        tiledLoopsOf(kernel) || withPlacesInThreads(kernel))
        return std::nullopt;
    const std::vector<bool> hangs = hangOnMemory(kernel);
    std::optional<StagedGather> best;
    for (const KernelStep &step : kernel.steps) {
        if (step.op != KernelOp::Load || best)
            continue;
        const KernelLeaf &leaf = kernel.leaves[static_cast<std::size_t>(step.leaf)];
        const bool isLookedUp = std::any_of(step.operands.begin(), step.operands.end(), [&](int operand) {
            return hangs[static_cast<std::size_t>(operand)] &&
                   kernel.step(operand).level >= StepLevel::Column;
        });
        if (leaf.isPlain() || !isLookedUp)
            continue;
        StagedGather staged{{}, leaf.address, segmentOf(kernel, step.leaf), bytesOf(leaf.type)};
        staged.begin.offset = 0;
        if (staged.elements < leastElements || staged.bytes() > mostBytes ||
            staged.elements > 2 * kernel.columns())
            continue;
        for (std::size_t i = 0; i < kernel.leaves.size(); ++i) {
            const KernelLeaf &other = kernel.leaves[i];
            if (other.buffer == leaf.buffer && other.type == leaf.type && !other.isPlain() &&
                other.address.steps == leaf.address.steps &&
                segmentOf(kernel, static_cast<int>(i)) == staged.elements)
                staged.leaves.push_back(static_cast<int>(i));
        }
        staged.rows = rowsTogether(kernel, staged);
        best = staged;
    }
    return best;
}

std::vector<int> stagingThreads(const StagedGather &staged) {
    if (staged.bytes() > ofTwoBlocks)
        return {1024, 512};
    return staged.isLarge() ? std::vector<int>{512, 1024, 256} : std::vector<int>{256, 512, 128, 1024};
}

} // namespace warpwright
