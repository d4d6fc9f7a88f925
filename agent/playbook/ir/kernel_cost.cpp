// SPDX-License-Identifier: GPL-3.0-or-later
// Members of Kernel: bytes and operations, the least that a launch has to move and to compute.
#include "agent/playbook/ir/kernel.h"
#include "agent/playbook/ir/matmul_terms.h"
#include "agent/playbook/ir/overloaded.h"

#include <algorithm>
#include <functional>
#include <utility>
#include <vector>

namespace warpwright {
namespace {

// Strides and trip counts, the largest stride first, with contiguous loops merged.
std::vector<std::pair<std::int64_t, std::int64_t>> stridesAndExtents(const AffineExpr &address,
                                                                     const Shape &loops) {
    std::vector<std::pair<std::int64_t, std::int64_t>> sorted;
    for (std::size_t k = 0; k < loops.size(); ++k)
        if (address.steps[k] > 0)
            sorted.emplace_back(address.steps[k], loops[k]);
    std::sort(sorted.begin(), sorted.end(), std::greater<>());
    std::vector<std::pair<std::int64_t, std::int64_t>> merged;
    for (const auto &[step, iterations] : sorted)
        if (!merged.empty() && merged.back().first == step * iterations)
            merged.back() = {step, iterations * merged.back().second};
        else
            merged.emplace_back(step, iterations);
    return merged;
}

// The share of an input that an earlier input reads too: the same memory at another offset.
double overlapWithEarlierInputs(const Kernel &kernel, std::size_t position) {
    const KernelInput &input = kernel.inputs[position];
    if (!kernel.hasReductions() || !kernel.isLoops() || !input.isPlain())
        return 0;
    double most = 0;
    for (std::size_t i = 0; i < position; ++i) {
        const KernelInput &other = kernel.inputs[i];
        if (other.buffer != input.buffer || !other.isPlain() || other.address.steps != input.address.steps)
            continue;
        std::int64_t apart = std::abs(input.address.offset - other.address.offset);
        double share = 1;
        for (const auto &[step, all] : stridesAndExtents(input.address, kernel.loops)) {
            const std::int64_t iterations = std::min(apart / step, all);
            share *= static_cast<double>(all - iterations) / static_cast<double>(all);
            apart -= iterations * step;
        }
        most = std::max(most, apart == 0 ? share : 0);
    }
    return most;
}

} // namespace

bool Kernel::isReadOncePerRow(const KernelInput &input) const {
    const auto position = static_cast<int>(&input - inputs.data());
    return std::none_of(steps.begin(), steps.end(), [position](const KernelStep &some) {
        return some.op == Opcode::Load && some.input == position && some.level >= StepLevel::Column;
    });
}

double Kernel::footprint(const AffineExpr &address, ElementType type, const KernelInput *input) const {
    // An indexed load reads one element for each value of its index: a label's logit is one a row.
    const bool isFound = input != nullptr && !input->isPlain();
    const std::size_t meeting = isFound && isReadOncePerRow(*input) ? outer : loops.size();
    double count = 1;
    for (std::size_t k = 0; k < loops.size(); ++k)
        if (address.steps[k] != 0 || (isFound && k < meeting))
            count *= static_cast<double>(loops[k]);
    // Overlapping windows read an element several times.
    if (input != nullptr && input->elements > 0)
        count = std::min(count, static_cast<double>(input->elements));
    return count * bytesOf(type);
}

// A gather from a tensor that is also read as a whole costs nothing extra.
bool Kernel::isReadWithOther(const KernelInput &input) const {
    return !input.isPlain() && std::any_of(inputs.begin(), inputs.end(), [&](const KernelInput &other) {
        return other.isPlain() && other.buffer == input.buffer &&
               footprint(other.address, other.type, &other) >= footprint(input.address, input.type, &input);
    });
}

double Kernel::rereadInputBytes() const {
    double sum = 0;
    if (isDepthwiseConvolution())
        for (std::size_t i = 1; i < inputs.size(); ++i)
            if (inputs[i].buffer == inputs[0].buffer)
                sum += footprint(inputs[i].address, inputs[i].type, &inputs[i]);
    return sum;
}

double Kernel::bytes() const {
    if (isScatteredRows()) {
        const ScatterSizes &sizes = *scatter();
        const auto cells = static_cast<double>(sizes.rows * sizes.columns);
        return static_cast<double>(sizes.count) *
                   (static_cast<double>(sizes.columns) * bytesOf(inputs[0].type) + bytesOf(inputs[1].type)) +
               cells * bytesOf(stores[0].type) * (inputs.size() > 2 ? 2 : 1);
    }
    double sum = 0;
    for (std::size_t i = 0; i < inputs.size(); ++i)
        if (const KernelInput &input = inputs[i]; !isReadWithOther(input))
            sum += footprint(input.address, input.type, &input) * (1 - overlapWithEarlierInputs(*this, i));
    sum -= rereadInputBytes();
    if (isConvolution()) { // input and filters: the kernel's loops do not address them
        const ConvolutionSizes &sizes = convolution()->sizes;
        sum += static_cast<double>(elementCount(sizes.input) + elementCount(sizes.weight)) *
               bytesOf(inputs[0].type);
    }
    for (const KernelStore &store : stores) {
        if (isSortedRows()) {
            sum += static_cast<double>(rows() * sortedRows()->kept) * bytesOf(store.type);
            continue;
        }
        double share = 1;
        for (std::size_t k = 0; k < store.every.size(); ++k)
            share *= static_cast<double>((loops[k] - 1) / store.every[k] + 1) / static_cast<double>(loops[k]);
        sum += share * footprint(store.address, store.type, nullptr);
    }
    return sum;
}

double Kernel::operationsOfSteps() const {
    double sum = 0;
    if (hasTerms(*this)) // each term sums over a part of the last loop
        for (const int number : sumsOf(*this))
            for (const MatmulTerm &term : termsOf(*this, number))
                sum -= 2 * static_cast<double>(rows()) * static_cast<double>(columns() - term.inner);
    for (const KernelStep &some : steps) {
        if (some.op <= Opcode::Index || isInnerGuard(*this, some))
            continue;
        const bool isWhole = some.level == StepLevel::Element || isReduction(some.op);
        sum += isWhole ? static_cast<double>(rows()) * static_cast<double>(columns())
               : some.level == StepLevel::Column ? static_cast<double>(columns())
                                                 : static_cast<double>(rows());
    }
    return sum;
}

double Kernel::operations() const {
    return std::visit(
        Overloaded{
            [this](const std::monostate &) { return operationsOfSteps(); },
            [this](const Matmul &) { return operationsOfSteps(); },
            [this](const Convolution &convolution) { // or two of the same input
                return convolution.sizes.operations() *
                       static_cast<double>(
                           std::count_if(steps.begin(), steps.end(),
                                         [](const KernelStep &some) { return some.op == Opcode::RowSum; }));
            },
            [this](const Attention &) { // the last two loops are over a query's and a value's elements
                const auto width = static_cast<double>(loops[loops.size() - 2]);
                const auto values = static_cast<double>(loops.back());
                return static_cast<double>(rows()) * static_cast<double>(columns()) / (width * values) * 2 *
                       (width + values);
            },
            [](const ScatteredRows &scattered) {
                return static_cast<double>(scattered.sizes.count) *
                       static_cast<double>(scattered.sizes.columns);
            },
            [this](const SortedRows &) {
                return static_cast<double>(rows()) * SortedRows::comparisons(columns());
            },
        },
        structuredOp);
}

} // namespace warpwright
