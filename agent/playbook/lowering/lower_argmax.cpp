// SPDX-License-Identifier: GPL-3.0-or-later
// Extremes and k-th values with their indices. A reduction over pairs would need codegen of its own; two
// existing reductions give the same: the element, then the smallest index at which it occurs.
#include "agent/playbook/analysis/view_maps.h"
#include "agent/playbook/lowering/operator_families.h"
#include "agent/playbook/lowering/reduction_domain.h"

#include <algorithm>

namespace warpwright {
namespace {

bool isTop1(const NodeAt &at) {
    return at.opName == QLatin1String("topk") && at.node.arguments.size() > 1 &&
           at.node.arguments[1].number == 1;
}

bool isKthValue(const NodeAt &at) {
    return at.opName == QLatin1String("kthvalue");
}

bool takesArgmax(const ReferenceGraph &graph, const NodeAt &at) {
    const GraphNode &node = at.node;
    const QString &op = at.opName;
    const bool isArgument = op == QLatin1String("argmax") || op == QLatin1String("argmin");
    const bool isSecond =
        (node.op == QLatin1String("max.dim") || node.op == QLatin1String("min.dim")) && at.item == 1;
    if (!isKthValue(at))
        return isArgument || isSecond || isTop1(at);
    const ElementType type = graph.nodes[static_cast<std::size_t>(node.arguments[0].node)].type;
    return isFloating(type) && type != ElementType::Float64;
}

/// The row's extreme or k-th value, `element` being its elements.
int foundInRow(Kernel &kernel, const NodeAt &at, int element, std::int64_t length) {
    const ElementType type = kernel.step(element).type;
    if (isKthValue(at)) {
        const double fromLargest = static_cast<double>(length) + 1 - at.node.arguments[1].number;
        return kernel.add(Opcode::RowKthValue, type,
                          {element, kernel.number(fromLargest, ElementType::Int64)});
    }
    const GraphArgument *largest = isTop1(at) ? at.node.argument(3, "largest") : nullptr;
    const bool isLargest =
        isTop1(at) ? largest == nullptr || largest->truth
                   : at.opName == QLatin1String("argmax") || at.node.op == QLatin1String("max.dim");
    return kernel.add(isLargest ? Opcode::RowMaximum : Opcode::RowMinimum, type, {element});
}

/// Whether the element is the one that was found.
int isFoundHere(Kernel &kernel, const NodeAt &at, int element, int found) {
    const int isEqual = kernel.add(Opcode::Equal, ElementType::Bool, {element, found});
    if (!isFloating(kernel.step(element).type))
        return isEqual;
    // The first NaN is the extreme, and equal to nothing.
    const auto isNone = [&kernel](int step) {
        return kernel.add(Opcode::NotEqual, ElementType::Bool, {step, step});
    };
    const int isAlso = isKthValue(at)
                           ? kernel.add(Opcode::And, ElementType::Bool, {isNone(element), isNone(found)})
                           : isNone(element);
    return kernel.add(Opcode::Or, ElementType::Bool, {isEqual, isAlso});
}

int lowerArgmax(LoweringContext &context, const NodeAt &at) {
    static const GraphArgument last{GraphArgument::Kind::Number, -1, -1, false, ElementType::Int64, {}, {}};
    const GraphNode &node = at.node;
    const int source = node.arguments[0].node;
    const Shape &from = context.nodeAt(source).shape;
    const bool hasCount = isTop1(at) || isKthValue(at);
    const GraphArgument *asked = node.argument(hasCount ? 2 : 1, "dim");
    if (hasCount && asked == nullptr)
        asked = &last;
    const bool isOfAll = asked == nullptr || asked->kind != GraphArgument::Kind::Number;
    const std::size_t d = isOfAll ? 0 : dimensionOf(asked->number, from.size());
    Kernel &kernel = context.kernel();
    if (from.empty())
        return hasCount && at.item == 0 ? context.lower(source, at.map)
                                        : kernel.number(0, ElementType::Int64);
    const Shape reduced = isOfAll ? from : Shape{from[d]};
    AffineMap where(from.size(), context.indices().constant(0));
    const bool hasKeepDim = at.map.size() == from.size();
    for (std::size_t i = 0, next = 0; i < from.size() && !isOfAll; ++i)
        if (i != d)
            where[i] = at.map[hasKeepDim ? i : next++];
    const auto digits = reductionIndices(context, at.result, where, reduced);
    if (!digits)
        return -1;
    for (std::size_t i = 0; i < digits->size(); ++i)
        where[isOfAll ? i : d] = (*digits)[i];
    const int element = context.lower(source, where);
    if (element < 0)
        return element;
    const int found = foundInRow(kernel, at, element, from[d]);
    if (hasCount && at.item == 0)
        return found;
    const int isHere = isFoundHere(kernel, at, element, found);
    const int number = context.indices().valueOf(linearize(*digits, contiguousStrides(reduced), 0));
    const int nowhere = integerStep(kernel, elementCount(reduced));
    return kernel.add(Opcode::RowMinimum, ElementType::Int64,
                      {kernel.add(Opcode::Select, ElementType::Int64, {isHere, number, nowhere})});
}

} // namespace

const OperatorFamily argmaxFamily{takesArgmax, lowerArgmax};

} // namespace warpwright
