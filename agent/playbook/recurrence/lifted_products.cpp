// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/recurrence/lifted_products.h"

#include "agent/playbook/analysis/convolution_plan.h"
#include "agent/playbook/ir/graph_part.h"

#include <algorithm>
#include <map>

namespace warpwright {
namespace {

// The parts of all turns as one view of what they are parts of, turns first: the order of its dimensions, and
// where the turns are. Empty: a part is not all there is at one place.
struct AllParts {
    std::vector<std::int64_t> order;
    std::int64_t first = 0;
    bool isBackwards = false;
};

std::optional<AllParts> allParts(const TurnLeaf &leaf, const Shape &whole, const Shape &part,
                                 std::int64_t turns) {
    AllParts all;
    std::vector<bool> isTaken(whole.size(), false);
    for (std::size_t s = 0; s < whole.size(); ++s) {
        if (leaf.step[s] == 0)
            continue;
        if (!all.order.empty() || std::abs(leaf.step[s]) != 1 ||
            leaf.place[s] != constantIndex(leaf.place[s].offset, part.size()))
            return std::nullopt;
        all.order.push_back(static_cast<std::int64_t>(s));
        isTaken[s] = true;
        all.isBackwards = leaf.step[s] < 0;
        all.first = leaf.place[s].offset - (all.isBackwards ? turns - 1 : 0);
    }
    for (std::size_t d = 0; d < part.size(); ++d) {
        AffineIndex only = constantIndex(0, part.size());
        only.steps[d] = 1;
        for (std::size_t s = 0; s < whole.size(); ++s)
            if (!isTaken[s] && part[d] > 1 && leaf.place[s] == only && whole[s] == part[d]) {
                all.order.push_back(static_cast<std::int64_t>(s));
                isTaken[s] = true;
                break;
            }
    }
    for (std::size_t s = 0; s < whole.size(); ++s) {
        if (!isTaken[s] && whole[s] != 1)
            return std::nullopt;
        if (!isTaken[s])
            all.order.push_back(static_cast<std::int64_t>(s));
    }
    return all.order.size() == whole.size() && isTaken[static_cast<std::size_t>(all.order[0])]
               ? std::optional(all)
               : std::nullopt;
}

class Lifting {
public:
    Lifting(const ReferenceGraph &graph, const Repetition &turns) : m_graph(graph), m_turns(turns) {}

    ReferenceGraph run() {
        m_result = m_graph;
        m_result.nodes.assign(m_graph.nodes.begin(), m_graph.nodes.begin() + m_turns.first);
        for (int i = 0; i < m_turns.first; ++i)
            m_places.push_back(i);
        for (int position = 0; position < m_turns.period; ++position)
            lift(position);
        if (m_lifted.empty())
            return m_graph;
        for (std::size_t i = m_places.size(); i < m_graph.nodes.size(); ++i) {
            const auto node = static_cast<int>(i);
            const auto lifted =
                m_turns.holds(node) ? m_lifted.find(m_turns.positionOf(node)) : m_lifted.end();
            if (lifted != m_lifted.end()) {
                m_places.push_back(appendSelect(m_result, lifted->second, m_turns.turnOf(node)));
                continue;
            }
            GraphNode copy = m_graph.nodes[i];
            forEachTensor(copy, [this](GraphArgument &argument) {
                argument.node = m_places[static_cast<std::size_t>(argument.node)];
            });
            m_result.nodes.push_back(std::move(copy));
            m_places.push_back(static_cast<int>(m_result.nodes.size()) - 1);
        }
        for (int &output : m_result.outputs)
            output = m_places[static_cast<std::size_t>(output)];
        return std::move(m_result);
    }

private:
    const GraphNode &turnNode(int place) const { return m_turns.turn.nodes[static_cast<std::size_t>(place)]; }

    const TurnLeaf *leafAt(int place) const {
        for (const TurnLeaf &leaf : m_turns.leaves)
            if (leaf.node == place)
                return &leaf;
        return nullptr;
    }

