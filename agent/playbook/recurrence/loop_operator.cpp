// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/recurrence/loop_operator.h"

#include "agent/playbook/analysis/view_maps.h"
#include "agent/playbook/ir/graph_json.h"
#include "agent/playbook/ir/subgraph.h"

#include <algorithm>

namespace warpwright {
namespace {

const GraphNode &at(const ReferenceGraph &graph, int node) {
    return graph.nodes[static_cast<std::size_t>(node)];
}

class LoopOperatorReader {
public:
    LoopOperatorReader(const ReferenceGraph &graph, int loop) : m_graph(graph), m_node(at(graph, loop)) {
        m_found.loop = loop;
    }

    Result<RecurrentLoop> run() {
        using Answer = Result<RecurrentLoop>;
        const Result<ReferenceGraph> read = readReferenceGraph(m_node.arguments[4].word.toUtf8());
        if (!read.hasValue())
            return Answer::error(read.message());
        const ReferenceGraph &body = read.value();
        if (!body.unsupported.isEmpty())
            return Answer::error(body.unsupported);
        m_found.timeSteps = static_cast<int>(m_node.arguments[3].number);
        m_found.timeStep.argumentNames = m_graph.argumentNames;
        m_found.timeStep.inputCount = m_graph.inputCount;
        for (const GraphNode &node : body.nodes)
            m_indices.push_back(node.kind == GraphNode::Kind::Operator ? addOperator(node)
                                                                       : addInput(node.position));
        addResults(body.outputs);
        findItems();
        return Answer::ok(std::move(m_found));
    }

private:
    int append(GraphNode node) {
        m_found.timeStep.nodes.push_back(std::move(node));
        return static_cast<int>(m_found.timeStep.nodes.size()) - 1;
    }

    int addOperator(GraphNode node) {
        forEachTensor(node, [this](GraphArgument &argument) {
            argument.node = m_indices[static_cast<std::size_t>(argument.node)];
        });
        return append(std::move(node));
    }

    /// `number`: among the states, the sliced inputs and the invariant ones.
    int addInput(int number) {
        auto index = static_cast<std::size_t>(number);
        const auto &states = m_node.arguments[0].items;
        const auto &parts = m_node.arguments[1].items;
        if (index < states.size())
            return addState(states[index].node, number);
        index -= states.size();
        if (index < parts.size())
            return addSlice(parts[index].node);
        return addInvariant(m_node.arguments[2].items[index - parts.size()].node);
    }

    int addState(int source, int result) {
        TimeStepInput input;
        input.kind = TimeStepInput::Kind::Carried;
        input.source = source;
        input.result = result;
        input.node = append(inputLike(source, at(m_graph, source).shape, QStringLiteral("state")));
        m_found.inputs.push_back(input);
        return input.node;
    }

    int addSlice(int source) {
        const ResolvedView all =
            resolveViews(m_graph, source).value_or(ResolvedView{source, wholeMap(source)});
        const Shape &whole = at(m_graph, source).shape;
        const Shape shape(whole.begin() + 1, whole.end());
        TimeStepInput input;
        input.kind = TimeStepInput::Kind::Slice;
        input.source = all.base;
        for (const AffineExpr &index : all.index) {
            input.step.push_back(index.steps[0]);
            input.index.push_back({index.offset, {index.steps.begin() + 1, index.steps.end()}});
        }
        input.node = append(inputLike(source, shape, QStringLiteral("given")));
        m_found.inputs.push_back(input);
        // A library may need another layout: the clone is copied then, not the input.
        return appendView(m_found.timeStep, "clone", input.node, {}, shape);
    }

    int addInvariant(int source) {
        const GraphNode &what = at(m_graph, source);
        TimeStepInput input;
        input.source = source;
        input.node = append(what.kind == GraphNode::Kind::Operator
                                ? inputLike(source, what.shape, QStringLiteral("made"))
                                : what);
        m_found.inputs.push_back(input);
        return input.node;
    }

    AffineMap wholeMap(int source) const {
        const std::size_t dimensions = at(m_graph, source).shape.size();
        return identityMap(dimensions, dimensions);
    }

    GraphNode inputLike(int source, const Shape &shape, const QString &name) const {
        GraphNode input;
        input.kind = GraphNode::Kind::Input;
        input.name = name;
        input.shape = shape;
        input.strides = contiguousStrides(shape);
        input.type = at(m_graph, source).type;
        return input;
    }

    void addResults(const std::vector<int> &outputs) {
        for (const int output : outputs) {
            const auto index =
                static_cast<std::size_t>(resultAt(m_indices[static_cast<std::size_t>(output)]));
            const auto number = static_cast<int>(m_found.positions.size());
            m_found.positions.push_back(number);
            m_found.areCarried.push_back(static_cast<std::size_t>(number) < m_node.arguments[0].items.size());
            m_found.timeStep.outputs.push_back(static_cast<int>(index));
            GraphNode &node = m_found.timeStep.nodes[index]; // row-major, whatever its strides were
            node.strides = contiguousStrides(node.shape);
            node.offset = 0;
        }
    }

    /// A result has memory of its own: views and repeated results are cloned.
    int resultAt(int index) {
        const GraphNode &node = at(m_found.timeStep, index);
        const std::vector<int> &taken = m_found.timeStep.outputs;
        const bool isOwn = node.kind == GraphNode::Kind::Operator && !isView(node) &&
                           node.op != QLatin1String("getitem") &&
                           std::find(taken.begin(), taken.end(), index) == taken.end();
        return isOwn ? index : appendView(m_found.timeStep, "clone", index, {}, Shape(node.shape));
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
    RecurrentLoop m_found;
    std::vector<int> m_indices; ///< by node of the operator's graph
};

} // namespace

std::optional<Result<RecurrentLoop>> findLoopOperator(const ReferenceGraph &graph) {
    const auto loop = std::find_if(graph.nodes.begin(), graph.nodes.end(), [](const GraphNode &node) {
        return node.kind == GraphNode::Kind::Operator && node.op == QLatin1String("warpwright.loop");
    });
    if (loop == graph.nodes.end())
        return std::nullopt;
    return LoopOperatorReader(graph, static_cast<int>(loop - graph.nodes.begin())).run();
}

} // namespace warpwright
