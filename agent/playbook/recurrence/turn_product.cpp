// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/recurrence/turn_product.h"

#include "agent/playbook/fusion/matmul_epilogue.h"
#include "agent/playbook/ir/kernel_parts.h"
#include "agent/playbook/ir/product_terms.h"
#include "agent/playbook/schedule/matmul/cell_matmul.h"

#include <algorithm>
#include <limits>

namespace warpwright {
namespace {

constexpr std::int64_t packBytes = 16;
constexpr std::int64_t mostRows = 256;
constexpr std::int64_t mostColumns = 6144; ///< of all products: with more a library's tiles fill a device
constexpr std::int64_t mostInner = 8192;
constexpr std::int64_t leastInner = 32;
constexpr std::size_t mostProducts = 8;
constexpr std::size_t mostSteps = 200;
constexpr double mostSeconds = 6.5e-6; ///< then a library and a pass are as quick

bool isOfPacks(std::int64_t elements, ElementType type) {
    return elements >= 0 && elements * bytesOf(type) % packBytes == 0;
}

/// The matrix's elements that are summed over lie side by side, in whole packs.
bool liesAlong(const KernelLeaf &leaf, std::size_t rows) {
    return leaf.address.steps[2] == 1 && isOfPacks(leaf.address.steps[rows], leaf.type) &&
           isOfPacks(leaf.address.offset, leaf.type);
}

/// What the turn leaves does not lie where it reads: another place of the same ring or history.
bool isElsewhere(const KernelPlan &plan, const KernelLeaf &leaf, const KernelStore &store) {
    if (plan.memoryOf(leaf.buffer) != plan.memoryOf(store.buffer))
        return true;
    const PlanBuffer &from = plan.buffers[static_cast<std::size_t>(leaf.buffer)];
    const PlanBuffer &to = plan.buffers[static_cast<std::size_t>(store.buffer)];
    return from.kind == PlanBuffer::Kind::Window && to.kind == PlanBuffer::Kind::Window &&
           from.window.offset == to.window.offset && from.window.step == to.window.step &&
           from.window.step > 0 && from.window.ring == to.window.ring && from.window.ring != 1 &&
           to.window.first == from.window.first + 1;
}

} // namespace

bool canBeTurnProduct(const KernelPlan &plan, const FusedKernel &kernel) {
    const auto products = static_cast<std::int64_t>(firstBeside(kernel)) - 1;
    if (!isTurnProduct(kernel) || kernel.loops.size() != 3 || kernel.loops[0] > mostRows ||
        kernel.loops[2] < leastInner || kernel.loops[2] > mostInner ||
        kernel.loops[1] * products > mostColumns || kernel.steps.size() > mostSteps)
        return false;
    const ElementType type = kernel.leaves[0].type;
    const bool isHalf = type == ElementType::Float16 || type == ElementType::BFloat16;
    const std::size_t beside = firstBeside(kernel);
    if ((type != ElementType::Float32 && !isHalf) || beside > mostProducts + 1 ||
        !isOfPacks(kernel.loops[2], type) || !liesAlong(kernel.leaves[0], 0))
        return false;
    const AffineIndex &second = kernel.leaves[1].address;
    for (std::size_t i = 1; i < beside; ++i) {
        const KernelLeaf &leaf = kernel.leaves[i];
        const bool isAcross = !isHalf && leaf.address.steps[1] == 1 && leaf.address.steps[2] > 0;
        const std::int64_t apart = i > 1 ? kernel.leaves[2].address.offset - second.offset : 0;
        if (leaf.type != type || leaf.buffer != kernel.leaves[1].buffer ||
            (!liesAlong(leaf, 1) && !isAcross) || leaf.address.steps != second.steps ||
            leaf.address.offset != second.offset + static_cast<std::int64_t>(i - 1) * apart)
            return false;
    }
    const auto hasSmallPlaces = [&kernel](const AffineIndex &address) {
        const auto range = rangeOf(address, kernel.loops);
        return range.first >= 0 && range.second < std::numeric_limits<int>::max();
    };
    if (turnProductSeconds(kernel) > mostSeconds)
        return false;
    for (const KernelLeaf &leaf : kernel.leaves)
        if (!leaf.isPlain() || !hasSmallPlaces(leaf.address) ||
            std::any_of(kernel.stores.begin(), kernel.stores.end(),
                        [&](const KernelStore &store) { return !isElsewhere(plan, leaf, store); }))
            return false;
    return std::all_of(kernel.stores.begin(), kernel.stores.end(),
                       [&](const KernelStore &store) {
                           return store.every.empty() && hasSmallPlaces(store.address);
                       }) &&
           std::none_of(kernel.steps.begin(), kernel.steps.end(), [](const KernelStep &step) {
               return step.isGuarded || step.op == KernelOp::Index ||
                      (step.op == KernelOp::Load && !step.operands.empty()) ||
                      (isReduction(step.op) && step.op != KernelOp::RowSum) || isScan(step.op);
           });
}

namespace {

bool isOfElements(const FusedKernel &kernel) {
    return isOfLoops(kernel) && !kernel.hasReductions() && !kernel.hasScans();
}

/// The parts of a product's columns that a reader takes, each as a product.
std::vector<FusedKernel> partsFor(const FusedKernel &product, const FusedKernel &reader) {
    const KernelStore &made = product.stores[0];
    const std::int64_t elements = elementCount(reader.loops);
    const std::int64_t columns = elements / product.loops[0];
    if (elements % product.loops[0] != 0 || columns == 0 || product.loops[1] % columns != 0 ||
        made.address.steps[1] != 1)
        return {};
    std::vector<std::int64_t> begins;
    for (const KernelLeaf &leaf : reader.leaves) {
        const std::int64_t begin = leaf.address.offset - made.address.offset;
        if (leaf.buffer != made.buffer || std::find(begins.begin(), begins.end(), begin) != begins.end())
            continue;
        if (begin < 0 || begin % columns != 0 || begin >= product.loops[1])
            return {};
        begins.push_back(begin);
    }
    std::sort(begins.begin(), begins.end());
    std::vector<FusedKernel> all;
    for (const std::int64_t begin : begins) {
        FusedKernel part = product;
        part.loops[1] = columns;
        for (KernelLeaf &leaf : part.leaves)
            leaf.address.offset += begin * leaf.address.steps[1];
        part.stores[0].address.offset += begin;
        part.epilogue = {}; // its steps say it
        all.push_back(std::move(part));
    }
    return all;
}

/// Leaves in the order that texts know: the first matrix, the second ones, others.
void matricesFirst(FusedKernel &kernel) {
    std::vector<int> order{0};
    for (const int sum : sumsOf(kernel)) {
        const std::vector<int> &factors = kernel.step(kernel.step(sum).operands[0]).operands;
        const int leaf = kernel.step(factors[0]).leaf;
        order.push_back(leaf == 0 ? kernel.step(factors[1]).leaf : leaf);
    }
    for (int leaf = 0; leaf < static_cast<int>(kernel.leaves.size()); ++leaf)
        if (std::find(order.begin(), order.end(), leaf) == order.end())
            order.push_back(leaf);
    std::vector<KernelLeaf> leaves;
    for (const int leaf : order)
        leaves.push_back(kernel.leaves[static_cast<std::size_t>(leaf)]);
    kernel.leaves = std::move(leaves);
    for (KernelStep &step : kernel.steps)
        if (step.op == KernelOp::Load)
            step.leaf = static_cast<int>(std::find(order.begin(), order.end(), step.leaf) - order.begin());
}

class TurnProducts {
public:
    TurnProducts(KernelPlan &plan, PlanRepeat &repeat) : m_plan(plan), m_repeat(repeat) {}

