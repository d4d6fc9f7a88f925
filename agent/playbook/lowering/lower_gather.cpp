// SPDX-License-Identifier: GPL-3.0-or-later
// Embedding, gather, index_select and indexing by tensors. A source that is computed is computed for the
// gathered elements only.
#include "agent/playbook/analysis/integer_ranges.h"
#include "agent/playbook/analysis/view_maps.h"
#include "agent/playbook/lowering/operator_families.h"

#include <algorithm>

namespace warpwright {
namespace {

/// An index read from an index tensor, into a dimension of `size`. Empty: it does not fit.
std::optional<AffineExpr> gatheredIndex(LoweringContext &context, int indices, const AffineMap &at,
                                        std::int64_t size, bool mayBeNegative) {
    Kernel &kernel = context.kernel();
    int step = context.lower(indices, at);
    if (step < 0)
        return std::nullopt;
    step = kernel.converted(step, ElementType::Int64);
    const Opcode made = kernel.step(step).op;
    if (mayBeNegative && made != Opcode::Index && made != Opcode::Number &&
        !isNeverNegative(kernel, step)) { // counted from the end
        const int isNegative = kernel.add(Opcode::Less, ElementType::Bool, {step, integerStep(kernel, 0)});
        const int fromEnd = kernel.add(Opcode::Add, ElementType::Int64, {step, integerStep(kernel, size)});
        step = kernel.add(Opcode::Select, ElementType::Int64, {isNegative, fromEnd, step});
    }
    AffineExpr index = context.indices().dynamicIndex(step, size);
    if (made == Opcode::Number && index.offset < 0)
        index.offset += size;
    return index;
}

bool takesEmbedding(const ReferenceGraph &, const NodeAt &at) {
    return at.opName == QLatin1String("embedding");
}

int lowerEmbedding(LoweringContext &context, const NodeAt &at) {
    const int table = at.node.arguments[0].node;
    const int indices = at.node.arguments[1].node;
    const AffineMap where(at.map.begin(), at.map.end() - 1);
    const auto row = gatheredIndex(context, indices, where, context.nodeAt(table).shape[0], false);
    return row ? context.lower(table, {*row, at.map.back()}) : -1;
}

bool takesGather(const ReferenceGraph &, const NodeAt &at) {
    const QString &op = at.opName;
    return op == QLatin1String("gather") || op == QLatin1String("index_select");
}

// Along one dimension.
int lowerGather(LoweringContext &context, const NodeAt &at) {
    const GraphNode &node = at.node;
    const int source = node.arguments[0].node;
    const Shape &from = context.nodeAt(source).shape;
    const std::size_t d = dimensionOf(node.arguments[1].number, std::max<std::size_t>(from.size(), 1));
    const int indices = node.arguments[2].node;
    AffineMap where = at.map;
    if (at.opName != QLatin1String("gather"))
        where = context.nodeAt(indices).shape.empty() ? AffineMap() : AffineMap{at.map[d]};
    const auto index = gatheredIndex(context, indices, where, from[d], false);
    if (!index)
        return -1;
    AffineMap sourceMap = at.map;
    sourceMap[d] = *index;
    return context.lower(source, sourceMap);
}

bool takesIndexing(const ReferenceGraph &, const NodeAt &at) {
    const QString &op = at.opName;
    return op == QLatin1String("index") || op == QLatin1String("_unsafe_index");
}

/// Dimensions that index tensors select in, and the broadcast shape of these tensors.
struct IndexedDimensions {
    std::vector<std::size_t> chosen;
    Shape broadcastShape;
};

/// Empty: refused.
std::optional<IndexedDimensions> indexedDimensions(LoweringContext &context, const GraphNode &node) {
    const std::vector<GraphArgument> &asked = node.arguments[1].items;
    IndexedDimensions found;
    Shape &broadcastShape = found.broadcastShape;
    for (std::size_t d = 0; d < asked.size(); ++d) {
        if (asked[d].kind != GraphArgument::Kind::Node)
            continue;
        const GraphNode &indices = context.nodeAt(asked[d].node);
        if (isFloating(indices.type) || indices.type == ElementType::Bool) {
            context.refuse(
                QStringLiteral("«%1» indexes by a mask, so the size of its result depends on values")
                    .arg(node.op));
            return std::nullopt;
        }
        found.chosen.push_back(d);
        if (broadcastShape.size() < indices.shape.size())
            broadcastShape.insert(broadcastShape.begin(), indices.shape.size() - broadcastShape.size(), 1);
        for (std::size_t i = 0; i < indices.shape.size(); ++i) {
            std::int64_t &size = broadcastShape[broadcastShape.size() - indices.shape.size() + i];
            size = std::max(size, indices.shape[i]);
        }
    }
    return found;
}

int lowerIndexing(LoweringContext &context, const NodeAt &at) {
    const AffineMap &map = at.map;
    const int source = at.node.arguments[0].node;
    const Shape &from = context.nodeAt(source).shape;
    const auto dimensions = indexedDimensions(context, at.node);
    if (!dimensions)
        return -1;
    const auto &[chosen, broadcastShape] = *dimensions;
    if (chosen.empty())
        return context.lower(source, map);
    // Dimensions of adjacent index tensors stay in place, others move to the front.
    const bool areNeighbours = chosen.back() - chosen.front() + 1 == chosen.size();
    const std::size_t front = areNeighbours ? chosen.front() : 0;
    const AffineMap ofIndices(map.begin() + static_cast<std::ptrdiff_t>(front),
                              map.begin() + static_cast<std::ptrdiff_t>(front + broadcastShape.size()));
    const bool mayBeNegative = at.opName == QLatin1String("index");
    AffineMap sourceMap(from.size(), context.indices().constant(0));
    for (std::size_t d = 0, next = 0; d < from.size(); ++d) {
        if (std::find(chosen.begin(), chosen.end(), d) == chosen.end()) {
            if (next == front)
                next += broadcastShape.size();
            sourceMap[d] = map[next++];
            continue;
        }
        const int indices = at.node.arguments[1].items[d].node;
        const AffineMap where = broadcastMap(ofIndices, context.nodeAt(indices).shape, broadcastShape,
                                             context.indices().sizes().size());
        const auto index = gatheredIndex(context, indices, where, from[d], mayBeNegative);
        if (!index)
            return -1;
        sourceMap[d] = *index;
    }
    return context.lower(source, sourceMap);
}

} // namespace

const OperatorFamily embeddingFamily{takesEmbedding, lowerEmbedding};
const OperatorFamily gatherFamily{takesGather, lowerGather};
const OperatorFamily indexingFamily{takesIndexing, lowerIndexing};

} // namespace warpwright
