// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/schedule/online_reduction.h"

#include "agent/playbook/analysis/kernel_family.h"
#include "agent/playbook/schedule/online_softmax.h"
#include "agent/playbook/schedule/reduction_schedule.h"
#include "agent/playbook/target/program_device.h"

#include <algorithm>

namespace warpwright {
namespace {

constexpr int smallBlock = 16; ///< columns of a block that leaves room for others
/// More floats of a row leave no room for a second block: 512 threads with 40 each, and their other
/// registers.
constexpr std::int64_t maxCachedOfRow = 20'480;

} // namespace

bool hasOnlineSoftmax(const Kernel &kernel) {
    const std::vector<OnlineSoftmax> online = onlineSoftmaxOf(kernel);
    if (online.empty())
        return false;
    const bool isWhole = withOnlineSums(kernel, online).passCount() == 1;
    if (familyOf(kernel) == KernelFamily::Columns)
        return isWhole || cachedPerWarp(kernel, maxBlockWarps) > maxCachedPerWarp(kernel);
    if (familyOf(kernel) != KernelFamily::Rows || hasFewRowsForDevice(deviceOf(kernel), kernel.rows()))
        return false;
    return isWhole || cachedValues(kernel) * kernel.columns() > maxCachedOfRow;
}

bool canFuseBlockReductions(const Kernel &kernel) {
    constexpr std::ptrdiff_t fewSums = 8;
    const auto sums = std::count_if(kernel.steps.begin(), kernel.steps.end(),
                                    [](const KernelStep &step) { return isReduction(step.op); });
    return sums > fewSums && kernel.isLoops() && familyOf(kernel) == KernelFamily::Rows &&
           kernel.passCount() == 1 && !kernel.hasScans() && !kernel.hasKthValues() &&
           !hasOnlineSoftmax(kernel) &&
           std::all_of(kernel.stores.begin(), kernel.stores.end(), [&kernel](const KernelStore &store) {
               return kernel.levelOf(store.address) <= StepLevel::Row;
           });
}

std::optional<int> fewNeighbours(const Kernel &kernel) {
    if (familyOf(kernel) != KernelFamily::Columns || kernel.loops.size() != kernel.outer + 1)
        return std::nullopt;
    const std::int64_t few = kernel.loops[kernel.outer - 1];
    const auto isInOrder = [&](const KernelInput &input) {
        return input.isPlain() && input.address.steps.back() == few &&
               input.address.steps[kernel.outer - 1] == 1;
    };
    const bool areInOrder =
        std::all_of(kernel.inputs.begin(), kernel.inputs.end(), [&](const KernelInput &input) {
            return kernel.levelOf(input.address) < StepLevel::Element || isInOrder(input);
        });
    return few > 1 && few < 32 && areInOrder ? std::optional(static_cast<int>(few)) : std::nullopt;
}

int cachedValues(const Kernel &kernel) {
    return maxCachedAtOnce(scheduleOf(kernel, RowCaching::All));
}

std::int64_t cachedPerWarp(const Kernel &kernel, int warps) {
    return (kernel.columns() + warps - 1) / warps * std::max(cachedValues(kernel), 1);
}

int maxCachedPerWarp(const Kernel &kernel) {
    return fewNeighbours(kernel).value_or(smallBlock) < smallBlock ? 2 * maxCachedOfWarp : maxCachedOfWarp;
}

} // namespace warpwright