    /// Whether a product is one of ours now.
    bool run() {
        for (std::size_t i = m_repeat.first; i < m_repeat.first + m_repeat.count; ++i)
            if (fold(i))
                return true;
        return false;
    }

private:
    /// The kernel of this turn that alone reads what that one makes, if it goes over elements.
    [[nodiscard]] std::optional<std::size_t> readerOf(std::size_t maker) const {
        const FusedKernel &kernel = m_plan.kernels[maker];
        if (kernel.stores.size() != 1)
            return std::nullopt;
        const std::optional<std::size_t> reader = onlyReader(m_plan, maker);
        const bool isOfTurn = reader && *reader < m_repeat.first + m_repeat.count;
        return isOfTurn && isOfElements(m_plan.kernels[*reader]) ? reader : std::nullopt;
    }

    bool fold(std::size_t place) {
        const FusedKernel &product = m_plan.kernels[place];
        if (product.anchor != Anchor::Product || product.loops.size() != 3 || product.isOfTurn ||
            product.stores.size() != 1 || product.leaves.size() < 2)
            return false;
        const std::optional<std::size_t> reader = readerOf(place);
        // A pass over all columns, whose parts the next kernel takes: it is done there.
        if (const std::optional<std::size_t> next = reader ? readerOf(*reader) : std::nullopt)
            if (const auto inside = withMakerInside(m_plan.kernels[*reader], m_plan.kernels[*next]))
                if (put(product, *inside, *next)) {
                    drop(*reader);
                    drop(place);
                    return true;
                }
        if (reader && put(product, m_plan.kernels[*reader], *reader)) {
            drop(place);
            return true;
        }
        return putAlone(place);
    }

    /// What goes on with it is no pass over elements: sums of a norm, another product.
    bool putAlone(std::size_t place) {
        FusedKernel alone = m_plan.kernels[place];
        alone.epilogue = {}; // its steps say it
        alone.isOfTurn = true;
        matricesFirst(alone);
        if (!canBeTurnProduct(m_plan, alone))
            return false;
        m_plan.kernels[place] = std::move(alone);
        return true;
    }

    bool put(const FusedKernel &product, const FusedKernel &reader, std::size_t place) {
        const std::vector<FusedKernel> all = partsFor(product, reader);
        auto kernel = all.empty() ? std::nullopt : productsInReader(all, reader);
        if (kernel) {
            kernel->isOfTurn = true;
            matricesFirst(*kernel);
        }
        if (!kernel || !canBeTurnProduct(m_plan, *kernel))
            return false;
        m_plan.kernels[place] = std::move(*kernel);
        return true;
    }

    void drop(std::size_t place) {
        m_plan.kernels.erase(m_plan.kernels.begin() + static_cast<std::ptrdiff_t>(place));
        --m_repeat.count;
        for (PlanRepeat &other : m_plan.repeats)
            other.first -= other.first > place ? 1U : 0U;
    }

    KernelPlan &m_plan;
    PlanRepeat &m_repeat;
};

} // namespace

void foldTurnProducts(KernelPlan &plan) {
    if (plan.choices.hasOwnProducts)
        for (PlanRepeat &repeat : plan.repeats)
            while (TurnProducts(plan, repeat).run()) {
            }
}

} // namespace warpwright
