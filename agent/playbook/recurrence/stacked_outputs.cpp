// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/recurrence/stacked_outputs.h"

#include "agent/playbook/analysis/view_maps.h"
#include "agent/playbook/ir/subgraph.h"

#include <algorithm>
#include <numeric>

namespace warpwright {
namespace {

constexpr std::size_t leastStacked = 4; ///< fewer are parts of a concat like any others

// The order of an output's dimensions in a concat along `along`, where a part is a view of all of it.
std::optional<std::vector<std::int64_t>> orderOf(const AffineMap &index, const Shape &part,
                                                 const Shape &result, std::size_t along) {
    std::vector<std::int64_t> order;
    std::vector<bool> isTaken(result.size(), false);
    for (std::size_t d = 0; d < part.size(); ++d) {
        if (d == along)
            order.push_back(0);
        for (std::size_t s = 0; s < result.size(); ++s) {
            AffineExpr only = constantIndex(0, part.size());
            only.steps[d] = 1;
            if (part[d] == 1 || isTaken[s] || index[s] != only || result[s] != part[d])
                continue;
            isTaken[s] = true;
            order.push_back(static_cast<std::int64_t>(s) + 1);
            break;
        }
    }
    for (std::size_t s = 0; s < result.size(); ++s) {
        if (!isTaken[s] &&
            (result[s] != 1 || rangeOf(index[s], part) != std::pair<std::int64_t, std::int64_t>(0, 0)))
            return std::nullopt;
        if (!isTaken[s])
            order.push_back(static_cast<std::int64_t>(s) + 1);
    }
    return order;
}

std::size_t concatDimension(const GraphNode &concat, std::size_t dimensions) {
    const GraphArgument *asked = concat.argument(1);
    return dimensionOf(asked != nullptr && asked->kind == GraphArgument::Kind::Number ? asked->number : 0,
                       dimensions);
}

bool isConcat(const GraphNode &node) {
    return node.op.section(QLatin1Char('.'), 0, 0) == QLatin1String("cat") &&
           node.arguments[0].items.size() >= leastStacked;
}

} // namespace

namespace {

// Concatenates runs of consecutive time steps within a larger concat on their own.
void concatRuns(const GraphNode &whole, const LoopConsumers &consumers, ReferenceGraph &result,
                GraphNode &concat) {
    const std::vector<GraphArgument> parts = whole.arguments[0].items;
    const std::vector<GraphArgument> indices = concat.arguments[0].items;
    std::vector<GraphArgument> stacked;
    for (std::size_t i = 0; i < parts.size();) {
        const std::size_t count = consumers.timeStepsFrom(parts, i);
        if (count == parts.size())
            return;
        if (count < leastStacked) {
            stacked.push_back(indices[i++]);
            continue;
        }
        GraphNode run = concat;
        run.arguments[0].items.assign(indices.begin() + static_cast<std::ptrdiff_t>(i),
                                      indices.begin() + static_cast<std::ptrdiff_t>(i + count));
        const GraphNode &part = result.nodes[static_cast<std::size_t>(indices[i].node)];
        const std::size_t along = concatDimension(concat, part.shape.size());
        run.shape[along] = part.shape[along] * static_cast<std::int64_t>(count);
        run.strides = contiguousStrides(run.shape);
        GraphArgument argument = indices[i];
        argument.node = static_cast<int>(result.nodes.size());
        result.nodes.push_back(std::move(run));
        stacked.push_back(argument);
        i += count;
    }
    concat.arguments[0].items = std::move(stacked);
}

} // namespace

LoopConsumers::LoopConsumers(const ReferenceGraph &graph, const RecurrentLoop &loop)
    : m_graph(graph), m_loop(loop) {
    for (std::size_t i = 0; i < graph.nodes.size(); ++i)
        if (!loop.holds(static_cast<int>(i))) {
            if (auto stacked = findStacked(graph.nodes[i]))
                m_stacked.emplace(static_cast<int>(i), std::move(*stacked));
        } else if (loop.isStackedResult(static_cast<int>(i))) {
            StackedOutputs stacked{resultOf(static_cast<int>(i)), 0, loop.timeSteps, false,
                                   std::vector<std::int64_t>(graph.nodes[i].shape.size())};
            std::iota(stacked.order.begin(), stacked.order.end(), 0);
            m_stacked.emplace(static_cast<int>(i), std::move(stacked));
        }
}

bool LoopConsumers::readsEarlierTimeSteps(int position) const {
    if (m_loop.isLoopOperator())
        return std::any_of(m_stacked.begin(), m_stacked.end(),
                           [&](const auto &stacked) { return m_loop.positionOf(stacked.first) == position; });
    const auto isEarlier = [&](int node) {
        return m_loop.holds(node) && m_loop.positionOf(node) == position &&
               m_loop.timeStepOf(node) + 1 < m_loop.timeSteps;
    };
    bool isRead = std::any_of(m_graph.outputs.begin(), m_graph.outputs.end(), isEarlier);
    for (std::size_t i = 0; i < m_graph.nodes.size() && !isRead; ++i)
        if (!m_loop.holds(static_cast<int>(i)))
            forEachTensor(m_graph.nodes[i], [&](const GraphArgument &argument) {
                isRead = isRead || isEarlier(argument.node);
            });
    return isRead;
}

bool LoopConsumers::isResult(int node) const {
    return m_loop.holds(node) && node != m_loop.loop &&
           std::find(m_loop.positions.begin(), m_loop.positions.end(), m_loop.positionOf(node)) !=
               m_loop.positions.end();
}

std::size_t LoopConsumers::resultOf(int node) const {
    const auto found = std::find(m_loop.positions.begin(), m_loop.positions.end(), m_loop.positionOf(node));
    return static_cast<std::size_t>(found - m_loop.positions.begin());
}

std::optional<StackedOutputs> LoopConsumers::stacked(int node) const {
    const auto found = m_stacked.find(node);
    return found == m_stacked.end() ? std::nullopt : std::optional(found->second);
}

std::size_t LoopConsumers::timeStepsFrom(const std::vector<GraphArgument> &parts, std::size_t begin) const {
    ResolvedView first;
    std::int64_t step = 0;
    std::size_t i = begin;
    for (; i < parts.size(); ++i) {
        if (parts[i].kind != GraphArgument::Kind::Node)
            break;
        auto part = resolveViews(m_graph, parts[i].node, [this](int some) { return isResult(some); });
        if (!part || !isResult(part->base))
            break;
        if (i == begin) {
            first = *part;
            continue;
        }
        const std::int64_t distance = m_loop.timeStepOf(part->base) - m_loop.timeStepOf(first.base);
        if (i == begin + 1)
            step = distance;
        if (part->index != first.index || resultOf(part->base) != resultOf(first.base) ||
            std::abs(step) != 1 || distance != static_cast<std::int64_t>(i - begin) * step)
            break;
    }
    return i - begin;
}

std::optional<StackedOutputs> LoopConsumers::findStacked(const GraphNode &node) const {
    if (!isConcat(node) || timeStepsFrom(node.arguments[0].items, 0) < node.arguments[0].items.size())
        return std::nullopt;
    const std::vector<GraphArgument> &parts = node.arguments[0].items;
    const auto partAt = [&](std::size_t i) {
        return *resolveViews(m_graph, parts[i].node, [this](int some) { return isResult(some); });
    };
    const ResolvedView first = partAt(0);
    StackedOutputs stacked;
    stacked.result = resultOf(first.base);
    stacked.first = m_loop.timeStepOf(first.base);
    stacked.count = static_cast<std::int64_t>(parts.size());
    stacked.isBackwards = m_loop.timeStepOf(partAt(1).base) < stacked.first;
    if (stacked.isBackwards)
        stacked.first -= stacked.count - 1;
    const Shape &shape = m_graph.nodes[static_cast<std::size_t>(parts[0].node)].shape;
    const std::size_t along = concatDimension(node, shape.size());
    const auto order =
        orderOf(first.index, shape, m_graph.nodes[static_cast<std::size_t>(first.base)].shape, along);
    if (!order)
        return std::nullopt;
    stacked.order = *order;
    return stacked;
}

ReferenceGraph stackTimeSteps(const ReferenceGraph &graph, const RecurrentLoop &loop) {
    const LoopConsumers consumers(graph, loop);
    ReferenceGraph result = graph;
    result.nodes.clear();
    std::vector<int> indices;
    for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
        GraphNode node = graph.nodes[i];
        forEachTensor(node, [&](GraphArgument &argument) {
            argument.node = indices[static_cast<std::size_t>(argument.node)];
        });
        if (isConcat(node) && !loop.holds(static_cast<int>(i)))
            concatRuns(graph.nodes[i], consumers, result, node);
        result.nodes.push_back(std::move(node));
        indices.push_back(static_cast<int>(result.nodes.size()) - 1);
    }
    for (int &output : result.outputs)
        output = indices[static_cast<std::size_t>(output)];
    return result;
}

int appendStacked(ReferenceGraph &graph, int history, const StackedOutputs &stacked, const Shape &shape) {
    Shape sizes = graph.nodes[static_cast<std::size_t>(history)].shape;
    int found = history;
    if (stacked.count < sizes[0]) {
        sizes[0] = stacked.count;
        found = appendSlice(graph, found, stacked.first, stacked.count);
    }
    if (stacked.isBackwards)
        found = appendView(graph, "flip", found, {{0}}, sizes);
    Shape transposed;
    for (const std::int64_t d : stacked.order)
        transposed.push_back(sizes[static_cast<std::size_t>(d)]);
    found = appendView(graph, "permute", found, {stacked.order}, transposed);
    return appendView(graph, "view", found, {shape}, shape);
}

} // namespace warpwright
