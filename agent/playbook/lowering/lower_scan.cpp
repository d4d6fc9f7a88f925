// SPDX-License-Identifier: GPL-3.0-or-later
// Scans: cumulative sums, products and extremes along a dimension, which becomes the kernel's inner loop.
// Pointwise work before and after them fuses into the same loop.
#include "agent/playbook/analysis/view_maps.h"
#include "agent/playbook/lowering/operator_families.h"

#include <algorithm>

namespace warpwright {
namespace {

std::optional<Opcode> scanOf(const QString &op) {
    return op == QLatin1String("cumsum")         ? std::optional(Opcode::ScanSum)
           : op == QLatin1String("cumprod")      ? std::optional(Opcode::ScanProduct)
           : op == QLatin1String("cummax")       ? std::optional(Opcode::ScanMaximum)
           : op == QLatin1String("cummin")       ? std::optional(Opcode::ScanMinimum)
           : op == QLatin1String("logcumsumexp") ? std::optional(Opcode::ScanLogSumExp)
                                                 : std::nullopt;
}

bool takesScan(const ReferenceGraph &, const NodeAt &at) {
    return scanOf(at.opName).has_value();
}

bool isAlong(const AffineExpr &index, std::size_t k) {
    return k < index.steps.size() && index.steps[k] != 0;
}

/// Whether some loop revisits the same element.
bool isRepeated(const Shape &loops, const AffineMap &map) {
    for (std::size_t k = 0; k < loops.size(); ++k)
        if (loops[k] > 1 &&
            std::none_of(map.begin(), map.end(), [k](const AffineExpr &index) { return isAlong(index, k); }))
            return true;
    return false;
}

/// Whether the kernel's inner loops, in their order, are `along`.
bool isRowAlong(const Kernel &kernel, const AffineExpr &along) {
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

/// Whether the kernel's inner loops are the scanned dimension `d`, of `size`, indexed by `along`. False: the
/// obstacle is set.
bool isRowOfScan(LoweringContext &context, const NodeAt &at, std::size_t d, const AffineExpr &along,
                 std::int64_t size) {
    const Kernel &kernel = context.kernel();
    const std::size_t count = kernel.loops.size();
    std::vector<int> loops;
    std::int64_t length = 1;
    bool isDynamic = context.guard() >= 0;
    for (std::size_t k = 0; k < along.steps.size(); ++k) {
        if (along.steps[k] == 0)
            continue;
        isDynamic = isDynamic || k >= count;
        // A loop that counts down along it has to be reversed.
        if (k < count && along.steps[k] < 0) {
            context.stop(FlipLoop{static_cast<int>(k), at.result});
            return false;
        }
        loops.push_back(static_cast<int>(k));
        length *= context.indices().sizes()[k];
    }
    bool isShared = false; // another dimension uses the same loop: a diagonal
    for (std::size_t i = 0; i < at.map.size(); ++i)
        for (const int k : loops)
            isShared = isShared || (i != d && isAlong(at.map[i], static_cast<std::size_t>(k)));
    const bool isWhole = !isDynamic && !isShared && length == size && along.offset == 0;
    if (!isWhole || isRepeated(kernel.loops, at.map)) {
        context.requireBuffer(at.result);
        return false;
    }
    if (kernel.outer == count && !loops.empty()) {
        context.stop(NeedsInnerLoops{at.result, {size}, loops});
        return false;
    }
    if (!isRowAlong(kernel, along)) {
        context.requireBuffer(at.result);
        return false;
    }
    return true;
}

/// The last index so far at which an element equalled or passed the extreme before it.
int scannedArgmax(LoweringContext &context, Opcode scan, int element, int scanned, const AffineExpr &along) {
    Kernel &kernel = context.kernel();
    const Opcode atLeast = Opcode::LessOrEqual;
    int isNew = scan == Opcode::ScanMaximum ? kernel.add(atLeast, ElementType::Bool, {scanned, element})
                                            : kernel.add(atLeast, ElementType::Bool, {element, scanned});
    if (isFloating(kernel.step(element).type))
        isNew = kernel.add(Opcode::Or, ElementType::Bool,
                           {isNew, kernel.add(Opcode::NotEqual, ElementType::Bool, {element, element})});
    const int here = kernel.add(Opcode::Select, ElementType::Int64,
                                {isNew, context.indices().valueOf(along), integerStep(kernel, 0)});
    return kernel.add(Opcode::ScanMaximum, ElementType::Int64, {here});
}

int lowerScan(LoweringContext &context, const NodeAt &at) {
    const Opcode scan = scanOf(at.opName).value();
    const QString &op = at.opName;
    const bool isExtreme = op == QLatin1String("cummax") || op == QLatin1String("cummin");
    const int source = at.node.arguments[0].node;
    const Shape &shape = context.nodeAt(source).shape;
    Kernel &kernel = context.kernel();
    if (shape.empty())
        return isExtreme && at.item == 1 ? integerStep(kernel, 0) : context.lower(source, at.map);
    const std::size_t d = dimensionOf(at.node.arguments[1].number, shape.size());
    AffineExpr along = at.map[d];
    along.steps.resize(std::max(along.steps.size(), kernel.loops.size()), 0);
    if (!isRowOfScan(context, at, d, along, shape[d]))
        return -1;
    const int element = context.lower(source, at.map);
    if (element < 0)
        return element;
    const ElementType type =
        isExtreme ? kernel.step(element).type : computeType(context.nodeAt(at.result).type);
    const int scanned = kernel.add(scan, type, {kernel.converted(element, type)});
    return isExtreme && at.item == 1 ? scannedArgmax(context, scan, element, scanned, along) : scanned;
}

} // namespace

const OperatorFamily scanFamily{takesScan, lowerScan};

} // namespace warpwright
