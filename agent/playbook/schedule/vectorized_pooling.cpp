// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/schedule/vectorized_pooling.h"

#include "agent/playbook/analysis/kernel_family.h"

#include <algorithm>
#include <map>
#include <vector>

namespace warpwright {
namespace {

constexpr int loadBytes = 16;
constexpr int singleBytes = 8;           ///< of a thread's neighbours that are loaded as scalars
constexpr double leastThreads = 1 << 18; ///< that such a kernel has left: all that run at once
constexpr std::int64_t mostInBag = 512;  ///< longer bags are for several threads

bool isWideAlong(const AffineExpr &address, std::size_t adjacentLoop, int width) {
    for (std::size_t k = 0; k < address.steps.size(); ++k)
        if (k == adjacentLoop ? address.steps[k] != 1 : address.steps[k] % width != 0)
            return false;
    return address.offset % width == 0;
}

/// Embedding bags: rows gathered for each sum, with adjacent sums. The address of a row is the same for all
/// of a thread's neighbours, and no row is read twice, so wide loads of many of them have to be in flight.
bool isOfBags(const Kernel &kernel) {
    const std::size_t adjacentLoop = kernel.outer - 1;
    return familyOf(kernel) == KernelFamily::Columns && kernel.columns() <= mostInBag &&
           std::any_of(kernel.steps.begin(), kernel.steps.end(), [&](const KernelStep &step) {
               return step.op == Opcode::Load && step.level == StepLevel::Element &&
                      !kernel.inputs[static_cast<std::size_t>(step.input)].isPlain() &&
                      kernel.inputs[static_cast<std::size_t>(step.input)].address.steps[adjacentLoop] == 1;
           });
}

/// Whether adjacent rows begin at adjacent elements of it, and share others, if any: with larger strides
/// neighbours' loads would share fewer lines than with one row per thread.
bool isSharedInput(const Kernel &kernel, const KernelInput &input) {
    const std::vector<std::int64_t> &steps = input.address.steps;
    if (!input.isPlain() || steps[kernel.outer - 1] != 1)
        return false;
    bool isOfRows = true;
    for (std::size_t k = kernel.outer; k < kernel.loops.size(); ++k) {
        if (steps[k] == 1 && kernel.loops[k] > 1)
            return true;
        isOfRows = isOfRows && steps[k] == 0;
    }
    return isOfRows;
}

} // namespace

std::set<int> stepsAcrossRows(const Kernel &kernel) {
    std::set<int> found;
    for (std::size_t i = 0; i < kernel.steps.size(); ++i) {
        const KernelStep &step = kernel.steps[i];
        const bool isRead =
            step.op == Opcode::Load &&
            kernel.inputs[static_cast<std::size_t>(step.input)].address.steps[kernel.outer - 1] != 0;
        if (isRead || std::any_of(step.operands.begin(), step.operands.end(),
                                  [&found](int operand) { return found.contains(operand); }))
            found.insert(static_cast<int>(i));
    }
    return found;
}

bool isVectorInput(const KernelInput &input, std::size_t adjacentLoop, int width) {
    return isWideAlong(input.address, adjacentLoop, width) &&
           std::all_of(input.strides.begin(), input.strides.end(),
                       [width](std::int64_t stride) { return stride % width == 0; });
}

int rowsPerThread(const Kernel &kernel) {
    if (!kernel.isLoops() || !kernel.hasReductions() || kernel.hasScans() || kernel.hasKthValues() ||
        kernel.outer == 0 || kernel.passCount() != 1)
        return 1;
    const bool hasBags = isOfBags(kernel);
    if (familyOf(kernel) != KernelFamily::Windows && !hasBags)
        return 1;
    const std::size_t adjacentLoop = kernel.outer - 1;
    const std::set<int> ofRows = stepsAcrossRows(kernel);
    std::map<int, std::vector<int>> operands; // by input: a condition, and what selects the first row
    int largest = 1;
    for (std::size_t i = 0; i < kernel.steps.size(); ++i) {
        const KernelStep &step = kernel.steps[i];
        if (step.op == Opcode::Index && step.index.steps[adjacentLoop] != 0)
            return 1; // it counts the rows
        if (step.op != Opcode::Load || !ofRows.contains(static_cast<int>(i)))
            continue;
        const KernelInput &input = kernel.inputs[static_cast<std::size_t>(step.input)];
        if (std::any_of(step.operands.begin(), step.operands.end(),
                        [&](int operand) { return ofRows.contains(operand); }))
            return 1;
        // At another address, or under another condition, it would be another vector.
        const bool isSame = operands.emplace(step.input, step.operands).first->second == step.operands;
        if (!isSame && input.isPlain())
            return 1;
        largest = std::max(largest, bytesOf(input.type));
    }
    for (const KernelStore &store : kernel.stores) {
        if (kernel.levelOf(store.address) >= StepLevel::Column)
            return 1;
        largest = std::max(largest, bytesOf(store.type));
    }
    const auto inputOf = [&kernel](int input) -> const KernelInput & {
        return kernel.inputs[static_cast<std::size_t>(input)];
    };
    const auto areStored = [&](int width) {
        return kernel.loops[adjacentLoop] % width == 0 &&
               std::all_of(kernel.stores.begin(), kernel.stores.end(), [&](const KernelStore &store) {
                   return isWideAlong(store.address, adjacentLoop, width);
               });
    };
    const auto areEnough = [&kernel](int width) {
        return static_cast<double>(kernel.rows()) / width >= leastThreads;
    };
    for (int width = loadBytes / largest; width > 1 && !operands.empty(); width /= 2)
        if (areStored(width) && (!hasBags || areEnough(width)) &&
            std::all_of(operands.begin(), operands.end(), [&](const auto &entry) {
                return isVectorInput(inputOf(entry.first), adjacentLoop, width);
            }))
            return width;
    // Windows that share elements: their vectors are unaligned, but addresses and what they share are
    // computed once.
    for (int width = singleBytes / largest; width > 1 && !operands.empty() && !hasBags; width /= 2)
        if (areStored(width) && areEnough(width) &&
            std::all_of(operands.begin(), operands.end(), [&](const auto &entry) {
                return entry.second.empty() && isSharedInput(kernel, inputOf(entry.first));
            }))
            return width;
    return 1;
}

bool loadsRowsAsScalars(const Kernel &kernel) {
    const int width = rowsPerThread(kernel);
    const std::size_t adjacentLoop = kernel.outer - 1;
    return width > 1 &&
           std::any_of(kernel.inputs.begin(), kernel.inputs.end(), [&](const KernelInput &input) {
               return input.address.steps[adjacentLoop] != 0 && !isVectorInput(input, adjacentLoop, width);
           });
}

} // namespace warpwright
