// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/schedule/column_scan.h"

#include "agent/playbook/analysis/kernel_family.h"
#include "agent/playbook/ir/kernel_rewriter.h"
#include "agent/playbook/schedule/reduction_schedule.h"
#include "agent/playbook/target/program_device.h"

#include <algorithm>
#include <cmath>

namespace warpwright {
namespace {

constexpr std::int64_t leastRow = 256; ///< a shorter one has few chunks
constexpr int warp = 32;
constexpr int maxBlockWidth = 256;
constexpr int maxBlockWidthOfHalves = 128; ///< of elements of less than four bytes
constexpr int mostThreads = 1024;          ///< of a block
constexpr int maxWarps = 32;
constexpr std::size_t mostAhead = 2; ///< inputs per element of the row, whose prefetches take registers

bool isOfElement(const Kernel &kernel, int number) {
    const KernelInput &input = kernel.inputs[static_cast<std::size_t>(number)];
    return !input.isPlain() || kernel.levelOf(input.address) >= StepLevel::Column;
}

/// Best expected first.
std::vector<int> allScanWarps(const Kernel &kernel) {
    const bool isAhead = !prefetchedScanInputs(kernel).empty();
    const double ofRow = threadsForMemory(deviceOf(kernel)) / static_cast<double>(kernel.rows());
    const double wanted = isAhead ? ofRow : std::max(2 * ofRow, 16.0);
    std::vector<int> warps = {isAhead ? 2 : 4};
    while (warps.back() < maxWarps && warps.back() * scanChunk <= kernel.columns())
        warps.push_back(warps.back() * 2);
    std::stable_sort(warps.begin(), warps.end(), [wanted](int a, int b) {
        return std::abs(std::log2(a / wanted)) < std::abs(std::log2(b / wanted));
    });
    return warps;
}

} // namespace

std::vector<int> prefetchedScanInputs(const Kernel &kernel) {
    std::vector<int> inputs;
    for (std::size_t number = 0; number < kernel.inputs.size(); ++number) {
        const auto input = static_cast<int>(number);
        if (!isOfElement(kernel, input))
            continue;
        if (!kernel.inputs[number].isPlain() || isGuarded(kernel, input))
            return {};
        inputs.push_back(input);
    }
    return inputs.size() <= mostAhead ? inputs : std::vector<int>();
}

int scanBlockWidth(const Kernel &kernel) {
    const std::vector<int> ahead = prefetchedScanInputs(kernel);
    const bool isOfHalves = std::any_of(ahead.begin(), ahead.end(), [&kernel](int input) {
        return bytesOf(kernel.inputs[static_cast<std::size_t>(input)].type) < 4;
    });
    // Nine in ten SMs have one.
    const std::int64_t fewestBlocks = (std::int64_t(9) * deviceOf(kernel).processors + 9) / 10;
    int blockWidth = ahead.empty() ? warp : isOfHalves ? maxBlockWidthOfHalves : maxBlockWidth;
    const int warps = allScanWarps(kernel).front();
    while (blockWidth > warp &&
           (blockWidth * warps > mostThreads || (kernel.rows() + blockWidth - 1) / blockWidth < fewestBlocks))
        blockWidth -= warp;
    return blockWidth;
}

std::vector<int> scanWarps(const Kernel &kernel) {
    constexpr std::size_t mostChoices = 4; // each is compiled
    std::vector<int> warps = allScanWarps(kernel);
    const int blockWidth = scanBlockWidth(kernel);
    std::erase_if(warps, [blockWidth](int some) { return blockWidth * some > mostThreads; });
    warps.resize(std::min(warps.size(), mostChoices));
    return warps;
}

bool isColumnScan(const Kernel &kernel) {
    const auto count = [&kernel](bool (*is)(Opcode)) {
        return std::count_if(kernel.steps.begin(), kernel.steps.end(),
                             [is](const KernelStep &step) { return is(step.op); });
    };
    return kernel.isLoops() && kernel.columns() >= leastRow && count(isScan) == 1 &&
           count(isReduction) == 0 && familyOf(kernel) == KernelFamily::Windows &&
           scheduleOf(kernel, RowCaching::Nothing).rowStores.empty();
}

} // namespace warpwright
