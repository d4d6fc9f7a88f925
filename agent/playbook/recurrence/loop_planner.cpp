// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/recurrence/loop_planner.h"

#include "agent/playbook/analysis/view_maps.h"
#include "agent/playbook/ir/subgraph.h"
#include "agent/playbook/recurrence/hoist_matmuls.h"
#include "agent/playbook/recurrence/loop_operator.h"
#include "agent/playbook/recurrence/stacked_outputs.h"

#include <algorithm>
#include <map>

namespace warpwright {
namespace {

constexpr std::int64_t alignedBytes = 16; ///< that vector loads need

/// The memory of one output of the time steps: a slot each, or a ring of two.
struct History {
    int buffer = -1;
    std::int64_t slot = 0; ///< elements from one to the next
    bool isRing = false;
    bool isCarried = false; ///< slot 0 is the initial state
};

class LoopPlanner {
public:
    using Plan = std::function<Program(const ReferenceGraph &)>;

    LoopPlanner(const ReferenceGraph &graph, const RecurrentLoop &loop) : m_graph(graph), m_loop(loop) {
        for (const GraphNode &node : graph.nodes)
            if (node.kind != GraphNode::Kind::Operator) {
                m_inputs[static_cast<int>(&node - graph.nodes.data())] = addBuffer(
                    {ProgramBuffer::Kind::Input, addNode(node), layoutOfInput(node), TimeStepWindow()});
            }
        m_program.graph.result = graph.result;
        m_program.graph.argumentNames = graph.argumentNames;
        m_program.graph.inputCount = graph.inputCount;
    }

    Program run(const Plan &planTimeStep, const Plan &programOf) {
        m_consumers.emplace(m_graph, m_loop);
        makeHistories();
        if (!addBefore(programOf) || !addTimeStep(planTimeStep) || !addAfter(programOf)) {
            Program none;
            none.unsupported = m_unsupported;
            return none;
        }
        return std::move(m_program);
    }

private:
    const GraphNode &nodeOf(int node) const { return m_graph.nodes[static_cast<std::size_t>(node)]; }
    const GraphNode &resultNode(std::size_t result) const {
        return m_loop.timeStep.nodes[static_cast<std::size_t>(m_loop.timeStep.outputs[result])];
    }

    int addNode(GraphNode node) {
        // Operands are of a part's own graph; an input keeps what the reader said.
        if (node.kind == GraphNode::Kind::Operator) {
            node.arguments.clear();
            node.keywords.clear();
        }
        m_program.graph.nodes.push_back(std::move(node));
        return static_cast<int>(m_program.graph.nodes.size()) - 1;
    }

    int addBuffer(ProgramBuffer buffer) {
        m_program.buffers.push_back(std::move(buffer));
        return static_cast<int>(m_program.buffers.size()) - 1;
    }

    int addWindow(const GraphNode &node, const QString &name, const TensorLayout &layout,
                  TimeStepWindow window) {
        GraphNode named = node;
        named.name = name;
        named.kind = GraphNode::Kind::Operator; // memory of the program, also where it shows a parameter
        return addBuffer({ProgramBuffer::Kind::Window, addNode(std::move(named)), layout, window});
    }

    bool fail(const QString &why) {
        m_unsupported = why;
        return false;
    }

    void makeHistories() {
        for (std::size_t i = 0; i < m_loop.positions.size(); ++i) {
            const GraphNode &node = resultNode(i);
            History history;
            const std::int64_t vec = std::max<std::int64_t>(alignedBytes / bytesOf(node.type), 1);
            history.slot = (elementCount(node.shape) + vec - 1) / vec * vec;
            history.isCarried = m_loop.areCarried[i];
            history.isRing = history.isCarried && !m_consumers->readsEarlierTimeSteps(m_loop.positions[i]);
            const std::int64_t count = history.isRing ? 2 : m_loop.timeSteps + (history.isCarried ? 1 : 0);
            TensorLayout layout = contiguousLayout(node.shape);
            layout.memory = {count, history.slot};
            history.buffer =
                addBuffer({ProgramBuffer::Kind::Temporary, addNode(node), layout, TimeStepWindow()});
            m_histories.push_back(history);
        }
    }

    // ---- before the loop

