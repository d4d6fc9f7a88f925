// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/fusion/triangular_products.h"

#include "agent/playbook/analysis/attention_softmax.h"
#include "agent/playbook/schedule/matmul/skinny_matmul.h"

#include <algorithm>
#include <optional>

namespace warpwright {
namespace {

/// Of a result for each product: about what one tile of a library on each of an H100's multiprocessors makes.
constexpr std::int64_t leastResults = 120 * 128 * 256;
constexpr std::int64_t mostParts = 8;
constexpr std::int64_t leastInner = 1024;
constexpr std::int64_t wholeInner = 64; ///< what a library's kernels take at once
constexpr double mostWork = 0.8;        ///< that is left: else launches cost what is spared

struct Range {
    std::int64_t first = 0;
    std::int64_t end = 0;
};

/// Where a matrix may differ from zero: not where `offset` + `outer` * its row + `inner` * its place in this
/// row is negative.
struct Triangle {
    std::int64_t offset = 0;
    std::int64_t outer = 0;
    std::int64_t inner = 0;
};

/// The kernel before `reader` that alone writes a temporary; empty: it is no such one.
const FusedKernel *makerOf(const KernelPlan &plan, std::size_t reader, int buffer) {
    const FusedKernel *maker = nullptr;
    if (plan.buffers[static_cast<std::size_t>(buffer)].kind != PlanBuffer::Kind::Temporary)
        return nullptr;
    for (std::size_t i = 0; i < plan.kernels.size(); ++i)
        for (const KernelStore &store : plan.kernels[i].stores)
            if (store.buffer == buffer) {
                if (maker != nullptr || i >= reader || plan.kernels[i].stores.size() != 1)
                    return nullptr;
                maker = &plan.kernels[i];
            }
    const bool isOfElements = maker != nullptr && maker->anchor == Anchor::None && !maker->hasReductions() &&
                              !maker->hasScans() && maker->scatter.isEmpty() &&
                              maker->stores[0].every.empty();
    return isOfElements ? maker : nullptr;
}

bool isZero(const FusedKernel &kernel, int number) {
    while (kernel.step(number).op == KernelOp::Convert)
        number = kernel.step(number).operands[0];
    return kernel.step(number).op == KernelOp::Number && kernel.step(number).number == 0;
}

/// The comparisons of places without which a step is zero (or none: what is multiplied by zero may be none).
void addZeroUnless(const FusedKernel &kernel, int number, std::vector<VisibleWhere> &all) {
    const KernelStep &step = kernel.step(number);
    if (step.type == ElementType::Bool) {
        addComparisons(kernel, number, false, all);
    } else if (step.op == KernelOp::Convert || step.op == KernelOp::Negate || step.op == KernelOp::Divide) {
        addZeroUnless(kernel, step.operands[0], all);
    } else if (step.op == KernelOp::Multiply) {
        addZeroUnless(kernel, step.operands[0], all);
        addZeroUnless(kernel, step.operands[1], all);
    } else if (step.op == KernelOp::Select && isZero(kernel, step.operands[2])) {
        addComparisons(kernel, step.operands[0], false, all);
        addZeroUnless(kernel, step.operands[1], all);
    } else if (step.op == KernelOp::Select && isZero(kernel, step.operands[1])) {
        addComparisons(kernel, step.operands[0], true, all);
        addZeroUnless(kernel, step.operands[2], all);
    } else if (step.op == KernelOp::Load && step.isGuarded && step.number == 0) {
        addComparisons(kernel, step.operands.back(), false, all);
    }
}

/// The loop of a kernel that its store's address counts in these steps; empty: it is none.
std::optional<std::size_t> loopOf(const FusedKernel &maker, std::int64_t step, std::int64_t size) {
    const std::vector<std::int64_t> &steps = maker.stores[0].address.steps;
    for (std::size_t k = 0; k < steps.size(); ++k)
        if (steps[k] == step && maker.loops[k] == size)
            return k;
    return std::nullopt;
}

/// Of a product's first matrix (leaf 0) or second one.
std::vector<Triangle> trianglesOf(const KernelPlan &plan, std::size_t product, std::size_t leaf) {
    std::vector<Triangle> found;
    const FusedKernel &kernel = plan.kernels[product];
    const std::size_t batches = kernel.loops.size() - 3;
    const KernelLeaf &read = kernel.leaves[leaf];
    const FusedKernel *maker = makerOf(plan, product, read.buffer);
    if (maker == nullptr || !read.isPlain() || maker->stores[0].address.offset != read.address.offset)
        return found;
    // Each loop of the maker has to be one of the product's, or the same place is another element.
    std::vector<bool> isMet(maker->loops.size(), false);
    const auto met = [&](std::size_t loop) {
        const auto of = loopOf(*maker, read.address.steps[loop], kernel.loops[loop]);
        if (of)
            isMet[*of] = true;
        return of;
    };
    const auto rows = met(batches + leaf);
    const auto inner = met(batches + 2);
    for (std::size_t k = 0; k < batches; ++k)
        if (read.address.steps[k] != 0 && kernel.loops[k] > 1)
            met(k);
    if (!rows || !inner || std::find(isMet.begin(), isMet.end(), false) != isMet.end())
        return found;
    std::vector<VisibleWhere> all;
    addZeroUnless(*maker, maker->stores[0].step, all);
    for (const VisibleWhere &where : all) {
        bool isOfBoth = true;
        for (std::size_t k = 0; k < where.form.steps.size(); ++k)
            isOfBoth = isOfBoth && (k == *rows || k == *inner || where.form.steps[k] == 0);
        if (isOfBoth)
            found.push_back({where.form.offset, where.form.steps[*rows], where.form.steps[*inner]});
    }
    return found;
}

/// What may not be zero of rows first to last of a matrix.
Range innerOf(const std::vector<Triangle> &triangles, Range rows, std::int64_t inner) {
    Range range{0, inner};
    for (const Triangle &some : triangles) {
        // The most that is in front of the inner place's part.
        const std::int64_t most =
            some.offset + std::max(some.outer * rows.first, some.outer * (rows.end - 1));
        if (some.inner == -1)
            range.end = std::min(range.end, most + 1);
        else if (some.inner == 1)
            range.first = std::max(range.first, -most);
    }
    range.first = std::min(range.first, inner - 1) / wholeInner * wholeInner;
    range.end = std::max(range.end, range.first + 1); // a library makes no sum of nothing
    range.end = std::min((range.end + wholeInner - 1) / wholeInner * wholeInner, inner);
    return range;
}

/// The product of a block of what `loop` counts, its rows or its columns.
FusedKernel partOf(const FusedKernel &product, std::size_t loop, Range block, Range inner) {
    FusedKernel part = product;
    const auto move = [&](AffineIndex &address) {
        address.offset += block.first * address.steps[loop] + inner.first * address.steps.back();
    };
    for (KernelLeaf &leaf : part.leaves) {
        move(leaf.address);
        leaf.elements = 0;
    }
    move(part.stores[0].address);
    part.loops[loop] = block.end - block.first;
    part.loops.back() = inner.end - inner.first;
    return part;
}

/// Empty: it stays as it is.
std::vector<FusedKernel> partsOf(const KernelPlan &plan, std::size_t place) {
    const FusedKernel &product = plan.kernels[place];
    if (product.anchor != Anchor::Product || product.isOfTurn || product.loops.size() < 3 ||
        product.stores.size() != 1 || isFinishedProduct(product) || isSmallProduct(product) ||
        product.loops.back() < leastInner)
        return {};
    const std::size_t batches = product.loops.size() - 3;
    const std::int64_t results = elementCount(Shape(product.loops.begin(), product.loops.end() - 1));
    const std::int64_t count = std::min(results / leastResults, mostParts);
    std::vector<FusedKernel> best;
    double least = mostWork;
    for (const std::size_t leaf : {std::size_t(0), std::size_t(1)}) {
        const std::vector<Triangle> triangles = trianglesOf(plan, place, leaf);
        const std::size_t loop = batches + leaf;
        if (triangles.empty() || count < 2)
            continue;
        const std::int64_t size = product.loops[loop];
        const std::int64_t each = ((size + count - 1) / count + wholeInner - 1) / wholeInner * wholeInner;
        std::vector<FusedKernel> parts;
        double work = 0;
        for (std::int64_t first = 0; first < size; first += each) {
            const Range block{first, std::min(first + each, size)};
            parts.push_back(partOf(product, loop, block, innerOf(triangles, block, product.loops.back())));
            work += parts.back().operations() / product.operations();
        }
        if (work < least) {
            least = work;
            best = std::move(parts);
        }
    }
    return best;
}

} // namespace

void splitTriangularProducts(KernelPlan &plan) {
    if (!plan.repeats.empty()) // they count kernels
        return;
    for (std::size_t i = 0; i < plan.kernels.size(); ++i) {
        const std::vector<FusedKernel> parts = partsOf(plan, i);
        if (parts.empty())
            continue;
        const auto place = plan.kernels.begin() + static_cast<std::ptrdiff_t>(i);
        plan.kernels.insert(plan.kernels.erase(place), parts.begin(), parts.end());
        i += parts.size() - 1;
    }
}

} // namespace warpwright
