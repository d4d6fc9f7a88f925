// SPDX-License-Identifier: GPL-3.0-or-later
// Look-ups: embeddings, gathers, rows and elements chosen by tensors of places. What is looked up may itself
// be computed: then only the elements that are asked for are.
#include "agent/playbook/analysis/graph_views.h"
#include "agent/playbook/analysis/whole_numbers.h"
#include "agent/playbook/lowering/operator_families.h"

#include <algorithm>

namespace warpwright {
namespace {

/// Where a tensor of places says, in a dimension of `size`. Empty: it does not fit.
std::optional<AffineIndex> placeIn(LoweringContext &context, int places, const IndexMap &at,
                                   std::int64_t size, bool mayBeNegative) {
    FusedKernel &kernel = context.kernel();
    int step = context.lower(places, at);
    if (step < 0)
        return std::nullopt;
    step = kernel.converted(step, ElementType::Int64);
    const KernelOp made = kernel.step(step).op;
    if (mayBeNegative && made != KernelOp::Index && made != KernelOp::Number &&
        !isNeverNegative(kernel, step)) { // counted from the end
        const int isNegative = kernel.add(KernelOp::Less, ElementType::Bool, {step, integerStep(kernel, 0)});
        const int fromEnd = kernel.add(KernelOp::Add, ElementType::Int64, {step, integerStep(kernel, size)});
        step = kernel.add(KernelOp::Select, ElementType::Int64, {isNegative, fromEnd, step});
    }
    AffineIndex index = context.indices().countedBy(step, size);
    if (made == KernelOp::Number && index.offset < 0)
        index.offset += size;
    return index;
}

bool takesEmbedding(const ReferenceGraph &, const NodeAt &at) {
    return at.word == QLatin1String("embedding");
}

int lowerEmbedding(LoweringContext &context, const NodeAt &at) {
    const int table = at.node.arguments[0].node;
    const int places = at.node.arguments[1].node;
    const IndexMap where(at.map.begin(), at.map.end() - 1);
    const auto row = placeIn(context, places, where, context.nodeAt(table).shape[0], false);
    return row ? context.lower(table, {*row, at.map.back()}) : -1;
}

bool takesGather(const ReferenceGraph &, const NodeAt &at) {
    const QString &op = at.word;
    return op == QLatin1String("gather") || op == QLatin1String("index_select");
}

// Of one dimension.
int lowerGather(LoweringContext &context, const NodeAt &at) {
    const GraphNode &node = at.node;
    const int source = node.arguments[0].node;
    const Shape &from = context.nodeAt(source).shape;
    const std::size_t d = dimensionOf(node.arguments[1].number, std::max<std::size_t>(from.size(), 1));
    const int places = node.arguments[2].node;
    IndexMap where = at.map;
    if (at.word != QLatin1String("gather"))
        where = context.nodeAt(places).shape.empty() ? IndexMap() : IndexMap{at.map[d]};
    const auto index = placeIn(context, places, where, from[d], false);
    if (!index)
        return -1;
    IndexMap place = at.map;
    place[d] = *index;
    return context.lower(source, place);
}

bool takesIndexing(const ReferenceGraph &, const NodeAt &at) {
    const QString &op = at.word;
    return op == QLatin1String("index") || op == QLatin1String("_unsafe_index");
}

/// Dimensions that tensors of places choose in, and the shape of these together.
struct ChosenDimensions {
    std::vector<std::size_t> chosen;
    Shape together;
};

/// Empty: it is refused.
std::optional<ChosenDimensions> chosenDimensions(LoweringContext &context, const GraphNode &node) {
    const std::vector<GraphArgument> &asked = node.arguments[1].items;
    ChosenDimensions found;
    Shape &together = found.together;
    for (std::size_t d = 0; d < asked.size(); ++d) {
        if (asked[d].kind != GraphArgument::Kind::Node)
            continue;
        const GraphNode &places = context.nodeAt(asked[d].node);
        if (isFloating(places.type) || places.type == ElementType::Bool) {
            context.refuse(QStringLiteral("«%1» chooses by a mask, so the size of its result hangs on values")
                               .arg(node.op));
            return std::nullopt;
        }
        found.chosen.push_back(d);
        if (together.size() < places.shape.size())
            together.insert(together.begin(), places.shape.size() - together.size(), 1);
        for (std::size_t i = 0; i < places.shape.size(); ++i) {
            std::int64_t &size = together[together.size() - places.shape.size() + i];
            size = std::max(size, places.shape[i]);
        }
    }
    return found;
}

int lowerIndexing(LoweringContext &context, const NodeAt &at) {
    const IndexMap &map = at.map;
    const int source = at.node.arguments[0].node;
    const Shape &from = context.nodeAt(source).shape;
    const auto dimensions = chosenDimensions(context, at.node);
    if (!dimensions)
        return -1;
    const auto &[chosen, together] = *dimensions;
    if (chosen.empty())
        return context.lower(source, map);
    // Tensors in neighbouring dimensions come together in their place, others at the front.
    const bool areNeighbours = chosen.back() - chosen.front() + 1 == chosen.size();
    const std::size_t front = areNeighbours ? chosen.front() : 0;
    const IndexMap ofPlaces(map.begin() + static_cast<std::ptrdiff_t>(front),
                            map.begin() + static_cast<std::ptrdiff_t>(front + together.size()));
    const bool mayBeNegative = at.word == QLatin1String("index");
    IndexMap place(from.size(), context.indices().constant(0));
    for (std::size_t d = 0, next = 0; d < from.size(); ++d) {
        if (std::find(chosen.begin(), chosen.end(), d) == chosen.end()) {
            if (next == front)
                next += together.size();
            place[d] = map[next++];
            continue;
        }
        const int places = at.node.arguments[1].items[d].node;
        const IndexMap where =
            broadcastMap(ofPlaces, context.nodeAt(places).shape, together, context.indices().sizes().size());
        const auto index = placeIn(context, places, where, from[d], mayBeNegative);
        if (!index)
            return -1;
        place[d] = *index;
    }
    return context.lower(source, place);
}

} // namespace

const OperatorFamily embeddingFamily{takesEmbedding, lowerEmbedding};
const OperatorFamily gatherFamily{takesGather, lowerGather};
const OperatorFamily indexingFamily{takesIndexing, lowerIndexing};

} // namespace warpwright
