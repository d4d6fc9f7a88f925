// SPDX-License-Identifier: GPL-3.0-or-later
// KernelLowering's look-ups: embeddings, gathers, rows and elements chosen by tensors of places. What is
// looked up may itself be computed: then only the elements that are asked for are.
#include "agent/playbook/analysis/operator_traits.h"
#include "agent/playbook/analysis/whole_numbers.h"
#include "agent/playbook/lowering/kernel_lowering.h"

#include <algorithm>

namespace warpwright {

std::optional<int> KernelLowering::lowerLookUp(const GraphNode &node, const IndexMap &map) {
    const QString op = wordOf(node);
    const bool isOne = op == QLatin1String("gather") || op == QLatin1String("index_select");
    const bool isMany = op == QLatin1String("index") || op == QLatin1String("_unsafe_index");
    if (!isOne && !isMany && op != QLatin1String("embedding"))
        return std::nullopt;
    const int source = node.arguments[0].node;
    const Shape &from = m_graph.nodes[static_cast<std::size_t>(source)].shape;
    // Where a tensor of places says: its element, counted from the end where it is negative.
    const auto placeIn = [this](int places, const IndexMap &at, std::int64_t size, bool mayBeNegative) {
        int step = lower(places, at);
        if (step < 0)
            return std::optional<AffineIndex>();
        step = m_kernel.converted(step, ElementType::Int64);
        const KernelOp made = m_kernel.step(step).op;
        if (mayBeNegative && made != KernelOp::Index && made != KernelOp::Number &&
            !isNeverNegative(m_kernel, step)) {
            const auto number = [this](std::int64_t value) {
                return m_kernel.number(static_cast<double>(value), ElementType::Int64);
            };
            const int isNegative = m_kernel.add(KernelOp::Less, ElementType::Bool, {step, number(0)});
            const int fromEnd = m_kernel.add(KernelOp::Add, ElementType::Int64, {step, number(size)});
            step = m_kernel.add(KernelOp::Select, ElementType::Int64, {isNegative, fromEnd, step});
        }
        AffineIndex index = countedBy(step, size);
        if (made == KernelOp::Number && index.offset < 0)
            index.offset += size;
        return std::optional(index);
    };
    const auto shapeOf = [this](int place) -> const Shape & {
        return m_graph.nodes[static_cast<std::size_t>(place)].shape;
    };
    if (op == QLatin1String("embedding")) {
        const int places = node.arguments[1].node;
        const auto row = placeIn(places, IndexMap(map.begin(), map.end() - 1), from[0], false);
        return row ? lower(source, {*row, map.back()}) : -1;
    }
    IndexMap place = map;
    if (isOne) {
        const std::size_t d = dimensionOf(node.arguments[1].number, std::max<std::size_t>(from.size(), 1));
        const int places = node.arguments[2].node;
        const bool isGather = op == QLatin1String("gather");
        IndexMap at = map;
        if (!isGather)
            at = shapeOf(places).empty() ? IndexMap() : IndexMap{map[d]};
        const auto index = placeIn(places, at, from[d], false);
        if (!index)
            return -1;
        place[d] = *index;
        return lower(source, place);
    }
    // Tensors in neighbouring dimensions come together in their place, others at the front.
    const std::vector<GraphArgument> &asked = node.arguments[1].items;
    std::vector<std::size_t> chosen;
    Shape together;
    for (std::size_t d = 0; d < asked.size(); ++d) {
        if (asked[d].kind != GraphArgument::Kind::Node)
            continue;
        const GraphNode &places = m_graph.nodes[static_cast<std::size_t>(asked[d].node)];
        if (isFloating(places.type) || places.type == ElementType::Bool)
            return refuse(QStringLiteral("«%1» chooses by a mask, so the size of its result hangs on values")
                              .arg(node.op));
        chosen.push_back(d);
        if (together.size() < places.shape.size())
            together.insert(together.begin(), places.shape.size() - together.size(), 1);
        for (std::size_t i = 0; i < places.shape.size(); ++i) {
            std::int64_t &size = together[together.size() - places.shape.size() + i];
            size = std::max(size, places.shape[i]);
        }
    }
    if (chosen.empty())
        return lower(source, map);
    const bool areNeighbours = chosen.back() - chosen.front() + 1 == chosen.size();
    const std::size_t front = areNeighbours ? chosen.front() : 0;
    const IndexMap at(map.begin() + static_cast<std::ptrdiff_t>(front),
                      map.begin() + static_cast<std::ptrdiff_t>(front + together.size()));
    place.assign(from.size(), constantIndex(0, m_sizes.size()));
    for (std::size_t d = 0, next = 0; d < from.size(); ++d) {
        if (std::find(chosen.begin(), chosen.end(), d) == chosen.end()) {
            if (next == front)
                next += together.size();
            place[d] = map[next++];
            continue;
        }
        const int places = asked[d].node;
        const auto index = placeIn(places, broadcastMap(at, shapeOf(places), together, m_sizes.size()),
                                   from[d], op == QLatin1String("index"));
        if (!index)
            return -1;
        place[d] = *index;
    }
    return lower(source, place);
}

} // namespace warpwright
