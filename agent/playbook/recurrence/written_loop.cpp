// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/recurrence/written_loop.h"

#include "agent/playbook/analysis/graph_views.h"
#include "agent/playbook/ir/graph_json.h"
#include "agent/playbook/ir/graph_part.h"

#include <algorithm>

namespace warpwright {
namespace {

const GraphNode &at(const ReferenceGraph &graph, int node) {
    return graph.nodes[static_cast<std::size_t>(node)];
}

class LoopReader {
public:
    LoopReader(const ReferenceGraph &graph, int loop) : m_graph(graph), m_node(at(graph, loop)) {
        m_found.loop = loop;
    }

    Result<Repetition> run() {
        using Answer = Result<Repetition>;
        const Result<ReferenceGraph> read = readReferenceGraph(m_node.arguments[4].word.toUtf8());
        if (!read.hasValue())
            return Answer::error(read.message());
        const ReferenceGraph &body = read.value();
        if (!body.cannot.isEmpty())
            return Answer::error(body.cannot);
        m_found.turns = static_cast<int>(m_node.arguments[3].number);
        m_found.turn.argumentNames = m_graph.argumentNames;
        m_found.turn.inputCount = m_graph.inputCount;
        for (const GraphNode &node : body.nodes)
            m_places.push_back(node.kind == GraphNode::Kind::Operator ? addOperator(node)
                                                                      : addLeaf(node.position));
        addResults(body.outputs);
        findItems();
        return Answer::ok(std::move(m_found));
    }

private:
    int append(GraphNode node) {
        m_found.turn.nodes.push_back(std::move(node));
        return static_cast<int>(m_found.turn.nodes.size()) - 1;
    }

    int addOperator(GraphNode node) {
        forEachTensor(node, [this](GraphArgument &argument) {
            argument.node = m_places[static_cast<std::size_t>(argument.node)];
        });
        return append(std::move(node));
    }

    /// `number`: among the states, the parts and what all turns read.
    int addLeaf(int number) {
        auto place = static_cast<std::size_t>(number);
        const auto &states = m_node.arguments[0].items;
        const auto &parts = m_node.arguments[1].items;
        if (place < states.size())
            return addState(states[place].node, number);
        place -= states.size();
        if (place < parts.size())
            return addPart(parts[place].node);
        return addWhole(m_node.arguments[2].items[place - parts.size()].node);
    }

    int addState(int source, int result) {
        TurnLeaf leaf;
        leaf.kind = TurnLeaf::Kind::Carried;
        leaf.source = source;
        leaf.result = result;
        leaf.node = append(leafLike(source, at(m_graph, source).shape, QStringLiteral("state")));
        m_found.leaves.push_back(leaf);
        return leaf.node;
    }

    int addPart(int source) {
        const LookedAt all = lookedAt(m_graph, source).value_or(LookedAt{source, wholeMap(source)});
        const Shape &whole = at(m_graph, source).shape;
        const Shape shape(whole.begin() + 1, whole.end());
        TurnLeaf leaf;
        leaf.kind = TurnLeaf::Kind::Part;
        leaf.source = all.base;
        for (const AffineIndex &index : all.place) {
            leaf.step.push_back(index.steps[0]);
            leaf.place.push_back({index.offset, {index.steps.begin() + 1, index.steps.end()}});
        }
        leaf.node = append(leafLike(source, shape, QStringLiteral("given")));
        m_found.leaves.push_back(leaf);
        // A library may want it in another order: a copy is made of what looks at it, not of a leaf.
        return appendView(m_found.turn, "clone", leaf.node, {}, shape);
    }

    int addWhole(int source) {
        const GraphNode &what = at(m_graph, source);
        TurnLeaf leaf;
        leaf.source = source;
        leaf.node = append(what.kind == GraphNode::Kind::Operator
                               ? leafLike(source, what.shape, QStringLiteral("made"))
                               : what);
        m_found.leaves.push_back(leaf);
        return leaf.node;
    }

    IndexMap wholeMap(int source) const {
        const std::size_t dimensions = at(m_graph, source).shape.size();
        return identityMap(dimensions, dimensions);
    }

    GraphNode leafLike(int source, const Shape &shape, const QString &name) const {
        GraphNode leaf;
        leaf.kind = GraphNode::Kind::Input;
        leaf.name = name;
        leaf.shape = shape;
        leaf.strides = contiguousStrides(shape);
        leaf.type = at(m_graph, source).type;
        return leaf;
    }

    void addResults(const std::vector<int> &outputs) {
        for (const int output : outputs) {
            const auto place = static_cast<std::size_t>(resultAt(m_places[static_cast<std::size_t>(output)]));
            const auto number = static_cast<int>(m_found.positions.size());
            m_found.positions.push_back(number);
            m_found.areCarried.push_back(static_cast<std::size_t>(number) < m_node.arguments[0].items.size());
            m_found.turn.outputs.push_back(static_cast<int>(place));
            GraphNode &node = m_found.turn.nodes[place]; // it lies by rows, whatever its strides were
            node.strides = contiguousStrides(node.shape);
            node.offset = 0;
        }
    }

    /// A result has memory of its own: not what it looks at, nor another result's.
    int resultAt(int place) {
        const GraphNode &node = at(m_found.turn, place);
        const std::vector<int> &taken = m_found.turn.outputs;
        const bool isOwn = node.kind == GraphNode::Kind::Operator && !isView(node) &&
                           node.op != QLatin1String("getitem") &&
                           std::find(taken.begin(), taken.end(), place) == taken.end();
        return isOwn ? place : appendView(m_found.turn, "clone", place, {}, Shape(node.shape));
    }

    void findItems() {
        for (std::size_t i = 0; i < m_graph.nodes.size(); ++i)
            if (const GraphNode &node = m_graph.nodes[i]; node.kind == GraphNode::Kind::Operator &&
                                                          node.op == QLatin1String("getitem") &&
                                                          node.arguments[0].node == m_found.loop)
                m_found.items[static_cast<int>(i)] = static_cast<int>(node.arguments[1].number);
    }

    const ReferenceGraph &m_graph;
    const GraphNode &m_node;
    Repetition m_found;
    std::vector<int> m_places; ///< by node of the turn's text
};

} // namespace

std::optional<Result<Repetition>> writtenLoop(const ReferenceGraph &graph) {
    const auto loop = std::find_if(graph.nodes.begin(), graph.nodes.end(), [](const GraphNode &node) {
        return node.kind == GraphNode::Kind::Operator && node.op == QLatin1String("warpwright.loop");
    });
    if (loop == graph.nodes.end())
        return std::nullopt;
    return LoopReader(graph, static_cast<int>(loop - graph.nodes.begin())).run();
}

} // namespace warpwright
