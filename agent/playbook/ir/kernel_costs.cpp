// SPDX-License-Identifier: GPL-3.0-or-later
// FusedKernel's bytes and operations: what a launch has to move and to compute at least.
#include "agent/playbook/ir/fused_kernel.h"
#include "agent/playbook/ir/product_terms.h"

#include <algorithm>
#include <functional>
#include <utility>
#include <vector>

namespace warpwright {
namespace {

// Loops that pass through memory as one, by how far apart their elements are, the largest first.
std::vector<std::pair<std::int64_t, std::int64_t>> stepsAndRounds(const AffineIndex &address,
                                                                  const Shape &loops) {
    std::vector<std::pair<std::int64_t, std::int64_t>> sorted;
    for (std::size_t k = 0; k < loops.size(); ++k)
        if (address.steps[k] > 0)
            sorted.emplace_back(address.steps[k], loops[k]);
    std::sort(sorted.begin(), sorted.end(), std::greater<>());
    std::vector<std::pair<std::int64_t, std::int64_t>> joined;
    for (const auto &[step, rounds] : sorted)
        if (!joined.empty() && joined.back().first == step * rounds)
            joined.back() = {step, rounds * joined.back().second};
        else
            joined.emplace_back(step, rounds);
    return joined;
}

// Of a leaf, the share that one before it reads as well: the same memory, some places on.
double shareReadBefore(const FusedKernel &kernel, std::size_t place) {
    const KernelLeaf &leaf = kernel.leaves[place];
    if (!kernel.hasReductions() || kernel.anchor != Anchor::None || !leaf.isPlain())
        return 0;
    double most = 0;
    for (std::size_t i = 0; i < place; ++i) {
        const KernelLeaf &other = kernel.leaves[i];
        if (other.buffer != leaf.buffer || !other.isPlain() || other.address.steps != leaf.address.steps)
            continue;
        std::int64_t apart = std::abs(leaf.address.offset - other.address.offset);
        double share = 1;
        for (const auto &[step, all] : stepsAndRounds(leaf.address, kernel.loops)) {
            const std::int64_t rounds = std::min(apart / step, all);
            share *= static_cast<double>(all - rounds) / static_cast<double>(all);
            apart -= rounds * step;
        }
        most = std::max(most, apart == 0 ? share : 0);
    }
    return most;
}

} // namespace

bool FusedKernel::isReadOnceARow(const KernelLeaf &leaf) const {
    const auto place = static_cast<int>(&leaf - leaves.data());
    return std::none_of(steps.begin(), steps.end(), [place](const KernelStep &some) {
        return some.op == KernelOp::Load && some.leaf == place && some.level >= StepLevel::Column;
    });
}

double FusedKernel::touched(const AffineIndex &address, ElementType type, const KernelLeaf *leaf) const {
    // Where steps say, the loops meet as many elements as those steps have values: a label's logit is one a
    // row.
    const bool isFound = leaf != nullptr && !leaf->isPlain();
    const std::size_t meeting = isFound && isReadOnceARow(*leaf) ? outer : loops.size();
    double count = 1;
    for (std::size_t k = 0; k < loops.size(); ++k)
        if (address.steps[k] != 0 || (isFound && k < meeting))
            count *= static_cast<double>(loops[k]);
    // Windows that overlap meet an element several times.
    if (leaf != nullptr && leaf->elements > 0)
        count = std::min(count, static_cast<double>(leaf->elements));
    return count * bytesOf(type);
}

// What is looked up in a tensor that is read as a whole as well is read with that.
bool FusedKernel::isReadWithOther(const KernelLeaf &leaf) const {
    return !leaf.isPlain() && std::any_of(leaves.begin(), leaves.end(), [&](const KernelLeaf &other) {
        return other.isPlain() && other.buffer == leaf.buffer &&
               touched(other.address, other.type, &other) >= touched(leaf.address, leaf.type, &leaf);
    });
}

double FusedKernel::bytesOfImageAgain() const {
    double sum = 0;
    if (anchor == Anchor::Convolution && convolution.isDepthwise())
        for (std::size_t i = 1; i < leaves.size(); ++i)
            if (leaves[i].buffer == leaves[0].buffer)
                sum += touched(leaves[i].address, leaves[i].type, &leaves[i]);
    return sum;
}

double FusedKernel::bytes() const {
    if (anchor == Anchor::ScatteredRows) {
        const auto cells = static_cast<double>(scatter.rows * scatter.columns);
        return static_cast<double>(scatter.count) *
                   (static_cast<double>(scatter.columns) * bytesOf(leaves[0].type) +
                    bytesOf(leaves[1].type)) +
               cells * bytesOf(stores[0].type) * (leaves.size() > 2 ? 2 : 1);
    }
    double sum = 0;
    for (std::size_t i = 0; i < leaves.size(); ++i)
        if (const KernelLeaf &leaf = leaves[i]; !isReadWithOther(leaf))
            sum += touched(leaf.address, leaf.type, &leaf) * (1 - shareReadBefore(*this, i));
    sum -= bytesOfImageAgain();
    if (anchor == Anchor::Convolution) // an image and its filters, whose places no loop of ours counts
        sum += static_cast<double>(elementCount(convolution.input) + elementCount(convolution.weight)) *
               bytesOf(leaves[0].type);
    for (const KernelStore &store : stores) {
        if (anchor == Anchor::SortedRows) {
            sum += static_cast<double>(rows() * sorting.kept) * bytesOf(store.type);
            continue;
        }
        double share = 1;
        for (std::size_t k = 0; k < store.every.size(); ++k)
            share *= static_cast<double>((loops[k] - 1) / store.every[k] + 1) / static_cast<double>(loops[k]);
        sum += share * touched(store.address, store.type, nullptr);
    }
    return sum;
}

double FusedKernel::operations() const {
    if (anchor == Anchor::Convolution) // or two of one image
        return convolution.operations() *
               static_cast<double>(std::count_if(steps.begin(), steps.end(), [](const KernelStep &some) {
                   return some.op == KernelOp::RowSum;
               }));
    if (anchor == Anchor::ScatteredRows)
        return static_cast<double>(scatter.count) * static_cast<double>(scatter.columns);
    if (anchor == Anchor::SortedRows)
        return static_cast<double>(rows()) * SortSizes::comparisons(columns());
    if (anchor == Anchor::Attention) { // its last loops are over a query's elements and over a value's
        const auto width = static_cast<double>(loops[loops.size() - 2]);
        const auto values = static_cast<double>(loops.back());
        return static_cast<double>(rows()) * static_cast<double>(columns()) / (width * values) * 2 *
               (width + values);
    }
    double sum = 0;
    if (hasTerms(*this)) // each sums over a part of the last loop alone
        for (const int number : sumsOf(*this))
            for (const ProductTerm &term : termsOf(*this, number))
                sum -= 2 * static_cast<double>(rows()) * static_cast<double>(columns() - term.inner);
    for (const KernelStep &some : steps) {
        if (some.op <= KernelOp::Index || isInnerGuard(*this, some))
            continue;
        const bool isWhole = some.level == StepLevel::Element || isReduction(some.op);
        sum += isWhole ? static_cast<double>(rows()) * static_cast<double>(columns())
               : some.level == StepLevel::Column ? static_cast<double>(columns())
                                                 : static_cast<double>(rows());
    }
    return sum;
}

} // namespace warpwright