    bool addBefore(const Plan &programOf) {
        std::vector<int> wanted;
        for (const TimeStepInput &input : m_loop.inputs)
            if (input.kind != TimeStepInput::Kind::Carried &&
                nodeOf(input.source).kind == GraphNode::Kind::Operator &&
                std::find(wanted.begin(), wanted.end(), input.source) == wanted.end())
                wanted.push_back(input.source);
        std::vector<int> states;
        for (const TimeStepInput &input : m_loop.inputs)
            if (input.kind == TimeStepInput::Kind::Carried)
                states.push_back(input.source);
        const std::size_t forTimeSteps = wanted.size();
        for (const int node : neededLater(wanted, states))
            wanted.push_back(node);
        std::vector<int> all = wanted;
        all.insert(all.end(), states.begin(), states.end());
        if (all.empty())
            return true;
        Subgraph part = subgraphOf(m_graph, all);
        // Each initial state is a copy: the loop overwrites it.
        for (std::size_t i = wanted.size(); i < all.size(); ++i) {
            int &output = part.graph.outputs[i];
            output = appendView(part.graph, "clone", output, {}, Shape(nodeOf(all[i]).shape));
        }
        const Program before = programOf(part.graph);
        if (!before.unsupported.isEmpty())
            return fail(before.unsupported);
        std::vector<int> targets(all.size(), -1);
        std::size_t next = wanted.size();
        for (const TimeStepInput &input : m_loop.inputs)
            if (input.kind == TimeStepInput::Kind::Carried) {
                const History &history = m_histories[static_cast<std::size_t>(input.result)];
                targets[next++] =
                    addWindow(nodeOf(input.source), QStringLiteral("firstState"),
                              contiguousLayout(nodeOf(input.source).shape), {history.buffer, 0, 0, 0, 0});
            }
        std::map<int, int> bufferOf;
        for (const auto &[node, index] : part.positions)
            if (nodeOf(node).kind != GraphNode::Kind::Operator)
                bufferOf[index] = m_inputs.at(node);
        const std::vector<int> buffers =
            addPart(before, part.graph, bufferOf, targets, ProgramBuffer::Kind::Temporary);
        for (std::size_t i = 0; i < wanted.size(); ++i) {
            const int made = buffers[static_cast<std::size_t>(before.outputs[i])];
            if (layoutOf(made).shape == nodeOf(wanted[i]).shape)
                m_made[wanted[i]] = made;
            else if (i < forTimeSteps)
                return fail(
                    QStringLiteral("an input of a loop has a layout that its time steps cannot read"));
        }
        for (std::size_t i = wanted.size(); i < all.size(); ++i)
            if (before.buffers[static_cast<std::size_t>(before.outputs[i])].layout !=
                contiguousLayout(nodeOf(all[i]).shape))
                return fail(QStringLiteral("a loop's initial state is not row-major"));
        return true;
    }

    // Nodes read after the loop that do not depend on it and share work with what is before it: they are
    // computed once.
    std::vector<int> neededLater(const std::vector<int> &wanted, const std::vector<int> &states) const {
        std::vector<int> all = wanted;
        all.insert(all.end(), states.begin(), states.end());
        const std::map<int, int> before = subgraphOf(m_graph, all).positions;
        const std::map<int, int> later = subgraphOf(m_graph, m_graph.outputs).positions;
        std::vector<bool> needsTimeSteps(m_graph.nodes.size(), false);
        std::vector<bool> sharesWork(m_graph.nodes.size(), false);
        std::vector<int> needed;
        const auto note = [&](int node) {
            const auto what = resolveViews(m_graph, node);
            if (!what || needsTimeSteps[static_cast<std::size_t>(what->base)] ||
                !sharesWork[static_cast<std::size_t>(what->base)] || !nodeOf(what->base).isTensor)
                return;
            for (const std::vector<int> *some : {&all, &needed})
                if (std::find(some->begin(), some->end(), what->base) != some->end())
                    return;
            needed.push_back(what->base);
        };
        for (const auto &[node, index] : later) {
            const auto i = static_cast<std::size_t>(node);
            bool isMade = false; // constants are made again
            needsTimeSteps[i] = m_loop.holds(node);
            forEachTensor(nodeOf(node), [&](const GraphArgument &argument) {
                const auto operand = static_cast<std::size_t>(argument.node);
                isMade = true;
                needsTimeSteps[i] = needsTimeSteps[i] || needsTimeSteps[operand];
                sharesWork[i] = sharesWork[i] || sharesWork[operand];
            });
            sharesWork[i] = sharesWork[i] || (isMade && before.contains(node) && !isView(nodeOf(node)) &&
                                              nodeOf(node).isTensor);
            if (needsTimeSteps[i] && !m_loop.holds(node))
                forEachTensor(nodeOf(node), [&](const GraphArgument &argument) { note(argument.node); });
        }
        for (const int output : m_graph.outputs)
            note(output);
        return needed;
    }

