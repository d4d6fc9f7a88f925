// SPDX-License-Identifier: GPL-3.0-or-later
// Embedding bags: sums, means and maxima of gathered rows of a table. Bags of equal length are reduced by the
// kernel's inner loops; bags with offsets in memory are not supported.
#include "agent/playbook/analysis/operator_traits.h"
#include "agent/playbook/lowering/operator_families.h"
#include "agent/playbook/lowering/reduction_domain.h"

#include <limits>

namespace warpwright {
namespace {

enum class BagMode { Sum, Mean, Maximum }; // torch's numbers

/// The length of bags with offsets 0, n, 2n and so on; 0: known at run time only.
std::int64_t lengthOfBags(const GraphNode &starts) {
    if (opNameOf(starts) != QLatin1String("arange"))
        return 0;
    const auto number = [&starts](int index) {
        const GraphArgument *argument = starts.argument(index);
        const bool isThere = argument != nullptr && argument->kind == GraphArgument::Kind::Number;
        return isThere ? std::optional(static_cast<std::int64_t>(argument->number)) : std::nullopt;
    };
    const bool hasStart = starts.op.section(QLatin1Char('.'), 1).startsWith(QLatin1String("start"));
    return hasStart && number(0) != 0 ? 0 : number(2).value_or(1);
}

const GraphArgument *argumentOf(const GraphNode &bag, int index) {
    const GraphArgument *argument = bag.argument(index);
    return argument != nullptr && argument->kind != GraphArgument::Kind::None ? argument : nullptr;
}

/// One element of a bag, and the condition that it counts; -1: it always does.
struct BagElement {
    int step = -1;
    int isThere = -1;
};

/// The table's element for index `where` of the tensor of rows. Empty: it does not fit.
std::optional<BagElement> elementOf(LoweringContext &context, const NodeAt &at, const AffineExpr &where,
                                    ElementType type) {
    Kernel &kernel = context.kernel();
    const GraphArgument *given = argumentOf(at.node, 8);
    const auto padding = given == nullptr ? -1 : static_cast<std::int64_t>(given->number);
    const int table = at.node.arguments[0].node;
    int row = context.lower(at.node.arguments[1].node, {where});
    if (row < 0)
        return std::nullopt;
    row = kernel.converted(row, ElementType::Int64);
    BagElement element;
    // Indices equal to padding_idx do not count.
    if (padding >= 0)
        element.isThere =
            kernel.add(Opcode::NotEqual, ElementType::Bool, {row, integerStep(kernel, padding)});
    element.step = context.lower(
        table, {context.indices().dynamicIndex(row, context.nodeAt(table).shape[0]), at.map[1]});
    if (element.step < 0)
        return std::nullopt;
    element.step = kernel.converted(element.step, type);
    if (const GraphArgument *weights = argumentOf(at.node, 6)) {
        const int weight = context.lower(weights->node, {where});
        if (weight < 0)
            return std::nullopt;
        element.step = kernel.add(Opcode::Multiply, type, {element.step, kernel.converted(weight, type)});
    }
    return element;
}

bool takesEmbeddingBag(const ReferenceGraph &, const NodeAt &at) {
    return at.opName == QLatin1String("_embedding_bag") && at.item == 0;
}

int lowerEmbeddingBag(LoweringContext &context, const NodeAt &at) {
    const GraphNode &node = at.node;
    const GraphNode &value = context.nodeAt(at.result);
    const Shape &all = context.nodeAt(node.arguments[1].node).shape;
    const std::int64_t length = lengthOfBags(context.nodeAt(node.arguments[2].node));
    if (length < 1 || length * value.shape[0] != elementCount(all))
        return context.refuse(
            QStringLiteral(
                "«%1» has bags of lengths known at run time only, and loops here have fixed bounds")
                .arg(node.op));
    const GraphArgument *asked = argumentOf(node, 4);
    const auto mode = static_cast<BagMode>(asked == nullptr ? 0 : static_cast<int>(asked->number));
    const ElementType type = computeType(value.type);
    const auto digits = reductionIndices(context, at.result, at.map, {length});
    if (!digits)
        return -1;
    const AffineExpr &bag = at.map[0];
    AffineExpr where = (*digits)[0];
    where.offset += bag.offset * length;
    where.steps.resize(std::max(where.steps.size(), bag.steps.size()), 0);
    for (std::size_t k = 0; k < bag.steps.size(); ++k)
        where.steps[k] += bag.steps[k] * length;
    const auto element = elementOf(context, at, where, type);
    if (!element)
        return -1;
    Kernel &kernel = context.kernel();
    const auto chosen = [&kernel, type](int condition, int some, double otherwise) {
        return kernel.add(Opcode::Select, type, {condition, some, kernel.number(otherwise, type)});
    };
    const bool isMaximum = mode == BagMode::Maximum;
    const int isThere = element->isThere;
    const int summed = isThere < 0 ? element->step
                                   : chosen(isThere, element->step,
                                            isMaximum ? -std::numeric_limits<double>::infinity() : 0);
    const int result = kernel.add(isMaximum ? Opcode::RowMaximum : Opcode::RowSum, type, {summed});
    if (mode == BagMode::Sum)
        return result;
    if (isThere < 0)
        return isMaximum ? result
                         : kernel.add(Opcode::Divide, type,
                                      {result, kernel.number(static_cast<double>(length), type)});
    // An empty bag is zero.
    const int count = kernel.add(Opcode::RowSum, type, {chosen(isThere, kernel.number(1, type), 0)});
    if (isMaximum)
        return chosen(kernel.add(Opcode::Less, ElementType::Bool, {kernel.number(0, type), count}), result,
                      0);
    return kernel.add(Opcode::Divide, type,
                      {result, kernel.add(Opcode::Maximum, type, {count, kernel.number(1, type)})});
}

} // namespace

const OperatorFamily embeddingBagFamily{takesEmbeddingBag, lowerEmbeddingBag};

} // namespace warpwright
