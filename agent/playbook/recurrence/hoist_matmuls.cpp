// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/recurrence/hoist_matmuls.h"

#include "agent/playbook/analysis/convolution_pattern.h"
#include "agent/playbook/ir/subgraph.h"

#include <algorithm>
#include <map>

namespace warpwright {
namespace {

// The slices of all time steps as one view of their source, time first: the order of its dimensions, and the
// range of time steps. Empty: a slice is not all of its source at one index.
struct AllSlices {
    std::vector<std::int64_t> order;
    std::int64_t first = 0;
    bool isBackwards = false;
};

std::optional<AllSlices> allSlices(const TimeStepInput &input, const Shape &whole, const Shape &part,
                                   std::int64_t timeSteps) {
    AllSlices all;
    std::vector<bool> isTaken(whole.size(), false);
    for (std::size_t s = 0; s < whole.size(); ++s) {
        if (input.step[s] == 0)
            continue;
        if (!all.order.empty() || std::abs(input.step[s]) != 1 ||
            input.index[s] != constantIndex(input.index[s].offset, part.size()))
            return std::nullopt;
        all.order.push_back(static_cast<std::int64_t>(s));
        isTaken[s] = true;
        all.isBackwards = input.step[s] < 0;
        all.first = input.index[s].offset - (all.isBackwards ? timeSteps - 1 : 0);
    }
    for (std::size_t d = 0; d < part.size(); ++d) {
        AffineExpr only = constantIndex(0, part.size());
        only.steps[d] = 1;
        for (std::size_t s = 0; s < whole.size(); ++s)
            if (!isTaken[s] && part[d] > 1 && input.index[s] == only && whole[s] == part[d]) {
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

class MatmulHoisting {
public:
    MatmulHoisting(const ReferenceGraph &graph, const RecurrentLoop &loop) : m_graph(graph), m_loop(loop) {}

    ReferenceGraph run() {
        m_result = m_graph;
        m_result.nodes.assign(m_graph.nodes.begin(), m_graph.nodes.begin() + m_loop.first);
        for (int i = 0; i < m_loop.first; ++i)
            m_indices.push_back(i);
        for (int position = 0; position < m_loop.period; ++position)
            hoist(position);
        if (m_hoisted.empty())
            return m_graph;
        for (std::size_t i = m_indices.size(); i < m_graph.nodes.size(); ++i) {
            const auto node = static_cast<int>(i);
            const auto hoisted =
                m_loop.holds(node) ? m_hoisted.find(m_loop.positionOf(node)) : m_hoisted.end();
            if (hoisted != m_hoisted.end()) {
                m_indices.push_back(appendSelect(m_result, hoisted->second, m_loop.timeStepOf(node)));
                continue;
            }
            GraphNode copy = m_graph.nodes[i];
            forEachTensor(copy, [this](GraphArgument &argument) {
                argument.node = m_indices[static_cast<std::size_t>(argument.node)];
            });
            m_result.nodes.push_back(std::move(copy));
            m_indices.push_back(static_cast<int>(m_result.nodes.size()) - 1);
        }
        for (int &output : m_result.outputs)
            output = m_indices[static_cast<std::size_t>(output)];
        return std::move(m_result);
    }

private:
    const GraphNode &timeStepNode(int index) const {
        return m_loop.timeStep.nodes[static_cast<std::size_t>(index)];
    }

    const TimeStepInput *inputAt(int index) const {
        for (const TimeStepInput &input : m_loop.inputs)
            if (input.node == index)
                return &input;
        return nullptr;
    }

    static bool isHoistable(const GraphNode &node) {
        return node.op.section(QLatin1Char('.'), 0, 0) == QLatin1String("mm") || isConvolution(node);
    }

    void hoist(int position) {
        const int index = m_loop.nodeAtPosition[static_cast<std::size_t>(position)];
        if (index < 0 || !isHoistable(timeStepNode(index)))
            return;
        const GraphNode &node = timeStepNode(index);
        const auto given = resolveViews(m_loop.timeStep, node.arguments[0].node);
        const TimeStepInput *input = given ? inputAt(given->base) : nullptr;
        if (input == nullptr || input->kind != TimeStepInput::Kind::Slice)
            return;
        const Shape part = timeStepNode(input->node).shape;
        if (given->index != identityMap(part.size(), part.size()))
            return;
        const auto all = allSlices(*input, m_graph.nodes[static_cast<std::size_t>(input->source)].shape, part,
                                   m_loop.timeSteps);
        if (!all)
            return;
        GraphNode matmul = node;
        std::vector<int> others;
        bool areFixed = true;
        forEachTensor(matmul, [&](const GraphArgument &argument) {
            const auto other = resolveViews(m_loop.timeStep, argument.node);
            const TimeStepInput *of = other ? inputAt(other->base) : nullptr;
            areFixed =
                areFixed && (others.empty() || (of != nullptr && of->kind == TimeStepInput::Kind::Invariant));
            others.push_back(argument.node);
        });
        if (!areFixed || others.empty() || input->source >= m_loop.first)
            return;
        const int stacked = appendAllSlices(*input, *all, part);
        std::size_t slot = 0;
        bool isThere = true;
        forEachTensor(matmul, [&](GraphArgument &argument) {
            argument.node = slot == 0 ? stacked : fixedBefore(others[slot]);
            isThere = isThere && argument.node >= 0;
            ++slot;
        });
        if (!isThere)
            return;
        const Shape shape = node.shape;
        matmul.shape[0] *= m_loop.timeSteps;
        matmul.strides = contiguousStrides(matmul.shape);
        matmul.offset = 0;
        m_result.nodes.push_back(std::move(matmul));
        Shape byTimeStep = shape;
        byTimeStep.insert(byTimeStep.begin(), m_loop.timeSteps);
        m_hoisted[position] = appendView(m_result, "view", static_cast<int>(m_result.nodes.size()) - 1,
                                         {byTimeStep}, byTimeStep);
    }

    int appendAllSlices(const TimeStepInput &input, const AllSlices &all, const Shape &part) {
        const Shape &whole = m_graph.nodes[static_cast<std::size_t>(input.source)].shape;
        Shape transposed;
        for (const std::int64_t d : all.order)
            transposed.push_back(whole[static_cast<std::size_t>(d)]);
        int found = appendView(m_result, "permute", input.source, {all.order}, transposed);
        if (transposed[0] != m_loop.timeSteps)
            found = appendSlice(m_result, found, all.first, m_loop.timeSteps);
        transposed[0] = m_loop.timeSteps;
        if (all.isBackwards)
            found = appendView(m_result, "flip", found, {{0}}, transposed);
        Shape flat = part;
        flat[0] *= m_loop.timeSteps;
        return appendView(m_result, "view", found, {flat}, flat);
    }

    // A loop-invariant view before the loop; -1: its source comes later in the graph.
    int fixedBefore(int index) {
        if (const TimeStepInput *input = inputAt(index))
            return input->source < m_loop.first ? input->source : -1;
        GraphNode view = timeStepNode(index);
        view.arguments[0].node = fixedBefore(view.arguments[0].node);
        if (view.arguments[0].node < 0)
            return -1;
        m_result.nodes.push_back(std::move(view));
        return static_cast<int>(m_result.nodes.size()) - 1;
    }

    const ReferenceGraph &m_graph;
    const RecurrentLoop &m_loop;
    ReferenceGraph m_result;
    std::vector<int> m_indices;   ///< by node of the graph: its index in the result
    std::map<int, int> m_hoisted; ///< by position in a time step: the result for all time steps
};

} // namespace

ReferenceGraph hoistMatmuls(const ReferenceGraph &graph, const RecurrentLoop &loop) {
    return MatmulHoisting(graph, loop).run();
}

} // namespace warpwright