    // ---- a time step

    bool addTimeStep(const Plan &planTimeStep) {
        ReferenceGraph graph = m_loop.timeStep;
        std::map<int, int> bufferOf;
        for (const TimeStepInput &input : m_loop.inputs) {
            GraphNode &node = graph.nodes[static_cast<std::size_t>(input.node)];
            switch (input.kind) {
            case TimeStepInput::Kind::Invariant: {
                bufferOf[input.node] = sourceOf(input.source);
                const TensorLayout &layout = layoutOf(bufferOf[input.node]);
                node.strides = layout.strides;
                node.offset = layout.offset;
                break;
            }
            case TimeStepInput::Kind::Slice:
                bufferOf[input.node] = sliceWindow(input, node);
                break;
            case TimeStepInput::Kind::Carried: {
                const History &history = m_histories[static_cast<std::size_t>(input.result)];
                bufferOf[input.node] =
                    addWindow(node, node.name, layoutOfInput(node),
                              {history.buffer, 0, history.slot, 0, history.isRing ? 2 : 0});
                break;
            }
            }
        }
        const Program timeStep = planTimeStep(graph);
        if (!timeStep.unsupported.isEmpty())
            return fail(timeStep.unsupported);
        std::vector<int> targets;
        for (std::size_t i = 0; i < m_histories.size(); ++i) {
            const History &history = m_histories[i];
            const TensorLayout &layout =
                timeStep.buffers[static_cast<std::size_t>(timeStep.outputs[i])].layout;
            if (layout != contiguousLayout(resultNode(i).shape) ||
                std::count(timeStep.outputs.begin(), timeStep.outputs.end(), timeStep.outputs[i]) > 1)
                return fail(
                    QStringLiteral("a loop's state has a layout that the next time step cannot read"));
            TimeStepWindow window{history.buffer, 0, history.slot, 0, 0};
            if (history.isCarried)
                window.first = 1;
            if (history.isRing)
                window.ring = 2;
            targets.push_back(addWindow(resultNode(i), QStringLiteral("nextState"), layout, window));
        }
        const std::size_t first = m_program.kernels.size();
        addPart(timeStep, graph, bufferOf, targets, ProgramBuffer::Kind::Temporary);
        m_program.timeLoops.push_back({first, timeStep.kernels.size(), m_loop.timeSteps});
        return true;
    }

    int sourceOf(int source) const {
        const auto input = m_inputs.find(source);
        return input != m_inputs.end() ? input->second : m_made.at(source);
    }

    const TensorLayout &layoutOf(int buffer) const {
        return m_program.buffers[static_cast<std::size_t>(buffer)].layout;
    }

    int sliceWindow(const TimeStepInput &input, GraphNode &node) {
        const int source = sourceOf(input.source);
        const TensorLayout &layout = layoutOf(source);
        const AffineExpr address = linearize(input.index, layout.strides, layout.offset);
        node.strides = address.steps;
        TimeStepWindow window{source, address.offset, 0, 0, 0};
        for (std::size_t d = 0; d < input.step.size(); ++d)
            window.step += input.step[d] * layout.strides[d];
        // Where a slice is not aligned for vector loads, an odd offset in its window shows it.
        const std::int64_t bytes = bytesOf(node.type);
        node.offset =
            window.offset * bytes % alignedBytes == 0 && window.step * bytes % alignedBytes == 0 ? 0 : 1;
        window.offset -= node.offset;
        return addWindow(node, node.name, layoutOfInput(node), window);
    }

    // ---- after the loop

