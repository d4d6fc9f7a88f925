// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/fusion/joined_factors.h"

#include "agent/playbook/fusion/join_folding.h"
#include "agent/playbook/ir/product_terms.h"
#include "agent/playbook/schedule/matmul/own_product.h"

#include <algorithm>
#include <optional>

namespace warpwright {
namespace {

constexpr std::size_t mostParts = 4;

/// Of a joined matrix: where a part lies by itself.
struct Part {
    KernelLeaf from;        ///< by rows and what is summed over
    std::int64_t begin = 0; ///< of what is summed over
    std::int64_t length = 0;
};

/// The part that a kernel copies as it is into a matrix with rows so far apart; empty: it does more.
std::optional<Part> copiedBy(const FusedKernel &copy, std::int64_t rows, std::int64_t pitch) {
    if (copy.loops.size() != 2 || copy.steps.size() != 1 || copy.leaves.size() != 1 ||
        copy.loops[0] != rows || copy.stores.size() != 1)
        return std::nullopt;
    const KernelLeaf &leaf = copy.leaves[0];
    const KernelStore &store = copy.stores[0];
    const bool isPlain = leaf.isPlain() && !copy.steps[0].isGuarded && leaf.type == store.type &&
                         store.address.steps == std::vector<std::int64_t>{pitch, 1};
    return isPlain ? std::optional(Part{leaf, store.address.offset, copy.loops[1]}) : std::nullopt;
}

/// The parts in the order of their places; none: it is no such matrix.
std::vector<Part> partsOf(const FusedKernel &join, const FusedKernel &product) {
    const std::int64_t pitch = product.leaves[0].address.steps[0];
    std::vector<Part> parts;
    for (const FusedKernel &copy : piecesOfJoin(join, mostParts)) {
        const std::optional<Part> part = copiedBy(copy, product.loops[0], pitch);
        if (!part)
            return {};
        parts.push_back(*part);
    }
    std::int64_t end = 0;
    for (const Part &part : parts) {
        if (part.begin != end)
            return {};
        end += part.length;
    }
    return end == product.loops[2] ? parts : std::vector<Part>();
}

/// A sum of the product, over one part.
FusedKernel partOf(const FusedKernel &product, const KernelLeaf &second, const Part &part) {
    FusedKernel one;
    one.device = product.device;
    one.anchor = Anchor::Product;
    one.loops = {product.loops[0], product.loops[1], part.length};
    one.outer = 2;
    KernelLeaf first = part.from;
    first.address.steps = {part.from.address.steps[0], 0, part.from.address.steps[1]};
    first.elements = 0;
    KernelLeaf share = second;
    share.address.offset += part.begin * second.address.steps[2];
    share.elements = part.length * product.loops[1];
    const ElementType type = computedType(first.type);
    const int elements = one.add(KernelOp::Multiply, type, {one.load(first), one.load(share)});
    one.stores.push_back({one.add(KernelOp::RowSum, type, {elements}), -1, first.type, {}});
    return one;
}

/// The product with its parts' sums; empty: it is of other matrices.
std::optional<FusedKernel> withParts(const FusedKernel &product, const std::vector<Part> &parts) {
    const std::int64_t longest =
        std::max_element(parts.begin(), parts.end(), [](const Part &one, const Part &other) {
            return one.length < other.length;
        })->length;
    FusedKernel all;
    all.device = product.device;
    all.anchor = Anchor::Product;
    all.loops = {product.loops[0], product.loops[1], longest};
    all.outer = 2;
    std::vector<int> place(product.steps.size(), -1);
    for (const int sum : sumsOf(product)) {
        const std::vector<ProductTerm> terms = termsOf(product, sum);
        if (terms.size() != 1 || terms[0].first != 0 || terms[0].factor != 1)
            return std::nullopt;
        int total = -1;
        for (const Part &part : parts) {
            const FusedKernel one =
                withLongerInner(partOf(product, product.leaves[terms[0].second], part), longest);
            const int more = addSteps(all, one)[static_cast<std::size_t>(one.resultStep())];
            KernelStep both;
            both.op = KernelOp::Add;
            both.type = product.step(sum).type;
            both.operands = {total, more};
            total = total < 0 ? more : all.append(std::move(both));
        }
        place[static_cast<std::size_t>(sum)] = total;
    }
    for (std::size_t i = 0; i < product.steps.size(); ++i) {
        KernelStep step = product.steps[i];
        const bool isOfMatrix = step.leaf >= 0 && step.leaf < static_cast<int>(firstBeside(product));
        if (place[i] >= 0 || isOfMatrix)
            continue;
        bool isOfSums = true; // and not of what is summed
        for (int &operand : step.operands) {
            operand = place[static_cast<std::size_t>(operand)];
            isOfSums = isOfSums && operand >= 0;
        }
        if (!isOfSums)
            continue;
        place[i] = step.op == KernelOp::Load ? all.load(product.leaves[static_cast<std::size_t>(step.leaf)])
                                             : all.append(std::move(step));
    }
    for (KernelStore store : product.stores) {
        store.step = place[static_cast<std::size_t>(store.step)];
        all.stores.push_back(store);
    }
    return summedTogether(all);
}

/// Whether the join at `place` is gone, for its only reader, a product, takes its parts.
bool multiplyPartsOf(KernelPlan &plan, std::size_t place) {
    const FusedKernel &join = plan.kernels[place];
    if (join.anchor != Anchor::None || join.hasReductions() || join.stores.size() != 1)
        return false;
    const std::optional<std::size_t> reader = onlyReader(plan, place);
    if (!reader)
        return false;
    FusedKernel &product = plan.kernels[*reader];
    const int buffer = join.stores[0].buffer;
    if (product.anchor != Anchor::Product || product.loops.size() != 3 || product.isOfTurn ||
        hasTerms(product) || product.leaves[0].buffer != buffer || product.leaves[0].address.offset != 0 ||
        std::count_if(product.leaves.begin(), product.leaves.end(),
                      [buffer](const KernelLeaf &leaf) { return leaf.buffer == buffer; }) != 1)
        return false;
    const std::vector<Part> parts = partsOf(join, product);
    if (parts.size() < 2)
        return false;
    std::optional<FusedKernel> all = withParts(product, parts);
    if (!all || !hasTerms(*all) || !canBeOwnProduct(*all))
        return false;
    // What is read must not have been written anew in between.
    for (std::size_t i = place + 1; i < *reader; ++i)
        for (const KernelStore &store : plan.kernels[i].stores)
            if (reads(join, store.buffer))
                return false;
    product = std::move(*all);
    plan.kernels.erase(plan.kernels.begin() + static_cast<std::ptrdiff_t>(place));
    return true;
}

} // namespace

void multiplyParts(KernelPlan &plan) {
    for (std::size_t i = 0; plan.choices.hasOwnProducts && plan.repeats.empty() && i < plan.kernels.size();)
        if (!multiplyPartsOf(plan, i))
            ++i;
}

} // namespace warpwright
