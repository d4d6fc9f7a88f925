// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/recurrence/find_loop.h"

#include "agent/playbook/analysis/view_maps.h"
#include "agent/playbook/ir/subgraph.h"

#include <QHash>

#include <algorithm>
#include <map>
#include <numeric>

namespace warpwright {
namespace {

// Shorter loops stay unrolled: operators of neighbouring time steps may fuse.
constexpr int leastTimeSteps = 8;
constexpr int leastNodes = 256;
constexpr int mostPeriod = 800;

const GraphNode &at(const ReferenceGraph &graph, int node) {
    return graph.nodes[static_cast<std::size_t>(node)];
}

bool isGetItem(const GraphNode &node) {
    return node.op == QLatin1String("getitem");
}

bool isViewOrSplit(const ReferenceGraph &graph, const GraphNode &node) {
    if (node.kind != GraphNode::Kind::Operator)
        return false;
    if (!isGetItem(node))
        return isView(node);
    const QString op = at(graph, node.arguments[0].node).op.section(QLatin1Char('.'), 0, 0);
    return op == QLatin1String("split_with_sizes") || op == QLatin1String("unbind") ||
           op == QLatin1String("split");
}

void appendSignature(const GraphArgument &argument, bool ignoresNumbers, QString &signature) {
    signature += QLatin1Char(static_cast<char>('a' + static_cast<int>(argument.kind)));
    if (!ignoresNumbers && argument.kind == GraphArgument::Kind::Number)
        signature += QString::number(argument.number, 'g', 17);
    signature +=
        QString::number(argument.kind == GraphArgument::Kind::Truth  ? static_cast<int>(argument.truth)
                        : argument.kind == GraphArgument::Kind::Type ? static_cast<int>(argument.type)
                                                                     : 0);
    signature += argument.word;
    for (const GraphArgument &item : argument.items)
        appendSignature(item, ignoresNumbers, signature);
    signature += QLatin1Char(';');
}

// Equal for nodes that may correspond in two time steps, whatever tensors they read. `ignoresSlices`:
// whatever slice a view shows, too.
QString signatureOf(const ReferenceGraph &graph, const GraphNode &node, bool ignoresSlices) {
    QString signature = node.op;
    signature += QLatin1Char(' ') + QString::number(static_cast<int>(node.type));
    for (const std::int64_t size : node.shape)
        signature += QLatin1Char(',') + QString::number(size);
    const bool isPart = ignoresSlices && isViewOrSplit(graph, node);
    for (const GraphArgument &argument : node.arguments)
        appendSignature(argument, isPart, signature);
    for (const auto &[name, argument] : node.keywords) {
        signature += name;
        appendSignature(argument, isPart, signature);
    }
    return signature;
}

std::vector<int> operandsOf(const GraphNode &node) {
    std::vector<int> operands;
    forEachTensor(node, [&](const GraphArgument &argument) { operands.push_back(argument.node); });
    return operands;
}

/// Signatures and operands, computed once, by node.
struct NodeSignatures {
    explicit NodeSignatures(const ReferenceGraph &graph) {
        QHash<QString, int> numbers;
        const auto numberOf = [&numbers](const QString &signature) {
            return *numbers.insert(signature, numbers.value(signature, static_cast<int>(numbers.size())));
        };
        for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
            const GraphNode &node = graph.nodes[i];
            const bool isOperator = node.kind == GraphNode::Kind::Operator;
            const QString input = QStringLiteral("input %1").arg(i); // like no other
            rough.push_back(numberOf(isOperator ? signatureOf(graph, node, true) : input));
            exact.push_back(
                numberOf(isOperator ? QLatin1Char('=') + signatureOf(graph, node, false) : input));
            operands.push_back(operandsOf(node));
        }
    }

    std::vector<int> rough; ///< equal where two nodes may correspond in two time steps
    std::vector<int> exact; ///< equal where they differ in nothing but the tensors they read
    std::vector<std::vector<int>> operands;
};

/// A run of nodes, each of which is like the one `period` before it.
struct Stretch {
    int first = 0;
    int period = 0;
    int length = 0;
};

Stretch longestStretch(const ReferenceGraph &graph, const std::vector<int> &signature) {
    std::vector<bool> isWork;
    for (const GraphNode &node : graph.nodes)
        isWork.push_back(node.kind == GraphNode::Kind::Operator && node.isTensor &&
                         !isViewOrSplit(graph, node));
    Stretch longest;
    const auto count = static_cast<int>(signature.size());
    for (int period = 2; period <= std::min(mostPeriod, count / leastTimeSteps); ++period) {
        int run = 0;
        for (int i = period; i <= count; ++i) {
            if (i < count &&
                signature[static_cast<std::size_t>(i)] == signature[static_cast<std::size_t>(i - period)]) {
                ++run;
                continue;
            }
            // A multiple of the period repeats as well; a time step of views alone is none.
            const int length = (run / period + 1) * period;
            const auto end = isWork.begin() + (i - run);
            if (run >= period && length > longest.length + longest.period &&
                std::find(end - period, end, true) != end)
                longest = {i - run - period, period, run + period};
            run = 0;
        }
    }
    return longest;
}

class TimeStepReader {
public:
    TimeStepReader(const ReferenceGraph &graph, const NodeSignatures &signature, int first, int period,
                   int timeSteps)
        : m_graph(graph), m_signatures(signature) {
        m_found.first = first;
        m_found.period = period;
        m_found.timeSteps = timeSteps;
    }

