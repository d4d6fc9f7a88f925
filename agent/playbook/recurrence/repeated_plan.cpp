// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/recurrence/repeated_plan.h"

#include "agent/playbook/analysis/graph_views.h"
#include "agent/playbook/ir/graph_part.h"
#include "agent/playbook/recurrence/joined_turns.h"
#include "agent/playbook/recurrence/lifted_products.h"
#include "agent/playbook/recurrence/written_loop.h"

#include <algorithm>
#include <map>

namespace warpwright {
namespace {

constexpr std::int64_t alignedBytes = 16; ///< that wide loads start at

/// The memory in which turns leave one of their results: a slot each, or two that take turns.
struct History {
    int buffer = -1;
    std::int64_t slot = 0; ///< elements from one to the next
    bool isRing = false;
    bool isCarried = false; ///< slot 0 is what the first turn is given
};

class RepeatedPlanner {
public:
    using Plan = std::function<KernelPlan(const ReferenceGraph &)>;

    RepeatedPlanner(const ReferenceGraph &graph, const Repetition &repetition)
        : m_graph(graph), m_turns(repetition) {
        for (const GraphNode &node : graph.nodes)
            if (node.kind != GraphNode::Kind::Operator) {
                m_leaves[static_cast<int>(&node - graph.nodes.data())] =
                    addBuffer({PlanBuffer::Kind::Leaf, addNode(node), layoutOfLeaf(node), TurnWindow()});
            }
        m_plan.graph.result = graph.result;
        m_plan.graph.argumentNames = graph.argumentNames;
        m_plan.graph.inputCount = graph.inputCount;
    }

    KernelPlan run(const Plan &planOnce, const Plan &planOf) {
        m_later.emplace(m_graph, m_turns);
        makeHistories();
        if (!addBefore(planOf) || !addTurn(planOnce) || !addAfter(planOf)) {
            KernelPlan none;
            none.cannot = m_cannot;
            return none;
        }
        return std::move(m_plan);
    }

private:
    const GraphNode &nodeOf(int node) const { return m_graph.nodes[static_cast<std::size_t>(node)]; }
    const GraphNode &resultNode(std::size_t result) const {
        return m_turns.turn.nodes[static_cast<std::size_t>(m_turns.turn.outputs[result])];
    }

    int addNode(GraphNode node) {
        // What it was made of is in its part's graph; of a leaf it is what the reader said.
        if (node.kind == GraphNode::Kind::Operator) {
            node.arguments.clear();
            node.keywords.clear();
        }
        m_plan.graph.nodes.push_back(std::move(node));
        return static_cast<int>(m_plan.graph.nodes.size()) - 1;
    }

    int addBuffer(PlanBuffer buffer) {
        m_plan.buffers.push_back(std::move(buffer));
        return static_cast<int>(m_plan.buffers.size()) - 1;
    }

    int addWindow(const GraphNode &node, const QString &name, const BufferLayout &layout, TurnWindow window) {
        GraphNode named = node;
        named.name = name;
        named.kind = GraphNode::Kind::Operator; // memory of the plan, also where it shows a parameter
        return addBuffer({PlanBuffer::Kind::Window, addNode(std::move(named)), layout, window});
    }

    bool fail(const QString &why) {
        m_cannot = why;
        return false;
    }

    void makeHistories() {
        for (std::size_t i = 0; i < m_turns.positions.size(); ++i) {
            const GraphNode &node = resultNode(i);
            History history;
            const std::int64_t pack = std::max<std::int64_t>(alignedBytes / bytesOf(node.type), 1);
            history.slot = (elementCount(node.shape) + pack - 1) / pack * pack;
            history.isCarried = m_turns.areCarried[i];
            history.isRing = history.isCarried && !m_later->readsManyOf(m_turns.positions[i]);
            const std::int64_t count = history.isRing ? 2 : m_turns.turns + (history.isCarried ? 1 : 0);
            BufferLayout layout = layoutByRows(node.shape);
            layout.memory = {count, history.slot};
            history.buffer = addBuffer({PlanBuffer::Kind::Temporary, addNode(node), layout, TurnWindow()});
            m_histories.push_back(history);
        }
    }

    // ---- before

