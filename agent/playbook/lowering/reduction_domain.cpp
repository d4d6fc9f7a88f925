// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/lowering/reduction_domain.h"

#include "agent/playbook/analysis/operator_traits.h"

#include <algorithm>
#include <set>

namespace warpwright {
namespace {

constexpr std::int64_t mostUnrolled = 4; ///< elements that are unrolled instead of a loop
constexpr std::int64_t mostTimes = 16;   ///< copies of one step by nested unrolling

} // namespace

std::optional<AffineMap> reductionIndices(LoweringContext &context, int nodeIndex, const AffineMap &result,
                                          const Shape &reduced) {
    const Kernel &kernel = context.kernel();
    const std::size_t count = kernel.loops.size();
    // Under a condition, or at a dynamic index, iterations would be wasted: it is materialized.
    const bool isDynamic = std::any_of(result.begin(), result.end(), [count](const AffineExpr &index) {
        return std::any_of(index.steps.begin() +
                               static_cast<std::ptrdiff_t>(std::min(count, index.steps.size())),
                           index.steps.end(), [](std::int64_t step) { return step != 0; });
    });
    if (context.guard() >= 0 || isDynamic) {
        context.requireBuffer(nodeIndex);
        return std::nullopt;
    }
    std::vector<bool> isUsed(count, false);
    for (const AffineExpr &index : result)
        for (std::size_t k = 0; k < std::min(count, index.steps.size()); ++k)
            isUsed[k] = isUsed[k] || index.steps[k] != 0;
    const std::size_t outer = kernel.outer;
    if (outer == count && elementCount(reduced) > 1) { // no inner loops yet: report those that are needed
        NeedsInnerLoops found{nodeIndex, reduced, {}};
        for (std::size_t k = 0; k < count; ++k)
            if (!isUsed[k] && kernel.loops[k] > 1)
                found.repeated.push_back(static_cast<int>(k));
        context.stop(found);
        return std::nullopt;
    }
    const bool isOfRow = std::none_of(isUsed.begin() + static_cast<std::ptrdiff_t>(outer), isUsed.end(),
                                      [](bool used) { return used; });
    bool isOnePerRow = true;
    for (std::size_t k = 0; k < outer; ++k)
        isOnePerRow = isOnePerRow && (isUsed[k] || kernel.loops[k] == 1);
    AffineExpr inner = constantIndex(0, count);
    std::int64_t span = 1;
    for (std::size_t k = count; k-- > outer;) {
        inner.steps[k] = span;
        span *= kernel.loops[k];
    }
    if (!isOfRow || !isOnePerRow || span != elementCount(reduced)) {
        context.requireBuffer(nodeIndex);
        return std::nullopt;
    }
    std::optional<LoopSplit> split;
    auto digits = delinearize(inner, reduced, kernel.loops, split);
    if (!digits)
        context.stop(split ? Obstacle(*split) : NeedsBuffer{nodeIndex});
    return digits;
}

bool isBetterUnrolled(LoweringContext &context, int nodeIndex, int source, const AffineMap &result,
                      const Shape &reduced) {
    const std::int64_t count = elementCount(reduced);
    if (!context.lacksBuffer(nodeIndex) || count > mostUnrolled || count * context.unrollFactor() > mostTimes)
        return false;
    // Computed once for each result, it costs no more than in a kernel of its own.
    const Kernel &kernel = context.kernel();
    const std::size_t loops = kernel.loops.size();
    bool isOnce = context.guard() < 0;
    for (std::size_t k = 0; k < loops; ++k)
        isOnce = isOnce && (kernel.loops[k] == 1 ||
                            std::any_of(result.begin(), result.end(), [k](const AffineExpr &index) {
                                return k < index.steps.size() && index.steps[k] != 0;
                            }));
    for (const AffineExpr &index : result)
        for (std::size_t k = loops; k < index.steps.size(); ++k)
            isOnce = isOnce && index.steps[k] == 0;
    if (!isOnce && isCostly(context, source))
        return false;
    context.clearObstacle();
    return true;
}

int unrolledReduction(LoweringContext &context, const Shape &reduced, Opcode reduction, ElementType type,
                      const std::function<int(const AffineMap &digits)> &element) {
    const std::int64_t count = elementCount(reduced);
    const Shape strides = contiguousStrides(reduced);
    const LoweringContext::Unrolling unrolling(context, count);
    int all = -1;
    for (std::int64_t i = 0; i < count; ++i) {
        AffineMap digits;
        for (std::size_t d = 0; d < reduced.size(); ++d)
            digits.push_back(context.indices().constant(i / strides[d] % reduced[d]));
        const int one = element(digits);
        if (one < 0)
            return -1;
        all = all < 0
                  ? one
                  : context.kernel().add(combinerOf(reduction, type == ElementType::Bool), type, {all, one});
    }
    return all;
}

std::optional<ReductionDomain> reductionDomain(LoweringContext &context, const NodeAt &at) {
    ReductionDomain row;
    row.source = at.node.arguments[0].node;
    const Shape &from = context.nodeAt(row.source).shape;
    row.dimensions = reducedDimensions(context.graph(), at.node);
    const auto isReduced = [&row](std::size_t d) {
        return std::find(row.dimensions.begin(), row.dimensions.end(), d) != row.dimensions.end();
    };
    for (const std::size_t d : row.dimensions)
        row.reduced.push_back(from[d]);
    // The result's map: reduced dimensions are 1 or gone.
    row.map.assign(from.size(), context.indices().constant(0));
    const bool hasKeepDim = at.map.size() == from.size();
    for (std::size_t d = 0, next = 0; d < from.size(); ++d) {
        if (!isReduced(d))
            row.map[d] = at.map[hasKeepDim ? d : next++];
    }
    row.digits = reductionIndices(context, at.result, row.map, row.reduced);
    if (!row.digits && !isBetterUnrolled(context, at.result, row.source, row.map, row.reduced))
        return std::nullopt;
    if (!row.digits && elementCount(row.reduced) == 0) { // no first element
        context.refuse(
            QStringLiteral("«%1» reduces over a dimension of size 0, which no kernel here does yet: "
                           "give the reference inputs without empty dimensions, or write the "
                           "constant result instead of this operator")
                .arg(at.opName));
        return std::nullopt;
    }
    return row;
}

int reduce(LoweringContext &context, const ReductionDomain &row, Opcode op, ElementType type,
           const std::function<int(int element)> &with) {
    Kernel &kernel = context.kernel();
    const auto elementAt = [&](const AffineMap &digits) {
        AffineMap where = row.map;
        for (std::size_t i = 0; i < row.dimensions.size(); ++i)
            where[row.dimensions[i]] = digits[i];
        const int element = context.lower(row.source, where);
        if (element < 0)
            return element;
        const int converted = kernel.converted(element, type);
        return with ? with(converted) : converted;
    };
    if (!row.digits)
        return unrolledReduction(context, row.reduced, op, type, elementAt);
    const int element = elementAt(*row.digits);
    if (element < 0 || elementCount(row.reduced) == 1)
        return element;
    return op == Opcode::RowMaximum ? kernel.largest(type, element) : kernel.add(op, type, {element});
}

bool isCostly(const LoweringContext &context, int node) {
    std::set<int> seen;
    const std::function<bool(int)> visit = [&](int nodeIndex) {
        const GraphNode &what = context.nodeAt(nodeIndex);
        if (what.kind != GraphNode::Kind::Operator || context.known().contains(nodeIndex) ||
            !seen.insert(nodeIndex).second)
            return false;
        const auto plain = opcodeFromName(what.op);
        const bool hasWindows = what.op.contains(QLatin1String("_pool"));
        if ((plain && isExpensive(*plain)) || isKnownReduction(what) || hasWindows)
            return true;
        return std::any_of(what.arguments.begin(), what.arguments.end(), [&](const GraphArgument &argument) {
            return (argument.kind == GraphArgument::Kind::Node && visit(argument.node)) ||
                   std::any_of(argument.items.begin(), argument.items.end(), [&](const GraphArgument &item) {
                       return item.kind == GraphArgument::Kind::Node && visit(item.node);
                   });
        });
    };
    return visit(node);
}

} // namespace warpwright