    bool addAfter(const Plan &programOf) {
        std::map<int, int> bufferOf;
        std::map<std::size_t, int> inputOf; // by output: its history, in the part's graph
        std::map<int, int> madeInputOf;
        const auto historyInput = [&](ReferenceGraph &to, std::size_t result) {
            const auto known = inputOf.find(result);
            if (known != inputOf.end())
                return known->second;
            const History &history = m_histories[result];
            GraphNode input = resultNode(result);
            input.kind = GraphNode::Kind::Input;
            input.name = QStringLiteral("states");
            input.op.clear();
            input.arguments.clear();
            input.keywords.clear();
            TimeStepWindow window{history.buffer, history.isCarried ? history.slot : 0, 0, 0, 0};
            if (history.isRing) {
                window.offset = m_loop.timeSteps % 2 * history.slot;
            } else {
                input.shape.insert(input.shape.begin(), m_loop.timeSteps);
                input.strides.insert(input.strides.begin(), history.slot);
            }
            to.nodes.push_back(input);
            const int index = static_cast<int>(to.nodes.size()) - 1;
            inputOf[result] = index;
            bufferOf[index] = addWindow(input, input.name, layoutOfInput(input), window);
            return index;
        };
        bool readsOverwritten = false;
        const auto isReplaced = [&](int node) {
            return m_made.contains(node) || m_consumers->isResult(node) ||
                   m_consumers->stacked(node).has_value();
        };
        const auto replacement = [&](ReferenceGraph &to, int node) {
            if (m_made.contains(node)) {
                const TensorLayout &layout = layoutOf(m_made.at(node));
                GraphNode input = nodeOf(node);
                input.kind = GraphNode::Kind::Input;
                input.op.clear(); // an input, however it was computed
                input.arguments.clear();
                input.keywords.clear();
                input.strides = layout.strides;
                input.offset = layout.offset;
                to.nodes.push_back(input);
                const int index = static_cast<int>(to.nodes.size()) - 1;
                bufferOf[index] = m_made.at(node);
                return index;
            }
            if (const auto stacked = m_consumers->stacked(node))
                return appendStacked(to, historyInput(to, stacked->result), *stacked, nodeOf(node).shape);
            const std::size_t result = m_consumers->resultOf(node);
            const int input = historyInput(to, result);
            if (!m_histories[result].isRing)
                return appendSelect(to, input, m_loop.timeStepOf(node));
            readsOverwritten = readsOverwritten || m_loop.timeStepOf(node) + 1 != m_loop.timeSteps;
            return input;
        };
        Subgraph part = subgraphOf(m_graph, m_graph.outputs, isReplaced, replacement);
        if (readsOverwritten)
            return fail(QStringLiteral("what follows a loop reads a state that is overwritten by then"));
        part.graph.result = m_graph.result;
        for (const auto &[node, index] : part.positions)
            if (nodeOf(node).kind != GraphNode::Kind::Operator)
                bufferOf[index] = m_inputs.at(node);
        const Program after = programOf(part.graph);
        if (!after.unsupported.isEmpty())
            return fail(after.unsupported);
        const std::vector<int> buffers =
            addPart(after, part.graph, bufferOf, std::vector<int>(after.outputs.size(), -1),
                    ProgramBuffer::Kind::Output);
        for (const int output : after.outputs) {
            m_program.outputs.push_back(buffers[static_cast<std::size_t>(output)]);
            m_program.graph.outputs.push_back(
                m_program.buffers[static_cast<std::size_t>(m_program.outputs.back())].node);
        }
        return true;
    }

    // ---- parts of the program