    std::optional<RecurrentLoop> run() {
        m_found.timeStep.argumentNames = m_graph.argumentNames;
        m_found.timeStep.inputCount = m_graph.inputCount;
        m_found.nodeAtPosition.assign(static_cast<std::size_t>(m_found.period), -1);
        m_areSlices.assign(m_found.nodeAtPosition.size(), false);
        for (int position = 0; position < m_found.period; ++position)
            if (!readPosition(position))
                return std::nullopt;
        // Carried outputs are known only when the whole time step is.
        for (TimeStepInput &input : m_found.inputs)
            if (input.kind == TimeStepInput::Kind::Carried) {
                input.result = addResult(input.result);
                m_found.areCarried[static_cast<std::size_t>(input.result)] = true;
            }
        for (const int position : readLater())
            addResult(position);
        for (const int position : m_found.positions)
            if (m_found.nodeAtPosition[static_cast<std::size_t>(position)] < 0 ||
                m_areSlices[static_cast<std::size_t>(position)] || !nodeOf(0, position).isTensor)
                return std::nullopt; // a view: its source is read directly
        return m_found.positions.empty() ? std::nullopt : std::optional(std::move(m_found));
    }

    /// After a run that found nothing: the first time step that differs from the second one, or 0.
    int oddTimeStep() const { return m_oddTimeStep; }

private:
    int deviatesAt(int timeStep) {
        m_oddTimeStep = std::max(m_oddTimeStep, timeStep);
        return -1;
    }

    int nodeAt(int timeStep, int position) const {
        return m_found.first + timeStep * m_found.period + position;
    }
    const GraphNode &nodeOf(int timeStep, int position) const {
        return at(m_graph, nodeAt(timeStep, position));
    }

    bool readPosition(int position) {
        m_oddTimeStep = 0;
        const GraphNode &node = nodeOf(1, position);
        if (isViewOrSplit(m_graph, node) && isPart(position))
            return true;
        const auto signatureAt = [&](int timeStep) {
            return m_signatures.exact[static_cast<std::size_t>(nodeAt(timeStep, position))];
        };
        for (int timeStep = 0; timeStep < m_found.timeSteps; ++timeStep)
            if (signatureAt(timeStep) != signatureAt(1)) {
                deviatesAt(timeStep);
                return false;
            }
        GraphNode copy = node;
        std::size_t slot = 0;
        bool isKnown = true;
        forEachTensor(copy, [&](GraphArgument &argument) {
            std::vector<int> byTimeStep;
            for (int timeStep = 0; timeStep < m_found.timeSteps; ++timeStep)
                byTimeStep.push_back(
                    m_signatures.operands[static_cast<std::size_t>(nodeAt(timeStep, position))][slot]);
            ++slot;
            argument.node = isKnown ? operand(byTimeStep) : -1;
            isKnown = isKnown && argument.node >= 0;
        });
        if (!isKnown)
            return false;
        m_found.nodeAtPosition[static_cast<std::size_t>(position)] = append(std::move(copy));
        return true;
    }

    int append(GraphNode node) {
        m_found.timeStep.nodes.push_back(std::move(node));
        return static_cast<int>(m_found.timeStep.nodes.size()) - 1;
    }

    // A view of another slice at each time step, of a tensor from outside the loop.
    bool isPart(int position) {
        std::vector<int> byTimeStep;
        for (int timeStep = 0; timeStep < m_found.timeSteps; ++timeStep)
            byTimeStep.push_back(nodeAt(timeStep, position));
        const auto first = resolveViews(m_graph, byTimeStep.front());
        if (!first || m_found.holds(first->base) || resolveViews(m_graph, byTimeStep[1]) == first)
            return false;
        const int part = sliceInput(byTimeStep);
        if (part < 0)
            return false; // at some time steps its source is in the loop
        m_found.nodeAtPosition[static_cast<std::size_t>(position)] = part;
        m_areSlices[static_cast<std::size_t>(position)] = true;
        return true;
    }

