// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/lowering/node_lowering.h"

#include "agent/playbook/analysis/operator_traits.h"
#include "agent/playbook/analysis/view_maps.h"
#include "agent/playbook/lowering/lower_bitwise.h"
#include "agent/playbook/lowering/lower_pointwise.h"
#include "agent/playbook/lowering/lower_reduction.h"
#include "agent/playbook/lowering/lower_view.h"
#include "agent/playbook/lowering/operator_families.h"

namespace warpwright {
namespace {

/// The first family that takes a node lowers it.
const OperatorFamily *const families[] = {
    &convolutionFamily, &scatterSortFamily, &matmulFamily, &concatFamily,   &sliceScatterFamily,
    &paddingFamily,     &embeddingFamily,   &gatherFamily, &indexingFamily, &embeddingBagFamily,
    &poolingFamily,     &argmaxFamily,      &scanFamily,
};

const OperatorFamily *familyOf(const ReferenceGraph &graph, const NodeAt &at) {
    for (const OperatorFamily *family : families)
        if (family->takes(graph, at))
            return family;
    return nullptr;
}

// One of several results.
int lowerItem(LoweringContext &context, const NodeAt &at) {
    const int item = at.node.arguments.size() > 1 ? static_cast<int>(at.node.arguments[1].number) : 0;
    const GraphNode &many = context.nodeAt(at.node.arguments[0].node);
    const NodeAt of{at.result, many, opNameOf(many), item, at.map};
    if (of.opName == QLatin1String("var_mean"))
        return lowerMoment(context, of, item == 0);
    if (const OperatorFamily *family = familyOf(context.graph(), of))
        return family->lower(context, of);
    if (of.opName == QLatin1String("max") || of.opName == QLatin1String("min"))
        return lowerReduction(context, of);
    if (const auto source = throughSplit(context.graph(), many, item, at.map, context.kernel().loops))
        return context.lower(many.arguments[0].node, *source);
    return context.refuse(QStringLiteral("«%1» is not supported yet").arg(many.op));
}

int lowerOperator(LoweringContext &context, const NodeAt &at) {
    if (at.node.op == QLatin1String("getitem"))
        return lowerItem(context, at);
    if (isView(at.node))
        return lowerView(context, at.node, at.map);
    if (const OperatorFamily *family = familyOf(context.graph(), at))
        return family->lower(context, at);
    if (isKnownReduction(at.node)) {
        const bool isVariance = at.opName == QLatin1String("var");
        return isVariance || at.opName == QLatin1String("mean") ? lowerMoment(context, at, isVariance)
                                                                : lowerReduction(context, at);
    }
    const int step = lowerPointwise(context, at);
    return step < 0 ? step : wrapToType(context, at.node, step);
}

} // namespace

NodeLowering::NodeLowering(const ReferenceGraph &graph, const KnownBuffers &known, Shape loops,
                           std::size_t outer)
    : m_context(graph, known, std::move(loops), outer, lowerOperator) {}

LoweringResult NodeLowering::lower(int node, const AffineMap &map) {
    if (const int step = m_context.lower(node, map); step >= 0)
        return Lowered{step};
    if (const std::optional<Obstacle> &obstacle = m_context.obstacle())
        return std::visit([](const auto &what) { return LoweringResult(what); }, *obstacle);
    // An empty reduction has no first element, and sets no obstacle.
    return Unsupported{QStringLiteral("no loop nest fits it")};
}

} // namespace warpwright