    bool addBefore(const Plan &planOf) {
        std::vector<int> wanted;
        for (const TurnLeaf &leaf : m_turns.leaves)
            if (leaf.kind != TurnLeaf::Kind::Carried &&
                nodeOf(leaf.source).kind == GraphNode::Kind::Operator &&
                std::find(wanted.begin(), wanted.end(), leaf.source) == wanted.end())
                wanted.push_back(leaf.source);
        std::vector<int> states;
        for (const TurnLeaf &leaf : m_turns.leaves)
            if (leaf.kind == TurnLeaf::Kind::Carried)
                states.push_back(leaf.source);
        const std::size_t forTurns = wanted.size();
        for (const int node : neededLater(wanted, states))
            wanted.push_back(node);
        std::vector<int> all = wanted;
        all.insert(all.end(), states.begin(), states.end());
        if (all.empty())
            return true;
        GraphPart part = partOfGraph(m_graph, all);
        // Each state begins as a copy of its own: the turns write over it.
        for (std::size_t i = wanted.size(); i < all.size(); ++i) {
            int &output = part.graph.outputs[i];
            output = appendView(part.graph, "clone", output, {}, Shape(nodeOf(all[i]).shape));
        }
        const KernelPlan before = planOf(part.graph);
        if (!before.cannot.isEmpty())
            return fail(before.cannot);
        std::vector<int> targets(all.size(), -1);
        std::size_t next = wanted.size();
        for (const TurnLeaf &leaf : m_turns.leaves)
            if (leaf.kind == TurnLeaf::Kind::Carried) {
                const History &history = m_histories[static_cast<std::size_t>(leaf.result)];
                targets[next++] =
                    addWindow(nodeOf(leaf.source), QStringLiteral("firstState"),
                              layoutByRows(nodeOf(leaf.source).shape), {history.buffer, 0, 0, 0, 0});
            }
        std::map<int, int> bufferOf;
        for (const auto &[node, place] : part.places)
            if (nodeOf(node).kind != GraphNode::Kind::Operator)
                bufferOf[place] = m_leaves.at(node);
        const std::vector<int> buffers =
            addPart(before, part.graph, bufferOf, targets, PlanBuffer::Kind::Temporary);
        for (std::size_t i = 0; i < wanted.size(); ++i) {
            const int made = buffers[static_cast<std::size_t>(before.outputs[i])];
            if (layoutOf(made).shape == nodeOf(wanted[i]).shape)
                m_made[wanted[i]] = made;
            else if (i < forTurns)
                return fail(
                    QStringLiteral("what goes into a loop lies in an order that its turns do not read"));
        }
        for (std::size_t i = wanted.size(); i < all.size(); ++i)
            if (before.buffers[static_cast<std::size_t>(before.outputs[i])].layout !=
                layoutByRows(nodeOf(all[i]).shape))
                return fail(QStringLiteral("a loop's first state does not lie by rows"));
        return true;
    }

    // What comes after the turns reads it, it needs none of them, and a part of it is made before them: once
    // is enough.
    std::vector<int> neededLater(const std::vector<int> &wanted, const std::vector<int> &states) const {
        std::vector<int> all = wanted;
        all.insert(all.end(), states.begin(), states.end());
        const std::map<int, int> before = partOfGraph(m_graph, all).places;
        const std::map<int, int> later = partOfGraph(m_graph, m_graph.outputs).places;
        std::vector<bool> needsTurns(m_graph.nodes.size(), false);
        std::vector<bool> sharesWork(m_graph.nodes.size(), false);
        std::vector<int> needed;
        const auto note = [&](int node) {
            const auto what = lookedAt(m_graph, node);
            if (!what || needsTurns[static_cast<std::size_t>(what->base)] ||
                !sharesWork[static_cast<std::size_t>(what->base)] || !nodeOf(what->base).isTensor)
                return;
            for (const std::vector<int> *some : {&all, &needed})
                if (std::find(some->begin(), some->end(), what->base) != some->end())
                    return;
            needed.push_back(what->base);
        };
        for (const auto &[node, place] : later) {
            const auto i = static_cast<std::size_t>(node);
            bool isMade = false; // a constant is made again
            needsTurns[i] = m_turns.holds(node);
            forEachTensor(nodeOf(node), [&](const GraphArgument &argument) {
                const auto operand = static_cast<std::size_t>(argument.node);
                isMade = true;
                needsTurns[i] = needsTurns[i] || needsTurns[operand];
                sharesWork[i] = sharesWork[i] || sharesWork[operand];
            });
            sharesWork[i] = sharesWork[i] || (isMade && before.contains(node) && !isView(nodeOf(node)) &&
                                              nodeOf(node).isTensor);
            if (needsTurns[i] && !m_turns.holds(node))
                forEachTensor(nodeOf(node), [&](const GraphArgument &argument) { note(argument.node); });
        }
        for (const int output : m_graph.outputs)
            note(output);
        return needed;
    }