    /// The time step's node for an operand that is these nodes by time step; -1: there is none.
    int operand(const std::vector<int> &byTimeStep) {
        const int second = byTimeStep[1];
        const bool isInside = m_found.holds(second);
        const int position = isInside ? m_found.positionOf(second) : -1;
        const int lag = isInside ? 1 - m_found.timeStepOf(second) : 0;
        for (int timeStep = 0; timeStep < m_found.timeSteps; ++timeStep) {
            const int node = byTimeStep[static_cast<std::size_t>(timeStep)];
            const bool isInitial = lag == 1 && timeStep == 0;
            if (isInside && !isInitial ? node != nodeAt(timeStep - lag, position) : m_found.holds(node))
                return deviatesAt(timeStep);
        }
        if (isInside && lag == 0)
            return m_found.nodeAtPosition[static_cast<std::size_t>(position)];
        if (isInside)
            return lag == 1 ? carriedInput(position, byTimeStep[0]) : -1;
        const bool isSame =
            std::all_of(byTimeStep.begin(), byTimeStep.end(), [&](int node) { return node == second; });
        return isSame ? invariantInput(second) : sliceInput(byTimeStep);
    }

    int carriedInput(int position, int initial) {
        for (const TimeStepInput &input : m_found.inputs)
            if (input.kind == TimeStepInput::Kind::Carried && input.result == position)
                return input.source == initial ? input.node : -1;
        const GraphNode &node = nodeOf(0, position);
        if (!node.isTensor || at(m_graph, initial).shape != node.shape ||
            at(m_graph, initial).type != node.type)
            return -1;
        TimeStepInput input;
        input.kind = TimeStepInput::Kind::Carried;
        input.source = initial;
        input.result = position; // until the whole time step is known
        input.node = append(inputLike(node, QStringLiteral("state")));
        m_found.inputs.push_back(input);
        return input.node;
    }

    int sliceInput(const std::vector<int> &byTimeStep) {
        const auto first = resolveViews(m_graph, byTimeStep[0]);
        const auto second = resolveViews(m_graph, byTimeStep[1]);
        if (!first || !second || m_found.holds(first->base) || !isIndependentOfLoop(first->base))
            return -1;
        if (second->base != first->base)
            return deviatesAt(1);
        TimeStepInput input;
        input.kind = TimeStepInput::Kind::Slice;
        input.source = first->base;
        input.index = first->index;
        for (std::size_t d = 0; d < first->index.size(); ++d)
            input.step.push_back(second->index[d].offset - first->index[d].offset);
        for (int timeStep = 1; timeStep < m_found.timeSteps; ++timeStep) {
            const GraphNode &node = at(m_graph, byTimeStep[static_cast<std::size_t>(timeStep)]);
            auto there = resolveViews(m_graph, byTimeStep[static_cast<std::size_t>(timeStep)]);
            if (!there || there->base != first->base || node.shape != at(m_graph, byTimeStep[0]).shape)
                return deviatesAt(timeStep);
            for (std::size_t d = 0; d < input.step.size(); ++d)
                there->index[d].offset -= timeStep * input.step[d];
            if (there->index != first->index)
                return deviatesAt(timeStep);
        }
        for (const TimeStepInput &other : m_found.inputs)
            if (other.kind == input.kind && other.source == input.source && other.index == input.index &&
                other.step == input.step &&
                at(m_found.timeStep, other.node).shape == at(m_graph, byTimeStep[0]).shape)
                return m_views.at(other.node);
        input.node = append(inputLike(at(m_graph, byTimeStep[0]), QStringLiteral("given")));
        m_found.inputs.push_back(input);
        // A library may need another layout: the clone is copied then, not the input.
        return m_views[input.node] = appendView(m_found.timeStep, "clone", input.node, {},
                                                Shape(at(m_graph, byTimeStep[0]).shape));
    }

    static GraphNode inputLike(const GraphNode &node, const QString &name) {
        GraphNode input;
        input.kind = GraphNode::Kind::Input;
        input.name = name;
        input.shape = node.shape;
        input.strides = contiguousStrides(node.shape);
        input.type = node.type;
        return input;
    }

    // Loop-invariant operands: the time step has views of its own, and their source is an input.
    int invariantInput(int node) {
        if (const auto known = m_invariants.find(node); known != m_invariants.end())
            return known->second;
        if (!isIndependentOfLoop(node))
            return -1;
        const GraphNode &what = at(m_graph, node);
        int index = -1;
        if (isViewOrSplit(m_graph, what) && !isGetItem(what)) {
            GraphNode view = what;
            const int source = invariantInput(view.arguments[0].node);
            if (source < 0)
                return -1;
            view.arguments[0].node = source;
            index = append(std::move(view));
        } else {
            if (!what.isTensor)
                return -1;
            TimeStepInput input;
            input.source = node;
            input.node = append(
                what.kind == GraphNode::Kind::Operator ? inputLike(what, QStringLiteral("made")) : what);
            m_found.inputs.push_back(input);
            index = input.node;
        }
        m_invariants[node] = index;
        return index;
    }

