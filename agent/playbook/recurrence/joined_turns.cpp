// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/recurrence/joined_turns.h"

#include "agent/playbook/analysis/graph_views.h"
#include "agent/playbook/ir/graph_part.h"

#include <algorithm>
#include <numeric>

namespace warpwright {
namespace {

constexpr std::size_t leastJoined = 4; ///< fewer are parts of a join like any others

// The dimensions of what turns leave in the order of a join along `along`, where a part looks at all of it.
std::optional<std::vector<std::int64_t>> orderOf(const IndexMap &place, const Shape &part,
                                                 const Shape &result, std::size_t along) {
    std::vector<std::int64_t> order;
    std::vector<bool> isTaken(result.size(), false);
    for (std::size_t d = 0; d < part.size(); ++d) {
        if (d == along)
            order.push_back(0);
        for (std::size_t s = 0; s < result.size(); ++s) {
            AffineIndex only = constantIndex(0, part.size());
            only.steps[d] = 1;
            if (part[d] == 1 || isTaken[s] || place[s] != only || result[s] != part[d])
                continue;
            isTaken[s] = true;
            order.push_back(static_cast<std::int64_t>(s) + 1);
            break;
        }
    }
    for (std::size_t s = 0; s < result.size(); ++s) {
        if (!isTaken[s] &&
            (result[s] != 1 || rangeOf(place[s], part) != std::pair<std::int64_t, std::int64_t>(0, 0)))
            return std::nullopt;
        if (!isTaken[s])
            order.push_back(static_cast<std::int64_t>(s) + 1);
    }
    return order;
}

std::size_t joinedAlong(const GraphNode &join, std::size_t dimensions) {
    const GraphArgument *asked = join.argument(1);
    return dimensionOf(asked != nullptr && asked->kind == GraphArgument::Kind::Number ? asked->number : 0,
                       dimensions);
}

bool isJoin(const GraphNode &node) {
    return node.op.section(QLatin1Char('.'), 0, 0) == QLatin1String("cat") &&
           node.arguments[0].items.size() >= leastJoined;
}

} // namespace

namespace {

// Where only some parts of a join are turns that follow each other, these become a join of their own.
void joinRuns(const GraphNode &whole, const LaterReaders &readers, ReferenceGraph &result, GraphNode &join) {
    const std::vector<GraphArgument> parts = whole.arguments[0].items;
    const std::vector<GraphArgument> places = join.arguments[0].items;
    std::vector<GraphArgument> joined;
    for (std::size_t i = 0; i < parts.size();) {
        const std::size_t count = readers.turnsFrom(parts, i);
        if (count == parts.size())
            return;
        if (count < leastJoined) {
            joined.push_back(places[i++]);
            continue;
        }
        GraphNode run = join;
        run.arguments[0].items.assign(places.begin() + static_cast<std::ptrdiff_t>(i),
                                      places.begin() + static_cast<std::ptrdiff_t>(i + count));
        const GraphNode &part = result.nodes[static_cast<std::size_t>(places[i].node)];
        const std::size_t along = joinedAlong(join, part.shape.size());
        run.shape[along] = part.shape[along] * static_cast<std::int64_t>(count);
        run.strides = contiguousStrides(run.shape);
        GraphArgument argument = places[i];
        argument.node = static_cast<int>(result.nodes.size());
        result.nodes.push_back(std::move(run));
        joined.push_back(argument);
        i += count;
    }
    join.arguments[0].items = std::move(joined);
}

} // namespace

LaterReaders::LaterReaders(const ReferenceGraph &graph, const Repetition &turns)
    : m_graph(graph), m_turns(turns) {
    for (std::size_t i = 0; i < graph.nodes.size(); ++i)
        if (!turns.holds(static_cast<int>(i))) {
            if (auto joined = findJoined(graph.nodes[i]))
                m_joined.emplace(static_cast<int>(i), std::move(*joined));
        } else if (turns.isOfAllTurns(static_cast<int>(i))) {
            JoinedTurns joined{resultOf(static_cast<int>(i)), 0, turns.turns, false,
                               std::vector<std::int64_t>(graph.nodes[i].shape.size())};
            std::iota(joined.order.begin(), joined.order.end(), 0);
            m_joined.emplace(static_cast<int>(i), std::move(joined));
        }
}

bool LaterReaders::readsManyOf(int position) const {
    if (m_turns.isWritten())
        return std::any_of(m_joined.begin(), m_joined.end(),
                           [&](const auto &joined) { return m_turns.positionOf(joined.first) == position; });
    const auto isEarlier = [&](int node) {
        return m_turns.holds(node) && m_turns.positionOf(node) == position &&
               m_turns.turnOf(node) + 1 < m_turns.turns;
    };
    bool isRead = std::any_of(m_graph.outputs.begin(), m_graph.outputs.end(), isEarlier);
    for (std::size_t i = 0; i < m_graph.nodes.size() && !isRead; ++i)
        if (!m_turns.holds(static_cast<int>(i)))
            forEachTensor(m_graph.nodes[i], [&](const GraphArgument &argument) {
                isRead = isRead || isEarlier(argument.node);
            });
    return isRead;
}

bool LaterReaders::isResult(int node) const {
    return m_turns.holds(node) && node != m_turns.loop &&
           std::find(m_turns.positions.begin(), m_turns.positions.end(), m_turns.positionOf(node)) !=
               m_turns.positions.end();
}

std::size_t LaterReaders::resultOf(int node) const {
    const auto found =
        std::find(m_turns.positions.begin(), m_turns.positions.end(), m_turns.positionOf(node));
    return static_cast<std::size_t>(found - m_turns.positions.begin());
}

std::optional<JoinedTurns> LaterReaders::joined(int node) const {
    const auto found = m_joined.find(node);
    return found == m_joined.end() ? std::nullopt : std::optional(found->second);
}

std::size_t LaterReaders::turnsFrom(const std::vector<GraphArgument> &parts, std::size_t begin) const {
    LookedAt first;
    std::int64_t step = 0;
    std::size_t i = begin;
    for (; i < parts.size(); ++i) {
        if (parts[i].kind != GraphArgument::Kind::Node)
            break;
        auto part = lookedAt(m_graph, parts[i].node, [this](int some) { return isResult(some); });
        if (!part || !isResult(part->base))
            break;
        if (i == begin) {
            first = *part;
            continue;
        }
        const std::int64_t distance = m_turns.turnOf(part->base) - m_turns.turnOf(first.base);
        if (i == begin + 1)
            step = distance;
        if (part->place != first.place || resultOf(part->base) != resultOf(first.base) ||
            std::abs(step) != 1 || distance != static_cast<std::int64_t>(i - begin) * step)
            break;
    }
    return i - begin;
}

std::optional<JoinedTurns> LaterReaders::findJoined(const GraphNode &node) const {
    if (!isJoin(node) || turnsFrom(node.arguments[0].items, 0) < node.arguments[0].items.size())
        return std::nullopt;
    const std::vector<GraphArgument> &parts = node.arguments[0].items;
    const auto partAt = [&](std::size_t i) {
        return *lookedAt(m_graph, parts[i].node, [this](int some) { return isResult(some); });
    };
    const LookedAt first = partAt(0);
    JoinedTurns joined;
    joined.result = resultOf(first.base);
    joined.first = m_turns.turnOf(first.base);
    joined.count = static_cast<std::int64_t>(parts.size());
    joined.isBackwards = m_turns.turnOf(partAt(1).base) < joined.first;
    if (joined.isBackwards)
        joined.first -= joined.count - 1;
    const Shape &shape = m_graph.nodes[static_cast<std::size_t>(parts[0].node)].shape;
    const std::size_t along = joinedAlong(node, shape.size());
    const auto order =
        orderOf(first.place, shape, m_graph.nodes[static_cast<std::size_t>(first.base)].shape, along);
    if (!order)
        return std::nullopt;
    joined.order = *order;
    return joined;
}

ReferenceGraph withJoinsOfTurns(const ReferenceGraph &graph, const Repetition &turns) {
    const LaterReaders readers(graph, turns);
    ReferenceGraph result = graph;
    result.nodes.clear();
    std::vector<int> places;
    for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
        GraphNode node = graph.nodes[i];
        forEachTensor(node, [&](GraphArgument &argument) {
            argument.node = places[static_cast<std::size_t>(argument.node)];
        });
        if (isJoin(node) && !turns.holds(static_cast<int>(i)))
            joinRuns(graph.nodes[i], readers, result, node);
        result.nodes.push_back(std::move(node));
        places.push_back(static_cast<int>(result.nodes.size()) - 1);
    }
    for (int &output : result.outputs)
        output = places[static_cast<std::size_t>(output)];
    return result;
}

int appendJoined(ReferenceGraph &graph, int history, const JoinedTurns &joined, const Shape &shape) {
    Shape sizes = graph.nodes[static_cast<std::size_t>(history)].shape;
    int found = history;
    if (joined.count < sizes[0]) {
        sizes[0] = joined.count;
        found = appendSlice(graph, found, joined.first, joined.count);
    }
    if (joined.isBackwards)
        found = appendView(graph, "flip", found, {{0}}, sizes);
    Shape turned;
    for (const std::int64_t d : joined.order)
        turned.push_back(sizes[static_cast<std::size_t>(d)]);
    found = appendView(graph, "permute", found, {joined.order}, turned);
    return appendView(graph, "view", found, {shape}, shape);
}

} // namespace warpwright