    // ---- a turn

    bool addTurn(const Plan &planOnce) {
        ReferenceGraph graph = m_turns.turn;
        std::map<int, int> bufferOf;
        for (const TurnLeaf &leaf : m_turns.leaves) {
            GraphNode &node = graph.nodes[static_cast<std::size_t>(leaf.node)];
            switch (leaf.kind) {
            case TurnLeaf::Kind::Whole: {
                bufferOf[leaf.node] = sourceOf(leaf.source);
                const BufferLayout &layout = layoutOf(bufferOf[leaf.node]);
                node.strides = layout.strides;
                node.offset = layout.offset;
                break;
            }
            case TurnLeaf::Kind::Part:
                bufferOf[leaf.node] = partOfSource(leaf, node);
                break;
            case TurnLeaf::Kind::Carried: {
                const History &history = m_histories[static_cast<std::size_t>(leaf.result)];
                bufferOf[leaf.node] = addWindow(node, node.name, layoutOfLeaf(node),
                                                {history.buffer, 0, history.slot, 0, history.isRing ? 2 : 0});
                break;
            }
            }
        }
        const KernelPlan turn = planOnce(graph);
        if (!turn.cannot.isEmpty())
            return fail(turn.cannot);
        std::vector<int> targets;
        for (std::size_t i = 0; i < m_histories.size(); ++i) {
            const History &history = m_histories[i];
            const BufferLayout &layout = turn.buffers[static_cast<std::size_t>(turn.outputs[i])].layout;
            if (layout != layoutByRows(resultNode(i).shape) ||
                std::count(turn.outputs.begin(), turn.outputs.end(), turn.outputs[i]) > 1)
                return fail(
                    QStringLiteral("what a loop's turns leave lies in an order that the next does not read"));
            TurnWindow window{history.buffer, 0, history.slot, 0, 0};
            if (history.isCarried)
                window.first = 1;
            if (history.isRing)
                window.ring = 2;
            targets.push_back(addWindow(resultNode(i), QStringLiteral("nextState"), layout, window));
        }
        const std::size_t first = m_plan.kernels.size();
        addPart(turn, graph, bufferOf, targets, PlanBuffer::Kind::Temporary);
        m_plan.repeats.push_back({first, turn.kernels.size(), m_turns.turns});
        return true;
    }

    int sourceOf(int source) const {
        const auto leaf = m_leaves.find(source);
        return leaf != m_leaves.end() ? leaf->second : m_made.at(source);
    }

    const BufferLayout &layoutOf(int buffer) const {
        return m_plan.buffers[static_cast<std::size_t>(buffer)].layout;
    }

    int partOfSource(const TurnLeaf &leaf, GraphNode &node) {
        const int source = sourceOf(leaf.source);
        const BufferLayout &layout = layoutOf(source);
        const AffineIndex address = combined(leaf.place, layout.strides, layout.offset);
        node.strides = address.steps;
        TurnWindow window{source, address.offset, 0, 0, 0};
        for (std::size_t d = 0; d < leaf.step.size(); ++d)
            window.step += leaf.step[d] * layout.strides[d];
        // Not each turn's part starts where wide loads could: an odd place among the part's own says so.
        const std::int64_t bytes = bytesOf(node.type);
        node.offset =
            window.offset * bytes % alignedBytes == 0 && window.step * bytes % alignedBytes == 0 ? 0 : 1;
        window.offset -= node.offset;
        return addWindow(node, node.name, layoutOfLeaf(node), window);
    }

    // ---- after

