// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/schedule/shared_memory_gather.h"

#include "agent/playbook/ir/kernel_rewriter.h"
#include "agent/playbook/schedule/index_sharing.h"
#include "agent/playbook/schedule/transpose_tile.h"
#include "agent/playbook/target/program_device.h"

#include <algorithm>

namespace warpwright {
namespace {

constexpr std::int64_t mostBytes = 200 * 1024;
constexpr std::int64_t ofTwoBlocks = 113 * 1024;       ///< an SM has room for two such blocks
constexpr std::int64_t leastElements = 512;            ///< fewer lie in few cache lines
constexpr std::int64_t leastColumns = 512;             ///< two for each thread of a block
constexpr std::int64_t defaultSharedBytes = 48 * 1024; ///< of a block on every GPU, without opting in
constexpr std::int64_t bytesOfOrder = 4;               ///< of an index
constexpr std::int64_t widestVector = 8;

/// By step: whether it depends on memory.
std::vector<bool> dependOnMemory(const Kernel &kernel) {
    std::vector<bool> depends;
    for (const KernelStep &step : kernel.steps)
        depends.push_back(step.op == Opcode::Load ||
                          std::any_of(step.operands.begin(), step.operands.end(), [&depends](int operand) {
                              return depends[static_cast<std::size_t>(operand)];
                          }));
    return depends;
}

/// Elements of the contiguous segments that the outer loops step through, if these cover the tensor: then all
/// other indices stay within one. Guarded elements may lie beyond. 0: no such segments.
std::int64_t segmentOf(const Kernel &kernel, int number) {
    if (isGuarded(kernel, number))
        return 0;
    const KernelInput &input = kernel.inputs[static_cast<std::size_t>(number)];
    std::vector<std::pair<std::int64_t, std::int64_t>> outer; // steps and sizes
    for (std::size_t k = 0; k < kernel.loops.size(); ++k) {
        const std::int64_t step = input.address.steps[k];
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
    const bool isInside = input.address.offset >= 0 && input.address.offset < segment;
    const bool isRising = std::all_of(input.strides.begin(), input.strides.end(),
                                      [](std::int64_t stride) { return stride > 0; });
    return whole == input.elements && isInside && isRising ? segment : 0;
}

/// How many rows share one gather order, read from memory, and have no values of their own: the order keeps
/// L1 busy as long as the rows do. On an H100 30000 rows of 4096 halves took 237 us one by one, by fours 172.
int rowsPerBlock(const Kernel &kernel, const SharedMemoryGather &gather) {
    const bool isOneOrder =
        std::any_of(kernel.inputs.begin(), kernel.inputs.end(), [](const KernelInput &input) {
            return input.isPlain() && input.address.steps[0] == 0 && bytesOf(input.type) >= bytesOfOrder;
        });
    const bool hasRowValues =
        std::any_of(kernel.steps.begin(), kernel.steps.end(), [](const KernelStep &step) {
            return step.level == StepLevel::Row && step.op != Opcode::Number;
        });
    const bool isNextTo = kernel.outer == 1 && gather.begin.steps[0] == gather.elements;
    if (!isOneOrder || hasRowValues || !isNextTo || kernel.columns() % widestVector != 0)
        return 1;
    for (const int rows : {4, 5, 3, 2})
        if (kernel.rows() % rows == 0 && !hasFewRowsForDevice(deviceOf(kernel), kernel.rows() / rows) &&
            rows * gather.bytes() <= defaultSharedBytes)
            return rows;
    return 1;
}

} // namespace

bool SharedMemoryGather::holds(int input) const {
    return std::find(inputs.begin(), inputs.end(), input) != inputs.end();
}

std::optional<SharedMemoryGather> sharedMemoryGatherOf(const Kernel &kernel) {
    if (!isLoopNest(kernel) || kernel.hasReductions() || kernel.outer == 0 ||
        hasFewRowsForDevice(deviceOf(kernel), kernel.rows()) || kernel.columns() < leastColumns ||
        transposeTileOf(kernel) || withSharedIndices(kernel))
        return std::nullopt;
    const std::vector<bool> depends = dependOnMemory(kernel);
    const std::int64_t room = std::min<std::int64_t>(mostBytes, deviceOf(kernel).sharedBytesOfBlock);
    std::optional<SharedMemoryGather> best;
    for (const KernelStep &step : kernel.steps) {
        if (step.op != Opcode::Load || best)
            continue;
        const KernelInput &input = kernel.inputs[static_cast<std::size_t>(step.input)];
        const bool isGathered = std::any_of(step.operands.begin(), step.operands.end(), [&](int operand) {
            return depends[static_cast<std::size_t>(operand)] &&
                   kernel.step(operand).level >= StepLevel::Column;
        });
        if (input.isPlain() || !isGathered)
            continue;
        SharedMemoryGather gather{{}, input.address, segmentOf(kernel, step.input), bytesOf(input.type)};
        gather.begin.offset = 0;
        if (gather.elements < leastElements || gather.bytes() > room ||
            gather.elements > 2 * kernel.columns())
            continue;
        for (std::size_t i = 0; i < kernel.inputs.size(); ++i) {
            const KernelInput &other = kernel.inputs[i];
            if (other.buffer == input.buffer && other.type == input.type && !other.isPlain() &&
                other.address.steps == input.address.steps &&
                segmentOf(kernel, static_cast<int>(i)) == gather.elements)
                gather.inputs.push_back(static_cast<int>(i));
        }
        gather.rows = rowsPerBlock(kernel, gather);
        best = gather;
    }
    return best;
}

std::vector<int> gatherThreads(const SharedMemoryGather &gather) {
    if (gather.bytes() > ofTwoBlocks)
        return {1024, 512};
    return gather.isLarge() ? std::vector<int>{512, 1024, 256} : std::vector<int>{256, 512, 128, 1024};
}

} // namespace warpwright
