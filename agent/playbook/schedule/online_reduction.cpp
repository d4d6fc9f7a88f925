// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/schedule/online_reduction.h"

#include "agent/playbook/analysis/kernel_family.h"
#include "agent/playbook/schedule/kernel_schedule.h"
#include "agent/playbook/schedule/running_softmax.h"
#include "agent/playbook/target/plan_device.h"

#include <algorithm>

namespace warpwright {
namespace {

constexpr int smallBlock = 16; ///< neighbours of one that leaves room for others
/// More floats of a row leave no room for a second block: 512 threads with 40 each, and what they need
/// beside.
constexpr std::int64_t mostKeptOfRow = 20'480;

} // namespace

bool runsAlong(const FusedKernel &kernel) {
    const std::vector<RunningSoftmax> running = runningSoftmaxOf(kernel);
    if (running.empty())
        return false;
    const bool isWhole = withRunningSums(kernel, running).passCount() == 1;
    if (familyOf(kernel) == KernelFamily::Columns)
        return isWhole || keptOfGroup(kernel, mostWarpsOfBlock) > mostOfGroup(kernel);
    if (familyOf(kernel) != KernelFamily::Rows || hasFewRowsForDevice(deviceOf(kernel), kernel.rows()))
        return false;
    return isWhole || keptValues(kernel) * kernel.columns() > mostKeptOfRow;
}

bool meetsOnceForSums(const FusedKernel &kernel) {
    constexpr std::ptrdiff_t fewSums = 8;
    const auto sums = std::count_if(kernel.steps.begin(), kernel.steps.end(),
                                    [](const KernelStep &step) { return isReduction(step.op); });
    return sums > fewSums && kernel.anchor == Anchor::None && familyOf(kernel) == KernelFamily::Rows &&
           kernel.passCount() == 1 && !kernel.hasScans() && !kernel.hasRanks() && !runsAlong(kernel) &&
           std::all_of(kernel.stores.begin(), kernel.stores.end(), [&kernel](const KernelStore &store) {
               return kernel.levelOf(store.address) <= StepLevel::Row;
           });
}

std::optional<int> fewNeighbours(const FusedKernel &kernel) {
    if (familyOf(kernel) != KernelFamily::Columns || kernel.loops.size() != kernel.outer + 1)
        return std::nullopt;
    const std::int64_t few = kernel.loops[kernel.outer - 1];
    const auto isInOrder = [&](const KernelLeaf &leaf) {
        return leaf.isPlain() && leaf.address.steps.back() == few &&
               leaf.address.steps[kernel.outer - 1] == 1;
    };
    const bool areInOrder =
        std::all_of(kernel.leaves.begin(), kernel.leaves.end(), [&](const KernelLeaf &leaf) {
            return kernel.levelOf(leaf.address) < StepLevel::Element || isInOrder(leaf);
        });
    return few > 1 && few < 32 && areInOrder ? std::optional(static_cast<int>(few)) : std::nullopt;
}

int keptValues(const FusedKernel &kernel) {
    return mostKeptAtOnce(scheduleOf(kernel, Keeping::All));
}

std::int64_t keptOfGroup(const FusedKernel &kernel, int groups) {
    return (kernel.columns() + groups - 1) / groups * std::max(keptValues(kernel), 1);
}

int mostOfGroup(const FusedKernel &kernel) {
    return fewNeighbours(kernel).value_or(smallBlock) < smallBlock ? 2 * mostKeptOfGroup : mostKeptOfGroup;
}

} // namespace warpwright
