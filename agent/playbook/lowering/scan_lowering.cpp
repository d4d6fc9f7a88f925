// SPDX-License-Identifier: GPL-3.0-or-later
// Scans: running sums, products and extremes along a dimension, which becomes the kernel's row. What is
// computed from elements before and after them goes along in the same loop.
#include "agent/playbook/analysis/graph_views.h"
#include "agent/playbook/lowering/operator_families.h"

#include <algorithm>

namespace warpwright {
namespace {

std::optional<KernelOp> scanOf(const QString &op) {
    return op == QLatin1String("cumsum")         ? std::optional(KernelOp::ScanSum)
           : op == QLatin1String("cumprod")      ? std::optional(KernelOp::ScanProduct)
           : op == QLatin1String("cummax")       ? std::optional(KernelOp::ScanMaximum)
           : op == QLatin1String("cummin")       ? std::optional(KernelOp::ScanMinimum)
           : op == QLatin1String("logcumsumexp") ? std::optional(KernelOp::ScanLogSumExp)
                                                 : std::nullopt;
}

bool takesScan(const ReferenceGraph &, const NodeAt &at) {
    return scanOf(at.word).has_value();
}

bool isAlong(const AffineIndex &index, std::size_t k) {
    return k < index.steps.size() && index.steps[k] != 0;
}

/// Whether some loop goes round without another element.
bool isRepeated(const Shape &loops, const IndexMap &map) {
    for (std::size_t k = 0; k < loops.size(); ++k)
        if (loops[k] > 1 &&
            std::none_of(map.begin(), map.end(), [k](const AffineIndex &index) { return isAlong(index, k); }))
            return true;
    return false;
}

/// Whether the kernel's row, in its order, counts `along`.
bool isRowAlong(const FusedKernel &kernel, const AffineIndex &along) {
    std::int64_t span = 1;
    for (std::size_t k = kernel.loops.size(); k-- > 0;) {
        if (kernel.loops[k] == 1)
            continue;
        if (along.steps[k] != (k < kernel.outer ? 0 : span))
            return false;
        span *= k < kernel.outer ? 1 : kernel.loops[k];
    }
    return true;
}

/// Whether the kernel's row is a scan's, which goes `along` dimension `d` of `size`. False: what would help
/// is said.
bool isRowOfScan(LoweringContext &context, const NodeAt &at, std::size_t d, const AffineIndex &along,
                 std::int64_t size) {
    const FusedKernel &kernel = context.kernel();
    const std::size_t count = kernel.loops.size();
    std::vector<int> loops;
    std::int64_t length = 1;
    bool isCounted = context.guard() >= 0;
    for (std::size_t k = 0; k < along.steps.size(); ++k) {
        if (along.steps[k] == 0)
            continue;
        isCounted = isCounted || k >= count;
        // A loop that counts backwards along it has to run the other way.
        if (k < count && along.steps[k] < 0) {
            context.stop(FlipLoop{static_cast<int>(k), at.result});
            return false;
        }
        loops.push_back(static_cast<int>(k));
        length *= context.indices().sizes()[k];
    }
    bool isShared = false; // another dimension goes along the same loop: a diagonal
    for (std::size_t i = 0; i < at.map.size(); ++i)
        for (const int k : loops)
            isShared = isShared || (i != d && isAlong(at.map[i], static_cast<std::size_t>(k)));
    const bool isWhole = !isCounted && !isShared && length == size && along.offset == 0;
    if (!isWhole || isRepeated(kernel.loops, at.map)) {
        context.need(at.result);
        return false;
    }
    if (kernel.outer == count && !loops.empty()) {
        context.stop(NeedsRows{at.result, {size}, loops});
        return false;
    }
    if (!isRowAlong(kernel, along)) {
        context.need(at.result);
        return false;
    }
    return true;
}

/// The last place so far at which an element was no less than all before it.
int lastPlace(LoweringContext &context, KernelOp scan, int element, int running, const AffineIndex &along) {
    FusedKernel &kernel = context.kernel();
    const KernelOp atLeast = KernelOp::LessOrEqual;
    int isNew = scan == KernelOp::ScanMaximum ? kernel.add(atLeast, ElementType::Bool, {running, element})
                                              : kernel.add(atLeast, ElementType::Bool, {element, running});
    if (isFloating(kernel.step(element).type))
        isNew = kernel.add(KernelOp::Or, ElementType::Bool,
                           {isNew, kernel.add(KernelOp::NotEqual, ElementType::Bool, {element, element})});
    const int here = kernel.add(KernelOp::Select, ElementType::Int64,
                                {isNew, context.indices().valueOf(along), integerStep(kernel, 0)});
    return kernel.add(KernelOp::ScanMaximum, ElementType::Int64, {here});
}

int lowerScan(LoweringContext &context, const NodeAt &at) {
    const KernelOp scan = scanOf(at.word).value();
    const QString &op = at.word;
    const bool isExtreme = op == QLatin1String("cummax") || op == QLatin1String("cummin");
    const int source = at.node.arguments[0].node;
    const Shape &shape = context.nodeAt(source).shape;
    FusedKernel &kernel = context.kernel();
    if (shape.empty())
        return isExtreme && at.item == 1 ? integerStep(kernel, 0) : context.lower(source, at.map);
    const std::size_t d = dimensionOf(at.node.arguments[1].number, shape.size());
    AffineIndex along = at.map[d];
    along.steps.resize(std::max(along.steps.size(), kernel.loops.size()), 0);
    if (!isRowOfScan(context, at, d, along, shape[d]))
        return -1;
    const int element = context.lower(source, at.map);
    if (element < 0)
        return element;
    const ElementType type =
        isExtreme ? kernel.step(element).type : computedType(context.nodeAt(at.result).type);
    const int running = kernel.add(scan, type, {kernel.converted(element, type)});
    return isExtreme && at.item == 1 ? lastPlace(context, scan, element, running, along) : running;
}

} // namespace

const OperatorFamily scanFamily{takesScan, lowerScan};

} // namespace warpwright