    /// Adds the program of one part. `inputs`: buffers by node of `planned`, the part's graph; `targets`: by
    /// output; -1: a new buffer of the kind `results`. The buffers of the part, as they are here.
    std::vector<int> addPart(const Program &part, const ReferenceGraph &planned,
                             const std::map<int, int> &inputs, const std::vector<int> &targets,
                             ProgramBuffer::Kind results) {
        const std::map<int, int> positions = positionsOfInputs(part.graph, planned);
        std::vector<int> buffers(part.buffers.size(), -1);
        for (std::size_t i = 0; i < targets.size(); ++i)
            buffers[static_cast<std::size_t>(part.outputs[i])] = targets[i];
        for (std::size_t i = 0; i < part.buffers.size(); ++i) {
            ProgramBuffer buffer = part.buffers[i];
            if (buffer.kind == ProgramBuffer::Kind::Input)
                buffers[i] = inputs.at(positions.at(buffer.node));
            if (buffers[i] >= 0)
                continue;
            if (buffer.kind == ProgramBuffer::Kind::Output)
                buffer.kind = results;
            buffer.node = addNode(part.graph.nodes[static_cast<std::size_t>(buffer.node)]);
            if (buffer.kind == ProgramBuffer::Kind::Window) {
                buffer.window.buffer = buffers[static_cast<std::size_t>(buffer.window.buffer)];
                // A later loop reads the history of this one at a fixed offset.
                if (const ProgramBuffer &of =
                        m_program.buffers[static_cast<std::size_t>(buffer.window.buffer)];
                    of.kind == ProgramBuffer::Kind::Window) {
                    buffer.window.offset += of.window.offset;
                    buffer.window.buffer = of.window.buffer;
                }
            }
            buffers[i] = addBuffer(std::move(buffer));
        }
        const std::size_t first = m_program.kernels.size();
        for (Kernel kernel : part.kernels) {
            for (KernelInput &input : kernel.inputs)
                input.buffer = buffers[static_cast<std::size_t>(input.buffer)];
            for (KernelStore &store : kernel.stores)
                store.buffer = buffers[static_cast<std::size_t>(store.buffer)];
            m_program.kernels.push_back(std::move(kernel));
        }
        for (TimeLoop timeLoop : part.timeLoops) {
            timeLoop.first += first;
            m_program.timeLoops.push_back(timeLoop);
        }
        m_program.choices = part.choices;
        m_program.device = part.device;
        return buffers;
    }

    // A program's own graph is rewritten: its inputs are the same, in the same order.
    static std::map<int, int> positionsOfInputs(const ReferenceGraph &own, const ReferenceGraph &planned) {
        std::map<int, int> positions;
        std::size_t next = 0;
        for (std::size_t i = 0; i < own.nodes.size(); ++i) {
            if (own.nodes[i].kind == GraphNode::Kind::Operator)
                continue;
            while (next < planned.nodes.size() && planned.nodes[next].kind == GraphNode::Kind::Operator)
                ++next;
            if (next < planned.nodes.size())
                positions[static_cast<int>(i)] = static_cast<int>(next++);
        }
        return positions;
    }

    const ReferenceGraph &m_graph;
    const RecurrentLoop &m_loop;
    std::optional<LoopConsumers> m_consumers;
    Program m_program;
    std::map<int, int> m_inputs;      ///< buffers by node of the whole graph
    std::map<int, int> m_made;        ///< likewise, of what is computed before the loop
    std::vector<History> m_histories; ///< by output of the time step
    QString m_unsupported;
};

} // namespace

std::optional<Program> programOfLoop(const ReferenceGraph &graph, bool mayRewrite,
                                     const PlanTimeStep &planTimeStep, const PlanSubgraph &programOf) {
    if (const auto loopOperator = findLoopOperator(graph)) {
        Program none;
        if (loopOperator->hasValue())
            return LoopPlanner(graph, loopOperator->value())
                .run(planTimeStep, [&](const ReferenceGraph &part) { return programOf(part, mayRewrite); });
        none.unsupported = loopOperator->message();
        return none;
    }
    const auto loop = findRecurrentLoop(graph);
    if (!loop)
        return std::nullopt;
    if (const ReferenceGraph stacked = stackTimeSteps(graph, *loop); stacked != graph)
        return programOfLoop(stacked, mayRewrite, planTimeStep, programOf);
    const ReferenceGraph hoisted = mayRewrite ? hoistMatmuls(graph, *loop) : graph;
    if (hoisted != graph)
        if (auto program = programOfLoop(hoisted, mayRewrite, planTimeStep, programOf);
            program && program->unsupported.isEmpty())
            return program;
    // One alternative only, else each loop would double the tries for those after it.
    const bool mayRewriteParts = mayRewrite && hoisted == graph;
    return LoopPlanner(graph, *loop).run(planTimeStep, [&](const ReferenceGraph &part) {
        return programOf(part, mayRewriteParts);
    });
}

} // namespace warpwright
