// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/triangular_products.h"

#include "agent/playbook/attention_softmax.h"
#include "agent/playbook/own_product.h"
#include "agent/playbook/small_product_cuda.h"

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

/// The comparisons of places without which what a kernel stores is zero.
std::vector<VisibleWhere> comparisonsOf(const FusedKernel &maker) {
    std::vector<VisibleWhere> all;
    int number = maker.stores[0].step;
    while (maker.step(number).op == KernelOp::Convert)
        number = maker.step(number).operands[0];
    const KernelStep &step = maker.step(number);
    if (step.op == KernelOp::Select && isZero(maker, step.operands[2]))
        addComparisons(maker, step.operands[0], false, all);
    else if (step.op == KernelOp::Select && isZero(maker, step.operands[1]))
        addComparisons(maker, step.operands[0], true, all);
    else if (step.op == KernelOp::Load && step.isGuarded && step.number == 0)
        addComparisons(maker, step.operands.back(), false, all);
    return all;
}

/// Of the matrix `leaf` of a product without batches, which lies as its maker's loops go, or turned.
std::vector<Triangle> trianglesOf(const KernelPlan &plan, std::size_t product, std::size_t leaf) {
    std::vector<Triangle> found;
    const FusedKernel &kernel = plan.kernels[product];
    const KernelLeaf &read = kernel.leaves[leaf];
    const FusedKernel *maker = makerOf(plan, product, read.buffer);
    if (maker == nullptr || !read.isPlain() || maker->loops.size() != 2)
        return found;
    const AffineIndex &made = maker->stores[0].address;
    const std::size_t loops[] = {leaf, 2}; // the product's: of the matrix's rows, and what is summed over
    for (const bool isTurned : {false, true}) {
        bool isSame = made.offset == read.address.offset;
        for (const std::size_t d : {std::size_t(0), std::size_t(1)}) {
            const std::size_t of = isTurned ? 1 - d : d; // the maker's
            isSame = isSame && made.steps[of] == read.address.steps[loops[d]] &&
                     maker->loops[of] == kernel.loops[loops[d]];
        }
        if (!isSame)
            continue;
        for (const VisibleWhere &where : comparisonsOf(*maker))
            found.push_back(
                {where.form.offset, where.form.steps[isTurned ? 1 : 0], where.form.steps[isTurned ? 0 : 1]});
        break;
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

/// The product of a block of its rows (loop 0) or columns (loop 1).
FusedKernel partOf(const FusedKernel &product, std::size_t loop, Range block, Range inner) {
    FusedKernel part = product;
    const auto move = [&](AffineIndex &address) {
        address.offset += block.first * address.steps[loop] + inner.first * address.steps[2];
    };
    for (KernelLeaf &leaf : part.leaves) {
        move(leaf.address);
        leaf.elements = 0;
    }
    move(part.stores[0].address);
    part.loops[loop] = block.end - block.first;
    part.loops[2] = inner.end - inner.first;
    return part;
}

/// Empty: it stays as it is.
std::vector<FusedKernel> partsOf(const KernelPlan &plan, std::size_t place) {
    const FusedKernel &product = plan.kernels[place];
    if (product.anchor != Anchor::Product || product.isOfTurn || product.loops.size() != 3 ||
        product.stores.size() != 1 || isFinishedProduct(product) || isSmallProduct(product) ||
        product.loops[2] < leastInner)
        return {};
    const std::int64_t results = product.loops[0] * product.loops[1];
    const std::int64_t count = std::min(results / leastResults, mostParts);
    std::vector<FusedKernel> best;
    double least = mostWork;
    for (const std::size_t loop : {std::size_t(0), std::size_t(1)}) {
        const std::vector<Triangle> triangles = trianglesOf(plan, place, loop);
        if (triangles.empty() || count < 2)
            continue;
        const std::int64_t size = product.loops[loop];
        const std::int64_t each = ((size + count - 1) / count + wholeInner - 1) / wholeInner * wholeInner;
        std::vector<FusedKernel> parts;
        double work = 0;
        for (std::int64_t first = 0; first < size; first += each) {
            const Range block{first, std::min(first + each, size)};
            parts.push_back(partOf(product, loop, block, innerOf(triangles, block, product.loops[2])));
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