    static bool isLiftable(const GraphNode &node) {
        return node.op.section(QLatin1Char('.'), 0, 0) == QLatin1String("mm") || isConvolution(node);
    }

    void lift(int position) {
        const int place = m_turns.places[static_cast<std::size_t>(position)];
        if (place < 0 || !isLiftable(turnNode(place)))
            return;
        const GraphNode &node = turnNode(place);
        const auto given = lookedAt(m_turns.turn, node.arguments[0].node);
        const TurnLeaf *leaf = given ? leafAt(given->base) : nullptr;
        if (leaf == nullptr || leaf->kind != TurnLeaf::Kind::Part)
            return;
        const Shape part = turnNode(leaf->node).shape;
        if (given->place != identityMap(part.size(), part.size()))
            return;
        const auto all =
            allParts(*leaf, m_graph.nodes[static_cast<std::size_t>(leaf->source)].shape, part, m_turns.turns);
        if (!all)
            return;
        GraphNode product = node;
        std::vector<int> others;
        bool areFixed = true;
        forEachTensor(product, [&](const GraphArgument &argument) {
            const auto other = lookedAt(m_turns.turn, argument.node);
            const TurnLeaf *of = other ? leafAt(other->base) : nullptr;
            areFixed = areFixed && (others.empty() || (of != nullptr && of->kind == TurnLeaf::Kind::Whole));
            others.push_back(argument.node);
        });
        if (!areFixed || others.empty() || leaf->source >= m_turns.first)
            return;
        const int stacked = appendAllParts(*leaf, *all, part);
        std::size_t slot = 0;
        bool isThere = true;
        forEachTensor(product, [&](GraphArgument &argument) {
            argument.node = slot == 0 ? stacked : fixedBefore(others[slot]);
            isThere = isThere && argument.node >= 0;
            ++slot;
        });
        if (!isThere)
            return;
        const Shape shape = node.shape;
        product.shape[0] *= m_turns.turns;
        product.strides = contiguousStrides(product.shape);
        product.offset = 0;
        m_result.nodes.push_back(std::move(product));
        Shape byTurn = shape;
        byTurn.insert(byTurn.begin(), m_turns.turns);
        m_lifted[position] =
            appendView(m_result, "view", static_cast<int>(m_result.nodes.size()) - 1, {byTurn}, byTurn);
    }

    int appendAllParts(const TurnLeaf &leaf, const AllParts &all, const Shape &part) {
        const Shape &whole = m_graph.nodes[static_cast<std::size_t>(leaf.source)].shape;
        Shape turned;
        for (const std::int64_t d : all.order)
            turned.push_back(whole[static_cast<std::size_t>(d)]);
        int found = appendView(m_result, "permute", leaf.source, {all.order}, turned);
        if (turned[0] != m_turns.turns)
            found = appendSlice(m_result, found, all.first, m_turns.turns);
        turned[0] = m_turns.turns;
        if (all.isBackwards)
            found = appendView(m_result, "flip", found, {{0}}, turned);
        Shape flat = part;
        flat[0] *= m_turns.turns;
        return appendView(m_result, "view", found, {flat}, flat);
    }

    // What looks at the same in each turn, before them; -1: it comes later in the graph.
    int fixedBefore(int place) {
        if (const TurnLeaf *leaf = leafAt(place))
            return leaf->source < m_turns.first ? leaf->source : -1;
        GraphNode view = turnNode(place);
        view.arguments[0].node = fixedBefore(view.arguments[0].node);
        if (view.arguments[0].node < 0)
            return -1;
        m_result.nodes.push_back(std::move(view));
        return static_cast<int>(m_result.nodes.size()) - 1;
    }

    const ReferenceGraph &m_graph;
    const Repetition &m_turns;
    ReferenceGraph m_result;
    std::vector<int> m_places;   ///< by node of the graph: what it is in the result
    std::map<int, int> m_lifted; ///< by position in a turn: what all turns together are
};

} // namespace

ReferenceGraph withProductsBeforeTurns(const ReferenceGraph &graph, const Repetition &turns) {
    return Lifting(graph, turns).run();
}

} // namespace warpwright