    bool isIndependentOfLoop(int node) {
        if (m_dependsOnLoop.empty()) {
            m_dependsOnLoop.assign(m_graph.nodes.size(), false);
            for (std::size_t i = 0; i < m_graph.nodes.size(); ++i) {
                bool needs = m_found.holds(static_cast<int>(i));
                for (const int operand : m_signatures.operands[i])
                    needs = needs || m_dependsOnLoop[static_cast<std::size_t>(operand)];
                m_dependsOnLoop[i] = needs;
            }
        }
        return !m_dependsOnLoop[static_cast<std::size_t>(node)];
    }

    // Positions of nodes that are read outside the loop.
    std::vector<int> readLater() const {
        std::vector<int> positions;
        const auto note = [&](int node) {
            if (m_found.holds(node) && !m_areSlices[static_cast<std::size_t>(m_found.positionOf(node))])
                positions.push_back(m_found.positionOf(node));
        };
        for (std::size_t i = 0; i < m_graph.nodes.size(); ++i)
            if (!m_found.holds(static_cast<int>(i)))
                for (const int operand : operandsOf(m_graph.nodes[i]))
                    note(operand);
        for (const int output : m_graph.outputs)
            note(output);
        return positions;
    }

    int addResult(int position) {
        const auto known = std::find(m_found.positions.begin(), m_found.positions.end(), position);
        if (known != m_found.positions.end())
            return static_cast<int>(known - m_found.positions.begin());
        m_found.positions.push_back(position);
        m_found.areCarried.push_back(false);
        const int index = m_found.nodeAtPosition[static_cast<std::size_t>(position)];
        m_found.timeStep.outputs.push_back(index);
        if (index >= 0) { // row-major, whatever the reference's strides were
            GraphNode &node = m_found.timeStep.nodes[static_cast<std::size_t>(index)];
            node.strides = contiguousStrides(node.shape);
            node.offset = 0;
        }
        return static_cast<int>(m_found.positions.size()) - 1;
    }

    const ReferenceGraph &m_graph;
    const NodeSignatures &m_signatures;
    RecurrentLoop m_found;
    int m_oddTimeStep = 0;
    std::vector<bool> m_areSlices;     ///< by position: a slice of what is outside
    std::map<int, int> m_views;        ///< by input of the time step that is a slice: its clone
    std::map<int, int> m_invariants;   ///< of loop-invariant nodes
    std::vector<bool> m_dependsOnLoop; ///< by node of the whole graph
};

} // namespace

std::optional<ResolvedView> resolveViews(const ReferenceGraph &graph, int node,
                                         const std::function<bool(int)> &isEnd) {
    const Shape loops = at(graph, node).shape;
    ResolvedView found{node, identityMap(loops.size(), loops.size())};
    while (isViewOrSplit(graph, at(graph, found.base)) && !(isEnd && isEnd(found.base))) {
        const GraphNode &view = at(graph, found.base);
        std::optional<LoopSplit> split;
        std::optional<AffineMap> through;
        if (isGetItem(view)) {
            const GraphNode &splitting = at(graph, view.arguments[0].node);
            through = throughSplit(graph, splitting, static_cast<int>(view.arguments[1].number), found.index,
                                   loops);
            found.base = splitting.arguments[0].node;
        } else {
            through = throughView(graph, view, found.index, loops, split);
            found.base = view.arguments[0].node;
        }
        if (!through)
            return std::nullopt;
        found.index = std::move(*through);
    }
    return found;
}

std::optional<RecurrentLoop> findRecurrentLoop(const ReferenceGraph &graph) {
    const NodeSignatures signature(graph);
    const Stretch stretch = longestStretch(graph, signature.rough);
    // A run does not show where time steps begin; a first one that differs a little is left out.
    for (int shift = 0; shift <= stretch.period; ++shift) {
        int first = stretch.first + shift;
        int timeSteps = (stretch.length - shift) / std::max(stretch.period, 1);
        while (timeSteps >= leastTimeSteps && timeSteps * stretch.period >= leastNodes) {
            TimeStepReader reader(graph, signature, first, stretch.period, timeSteps);
            if (auto found = reader.run())
                return found;
            // Two equal loops may be adjacent: the time steps before the odd one, or from it on.
            const int odd = reader.oddTimeStep();
            if (odd < 2)
                break;
            first += odd < leastTimeSteps ? odd * stretch.period : 0;
            timeSteps = odd < leastTimeSteps ? timeSteps - odd : odd;
        }
    }
    return std::nullopt;
}

} // namespace warpwright
