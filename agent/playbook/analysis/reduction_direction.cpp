// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/analysis/reduction_direction.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <set>

namespace warpwright {
namespace {

constexpr double largeBytes = 16e6; ///< below it a separate pass costs more than wasted cache lines
constexpr std::int64_t fewNeighbours = 8;

/// The inputs of a step, not through other reductions.
std::set<int> inputsUnder(const Kernel &kernel, int sum) {
    std::set<int> inputs;
    std::set<int> seen;
    std::vector<int> open = kernel.step(sum).operands;
    while (!open.empty()) {
        const int number = open.back();
        open.pop_back();
        const KernelStep &step = kernel.step(number);
        if (!seen.insert(number).second || isReduction(step.op))
            continue;
        if (step.op == Opcode::Load)
            inputs.insert(step.input);
        open.insert(open.end(), step.operands.begin(), step.operands.end());
    }
    return inputs;
}

bool isLarge(const Kernel &kernel, const KernelInput &input) {
    double bytes = bytesOf(input.type);
    for (std::size_t k = 0; k < kernel.loops.size(); ++k)
        bytes *= input.address.steps[k] != 0 ? static_cast<double>(kernel.loops[k]) : 1;
    return input.isPlain() && bytes >= largeBytes;
}

/// Whether the input is contiguous along this loop, for more than a few elements.
bool isAlongLoop(const Kernel &kernel, const KernelInput &input, std::size_t loop) {
    return std::abs(input.address.steps[loop]) == 1 && kernel.loops[loop] >= fewNeighbours;
}

enum class Direction { Neither, Along, Across };

Direction directionOf(const Kernel &kernel, const KernelInput &input) {
    if (kernel.levelOf(input.address) < StepLevel::Column) // one value a row
        return Direction::Neither;
    bool isAlong = false;
    bool isAcross = false;
    for (std::size_t k = 0; k < kernel.loops.size(); ++k)
        if (isAlongLoop(kernel, input, k))
            (k < kernel.outer ? isAcross : isAlong) = true;
    return !isLarge(kernel, input) || isAlong == isAcross ? Direction::Neither
           : isAlong                                      ? Direction::Along
                                                          : Direction::Across;
}

} // namespace

int uncoalescedReduction(const Kernel &kernel, const std::map<int, int> &sums) {
    int across = -1;
    bool isAnyAlong = false;
    for (const auto &[step, node] : sums) {
        bool isAlong = false;
        bool isAcross = false;
        for (const int input : inputsUnder(kernel, step)) {
            const Direction direction = directionOf(kernel, kernel.inputs[static_cast<std::size_t>(input)]);
            isAlong = isAlong || direction == Direction::Along;
            isAcross = isAcross || direction == Direction::Across;
        }
        isAnyAlong = isAnyAlong || isAlong;
        if (isAcross && !isAlong) // one that reads in both directions does so in any kernel
            across = node;
    }
    return isAnyAlong ? across : -1;
}

bool transposesResults(const Kernel &kernel) {
    if (!kernel.hasReductions())
        return false;
    const auto isSpread = [&kernel](std::size_t loop) {
        return std::any_of(kernel.stores.begin(), kernel.stores.end(), [&](const KernelStore &store) {
            return kernel.levelOf(store.address) >= StepLevel::Column &&
                   std::abs(store.address.steps[loop]) > 1;
        });
    };
    return std::any_of(kernel.inputs.begin(), kernel.inputs.end(), [&](const KernelInput &input) {
        bool isTransposed = false;
        for (std::size_t k = 0; k < kernel.loops.size(); ++k)
            isTransposed = isTransposed || (isAlongLoop(kernel, input, k) && isSpread(k));
        return isTransposed && isLarge(kernel, input);
    });
}

std::optional<std::vector<std::size_t>> readOrder(const Kernel &kernel, const AffineMap &map) {
    const KernelInput *largest = nullptr;
    std::int64_t most = 0;
    for (const KernelInput &input : kernel.inputs) {
        std::int64_t elements = 1;
        for (std::size_t k = 0; k < kernel.loops.size(); ++k)
            elements *= input.address.steps[k] != 0 ? kernel.loops[k] : 1;
        if (elements > most) {
            most = elements;
            largest = &input;
        }
    }
    // Each dimension must be one loop with a stride in the input.
    std::vector<std::int64_t> steps;
    std::set<std::size_t> taken;
    for (const AffineExpr &index : map) {
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
