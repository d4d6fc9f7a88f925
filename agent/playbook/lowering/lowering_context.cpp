// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/lowering/lowering_context.h"

#include "agent/playbook/analysis/operator_traits.h"
#include "agent/playbook/analysis/view_maps.h"

namespace warpwright {
namespace {

constexpr std::size_t mostSteps = 300; ///< a longer kernel is unreadable and spills registers

Kernel kernelOver(Shape loops, std::size_t outer) {
    Kernel kernel;
    kernel.loops = std::move(loops);
    kernel.outer = outer;
    return kernel;
}

} // namespace

LoweringContext::LoweringContext(const ReferenceGraph &graph, const KnownBuffers &known, Shape loops,
                                 std::size_t outer, LowerOperator lowerOperator)
    : m_graph(graph),
      m_known(known),
      m_lowerOperator(lowerOperator),
      m_kernel(kernelOver(std::move(loops), outer)),
      m_indices(m_kernel) {}

int LoweringContext::lower(int node, const AffineMap &map) {
    if (m_obstacle)
        return -1;
    const auto key = std::tuple(node, map, m_guard);
    if (const auto done = m_lowered.find(key); done != m_lowered.end())
        return done->second;
    const std::size_t before = m_kernel.steps.size();
    if (before > mostSteps)
        return stopAtStepLimit(node);
    const int step = lowerUncached(node, map);
    if (step >= 0) {
        m_lowered.emplace(key, step);
        m_stepsOf[node] += m_kernel.steps.size() - before;
    }
    return step;
}

int LoweringContext::lowerUncached(int nodeIndex, const AffineMap &map) {
    const GraphNode &node = nodeAt(nodeIndex);
    if (const auto known = m_known.find(nodeIndex); known != m_known.end())
        return load(known->second, node, map);
    return m_lowerOperator(*this, {nodeIndex, node, opNameOf(node), 0, map});
}

int LoweringContext::stopAtStepLimit(int node) {
    if (const int part = costliestNode(); part >= 0)
        return requireBuffer(part);
    return refuse(
        QStringLiteral("one kernel of it would take more than %1 steps for each element, "
                       "an unrolled loop, and no part of it can be a kernel of its own; it stopped at «%2»")
            .arg(mostSteps)
            .arg(opNameOf(nodeAt(node))));
}

// For a kernel that became too long: the node to materialize first, which has the most steps here over all
// its uses and is not much larger than the kernel. -1: there is none.
int LoweringContext::costliestNode() const {
    constexpr std::size_t leastSteps = 20;
    constexpr std::int64_t mostTimesLarger = 4;
    int longest = -1;
    std::size_t most = leastSteps;
    for (const auto &[node, steps] : m_stepsOf) {
        const GraphNode &what = nodeAt(node);
        const bool isLarger = elementCount(what.shape) / mostTimesLarger > elementCount(m_kernel.loops);
        if (what.kind != GraphNode::Kind::Operator || m_known.contains(node) || isView(what) || isLarger ||
            what.op == QLatin1String("getitem") || what.shape.empty())
            continue;
        if (steps > most) {
            most = steps;
            longest = node;
        }
    }
    return longest;
}

int LoweringContext::operand(const GraphNode &node, const GraphArgument &argument, const AffineMap &map,
                             ElementType type) {
    if (argument.kind == GraphArgument::Kind::Number || argument.kind == GraphArgument::Kind::Truth)
        return m_kernel.number(argument.number, type);
    if (argument.kind != GraphArgument::Kind::Node)
        return refuse(QStringLiteral("«%1» has an argument that is not supported").arg(node.op));
    const Shape &from = nodeAt(argument.node).shape;
    const int step = lower(argument.node, broadcastMap(map, from, node.shape, m_indices.sizes().size()));
    return step < 0 ? step : m_kernel.converted(step, type);
}

int LoweringContext::load(const KnownBuffer &known, const GraphNode &node, const AffineMap &map) {
    const TensorLayout &layout = known.layout;
    AffineMap positions;
    for (std::size_t d = 0, next = 0; d < node.shape.size(); ++d) {
        Shape parts = {layout.shape[next++]};
        while (elementCount(parts) < node.shape[d])
            parts.push_back(layout.shape[next++]);
        if (parts.size() == 1) {
            positions.push_back(map[d]);
            continue;
        }
        const auto digits = digitsIn(map[d], parts);
        if (!digits)
            return -1;
        positions.insert(positions.end(), digits->begin(), digits->end());
    }
    const AffineExpr address = linearize(positions, layout.strides, layout.offset);
    return m_indices.load(known.buffer, node.type, elementCount(node.shape), address, m_guard);
}

std::optional<AffineMap> LoweringContext::digitsIn(const AffineExpr &flat, const Shape &shape) {
    std::optional<LoopSplit> split;
    if (auto digits = delinearize(flat, shape, m_indices.sizes(), split))
        return digits;
    if (stopToSplit(split))
        return std::nullopt;
    return m_indices.digitsByDivision(flat, shape);
}

// Unsupported takes precedence over obstacles that can be resolved.
int LoweringContext::stop(const Obstacle &obstacle) {
    const bool isWorse = m_obstacle && std::holds_alternative<Unsupported>(obstacle) &&
                         !std::holds_alternative<Unsupported>(*m_obstacle);
    if (!m_obstacle || isWorse)
        m_obstacle = obstacle;
    return -1;
}

int LoweringContext::refuseUnknown(const GraphNode &node) {
    QStringList sizes;
    for (const std::int64_t size : node.shape)
        sizes << QString::number(size);
    return refuse(QStringLiteral("«%1» is not supported yet (its result there is %2 of [%3])")
                      .arg(node.op, elementTypeName(node.type), sizes.join(QLatin1String(", "))));
}

bool LoweringContext::stopToSplit(const std::optional<LoopSplit> &split) {
    if (!split || static_cast<std::size_t>(split->loop) >= m_kernel.loops.size())
        return false;
    stop(*split);
    return true;
}

bool LoweringContext::lacksBuffer(int node) const {
    const auto *needed = m_obstacle ? std::get_if<NeedsBuffer>(&*m_obstacle) : nullptr;
    return needed != nullptr && needed->node == node;
}

const GraphNode &LoweringContext::nodeAt(int node) const {
    return m_graph.nodes[static_cast<std::size_t>(node)];
}

LoweringContext::Guard::Guard(LoweringContext &context, std::optional<int> condition)
    : m_context(context), m_before(context.m_guard) {
    if (condition)
        context.m_guard =
            *conjunction(context.m_kernel, m_before < 0 ? std::nullopt : std::optional(m_before), condition);
}

LoweringContext::Unrolling::Unrolling(LoweringContext &context, std::int64_t times)
    : m_context(context), m_before(context.m_unrollFactor) {
    context.m_unrollFactor *= times;
}

} // namespace warpwright