    bool addAfter(const Plan &planOf) {
        std::map<int, int> bufferOf;
        std::map<std::size_t, int> leafOf; // by result: its history, in the part's graph
        std::map<int, int> madeLeafOf;
        const auto historyLeaf = [&](ReferenceGraph &to, std::size_t result) {
            const auto known = leafOf.find(result);
            if (known != leafOf.end())
                return known->second;
            const History &history = m_histories[result];
            GraphNode leaf = resultNode(result);
            leaf.kind = GraphNode::Kind::Input;
            leaf.name = QStringLiteral("states");
            leaf.op.clear();
            leaf.arguments.clear();
            leaf.keywords.clear();
            TurnWindow window{history.buffer, history.isCarried ? history.slot : 0, 0, 0, 0};
            if (history.isRing) {
                window.offset = m_turns.turns % 2 * history.slot;
            } else {
                leaf.shape.insert(leaf.shape.begin(), m_turns.turns);
                leaf.strides.insert(leaf.strides.begin(), history.slot);
            }
            to.nodes.push_back(leaf);
            const int place = static_cast<int>(to.nodes.size()) - 1;
            leafOf[result] = place;
            bufferOf[place] = addWindow(leaf, leaf.name, layoutOfLeaf(leaf), window);
            return place;
        };
        bool readsWhatIsGone = false;
        const auto isReplaced = [&](int node) {
            return m_made.contains(node) || m_later->isResult(node) || m_later->joined(node).has_value();
        };
        const auto replacement = [&](ReferenceGraph &to, int node) {
            if (m_made.contains(node)) {
                const BufferLayout &layout = layoutOf(m_made.at(node));
                GraphNode leaf = nodeOf(node);
                leaf.kind = GraphNode::Kind::Input;
                leaf.op.clear(); // it is given, however it was made
                leaf.arguments.clear();
                leaf.keywords.clear();
                leaf.strides = layout.strides;
                leaf.offset = layout.offset;
                to.nodes.push_back(leaf);
                const int place = static_cast<int>(to.nodes.size()) - 1;
                bufferOf[place] = m_made.at(node);
                return place;
            }
            if (const auto joined = m_later->joined(node))
                return appendJoined(to, historyLeaf(to, joined->result), *joined, nodeOf(node).shape);
            const std::size_t result = m_later->resultOf(node);
            const int leaf = historyLeaf(to, result);
            if (!m_histories[result].isRing)
                return appendSelect(to, leaf, m_turns.turnOf(node));
            readsWhatIsGone = readsWhatIsGone || m_turns.turnOf(node) + 1 != m_turns.turns;
            return leaf;
        };
        GraphPart part = partOfGraph(m_graph, m_graph.outputs, isReplaced, replacement);
        if (readsWhatIsGone)
            return fail(QStringLiteral("what comes after a loop reads what an earlier turn has left"));
        part.graph.result = m_graph.result;
        for (const auto &[node, place] : part.places)
            if (nodeOf(node).kind != GraphNode::Kind::Operator)
                bufferOf[place] = m_leaves.at(node);
        const KernelPlan after = planOf(part.graph);
        if (!after.cannot.isEmpty())
            return fail(after.cannot);
        const std::vector<int> buffers =
            addPart(after, part.graph, bufferOf, std::vector<int>(after.outputs.size(), -1),
                    PlanBuffer::Kind::Output);
        for (const int output : after.outputs) {
            m_plan.outputs.push_back(buffers[static_cast<std::size_t>(output)]);
            m_plan.graph.outputs.push_back(
                m_plan.buffers[static_cast<std::size_t>(m_plan.outputs.back())].node);
        }
        return true;
    }

    // ---- parts of the plan

