// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/schedule/column_scan.h"

#include "agent/playbook/analysis/kernel_family.h"
#include "agent/playbook/ir/kernel_parts.h"
#include "agent/playbook/schedule/kernel_schedule.h"
#include "agent/playbook/target/plan_device.h"

#include <algorithm>
#include <cmath>

namespace warpwright {
namespace {

constexpr std::int64_t leastRow = 256; ///< a shorter one is a few pieces
constexpr int warp = 32;
constexpr int mostLanes = 256;
constexpr int mostLanesOfHalves = 128; ///< of elements of less than four bytes
constexpr int mostThreads = 1024;      ///< of a block
constexpr int mostGroups = 32;
constexpr std::size_t mostAhead = 2; ///< elements in memory for one of the row, whose loads take registers

bool isOfElement(const FusedKernel &kernel, int number) {
    const KernelLeaf &leaf = kernel.leaves[static_cast<std::size_t>(number)];
    return !leaf.isPlain() || kernel.levelOf(leaf.address) >= StepLevel::Column;
}

/// By how much they promise.
std::vector<int> allGroupsOfScan(const FusedKernel &kernel) {
    const bool isAhead = !scanLeavesAhead(kernel).empty();
    const double ofRow = threadsForMemory(deviceOf(kernel)) / static_cast<double>(kernel.rows());
    const double wanted = isAhead ? ofRow : std::max(2 * ofRow, 16.0);
    std::vector<int> groups = {isAhead ? 2 : 4};
    while (groups.back() < mostGroups && groups.back() * scanPiece <= kernel.columns())
        groups.push_back(groups.back() * 2);
    std::stable_sort(groups.begin(), groups.end(), [wanted](int a, int b) {
        return std::abs(std::log2(a / wanted)) < std::abs(std::log2(b / wanted));
    });
    return groups;
}

} // namespace

std::vector<int> scanLeavesAhead(const FusedKernel &kernel) {
    std::vector<int> leaves;
    for (std::size_t number = 0; number < kernel.leaves.size(); ++number) {
        const auto leaf = static_cast<int>(number);
        if (!isOfElement(kernel, leaf))
            continue;
        if (!kernel.leaves[number].isPlain() || isGuarded(kernel, leaf))
            return {};
        leaves.push_back(leaf);
    }
    return leaves.size() <= mostAhead ? leaves : std::vector<int>();
}

int lanesOfScan(const FusedKernel &kernel) {
    const std::vector<int> ahead = scanLeavesAhead(kernel);
    const bool isOfHalves = std::any_of(ahead.begin(), ahead.end(), [&kernel](int leaf) {
        return bytesOf(kernel.leaves[static_cast<std::size_t>(leaf)].type) < 4;
    });
    // Nine in ten multiprocessors have one.
    const std::int64_t fewestBlocks = (std::int64_t(9) * deviceOf(kernel).processors + 9) / 10;
    int lanes = ahead.empty() ? warp : isOfHalves ? mostLanesOfHalves : mostLanes;
    const int groups = allGroupsOfScan(kernel).front();
    while (lanes > warp &&
           (lanes * groups > mostThreads || (kernel.rows() + lanes - 1) / lanes < fewestBlocks))
        lanes -= warp;
    return lanes;
}

std::vector<int> groupsOfScan(const FusedKernel &kernel) {
    constexpr std::size_t mostChoices = 4; // each is compiled
    std::vector<int> groups = allGroupsOfScan(kernel);
    const int lanes = lanesOfScan(kernel);
    std::erase_if(groups, [lanes](int some) { return lanes * some > mostThreads; });
    groups.resize(std::min(groups.size(), mostChoices));
    return groups;
}

bool isColumnScan(const FusedKernel &kernel) {
    const auto count = [&kernel](bool (*is)(KernelOp)) {
        return std::count_if(kernel.steps.begin(), kernel.steps.end(),
                             [is](const KernelStep &step) { return is(step.op); });
    };
    return kernel.anchor == Anchor::None && kernel.columns() >= leastRow && count(isScan) == 1 &&
           count(isReduction) == 0 && familyOf(kernel) == KernelFamily::Windows &&
           scheduleOf(kernel, Keeping::Nothing).rowStores.empty();
}

} // namespace warpwright