    /// `leaves`: buffers by node of `planned`, the graph that the part was planned for; `targets`: by output;
    /// -1: one of its own, of the kind `results`. The buffers of the part, as they are here.
    std::vector<int> addPart(const KernelPlan &part, const ReferenceGraph &planned,
                             const std::map<int, int> &leaves, const std::vector<int> &targets,
                             PlanBuffer::Kind results) {
        const std::map<int, int> places = placesOfLeaves(part.graph, planned);
        std::vector<int> buffers(part.buffers.size(), -1);
        for (std::size_t i = 0; i < targets.size(); ++i)
            buffers[static_cast<std::size_t>(part.outputs[i])] = targets[i];
        for (std::size_t i = 0; i < part.buffers.size(); ++i) {
            PlanBuffer buffer = part.buffers[i];
            if (buffer.kind == PlanBuffer::Kind::Leaf)
                buffers[i] = leaves.at(places.at(buffer.node));
            if (buffers[i] >= 0)
                continue;
            if (buffer.kind == PlanBuffer::Kind::Output)
                buffer.kind = results;
            buffer.node = addNode(part.graph.nodes[static_cast<std::size_t>(buffer.node)]);
            if (buffer.kind == PlanBuffer::Kind::Window) {
                buffer.window.buffer = buffers[static_cast<std::size_t>(buffer.window.buffer)];
                // A loop after this one looks at what this one has left, all of it at a place that stays.
                if (const PlanBuffer &of = m_plan.buffers[static_cast<std::size_t>(buffer.window.buffer)];
                    of.kind == PlanBuffer::Kind::Window) {
                    buffer.window.offset += of.window.offset;
                    buffer.window.buffer = of.window.buffer;
                }
            }
            buffers[i] = addBuffer(std::move(buffer));
        }
        const std::size_t first = m_plan.kernels.size();
        for (FusedKernel kernel : part.kernels) {
            for (KernelLeaf &leaf : kernel.leaves)
                leaf.buffer = buffers[static_cast<std::size_t>(leaf.buffer)];
            for (KernelStore &store : kernel.stores)
                store.buffer = buffers[static_cast<std::size_t>(store.buffer)];
            m_plan.kernels.push_back(std::move(kernel));
        }
        for (PlanRepeat repeat : part.repeats) {
            repeat.first += first;
            m_plan.repeats.push_back(repeat);
        }
        m_plan.choices = part.choices;
        return buffers;
    }

    // A plan's own graph says some operators in other words: its leaves are the same, in the same order.
    static std::map<int, int> placesOfLeaves(const ReferenceGraph &own, const ReferenceGraph &planned) {
        std::map<int, int> places;
        std::size_t next = 0;
        for (std::size_t i = 0; i < own.nodes.size(); ++i) {
            if (own.nodes[i].kind == GraphNode::Kind::Operator)
                continue;
            while (next < planned.nodes.size() && planned.nodes[next].kind == GraphNode::Kind::Operator)
                ++next;
            if (next < planned.nodes.size())
                places[static_cast<int>(i)] = static_cast<int>(next++);
        }
        return places;
    }

    const ReferenceGraph &m_graph;
    const Repetition &m_turns;
    std::optional<LaterReaders> m_later;
    KernelPlan m_plan;
    std::map<int, int> m_leaves;      ///< buffers by node of the whole graph
    std::map<int, int> m_made;        ///< likewise, of what is before the turns
    std::vector<History> m_histories; ///< by result of a turn
    QString m_cannot;
};

} // namespace

std::optional<KernelPlan> planOfLoop(const ReferenceGraph &graph, bool mayRewrite, const PlanOnce &planOnce,
                                     const PlanPart &planOf) {
    if (const auto written = writtenLoop(graph)) {
        KernelPlan none;
        if (written->hasValue())
            return RepeatedPlanner(graph, written->value()).run(planOnce, [&](const ReferenceGraph &part) {
                return planOf(part, mayRewrite);
            });
        none.cannot = written->message();
        return none;
    }
    const auto repetition = findRepetition(graph);
    if (!repetition)
        return std::nullopt;
    if (const ReferenceGraph joined = withJoinsOfTurns(graph, *repetition); joined != graph)
        return planOfLoop(joined, mayRewrite, planOnce, planOf);
    const ReferenceGraph lifted = mayRewrite ? withProductsBeforeTurns(graph, *repetition) : graph;
    if (lifted != graph)
        if (auto plan = planOfLoop(lifted, mayRewrite, planOnce, planOf); plan && plan->cannot.isEmpty())
            return plan;
    // One way of several, else each loop would double what is tried for those after it.
    const bool goesOn = mayRewrite && lifted == graph;
    return RepeatedPlanner(graph, *repetition).run(planOnce, [&](const ReferenceGraph &part) {
        return planOf(part, goesOn);
    });
}

} // namespace warpwright
