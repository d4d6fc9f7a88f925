// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/lowering/pointwise_lowering.h"

#include "agent/playbook/lowering/promoted_type.h"
#include "agent/playbook/lowering/special_pointwise.h"

namespace warpwright {

int lowerPointwise(LoweringContext &context, const NodeAt &at) {
    const GraphNode &node = at.node;
    const ElementType type = computedType(node.type);
    const auto plain = plainOp(node.op);
    const bool isScaled =
        node.argument(-1, "alpha") != nullptr || node.argument(-1, "rounding_mode") != nullptr;
    if (!plain || isScaled || node.op.endsWith(QLatin1String("_")))
        return lowerSpecial(context, node, at.map);
    const bool isTruthful = *plain == KernelOp::And || *plain == KernelOp::Or || *plain == KernelOp::Not;
    const ElementType inside = isComparison(*plain) ? promotedType(context.graph(), node)
                               : isTruthful         ? ElementType::Bool
                                                    : type;
    std::vector<int> operands;
    for (std::size_t i = 0; i < node.arguments.size(); ++i) {
        const bool isCondition = *plain == KernelOp::Select && i == 0;
        const int step =
            context.operand(node, node.arguments[i], at.map, isCondition ? ElementType::Bool : inside);
        if (step < 0)
            return step;
        operands.push_back(step);
    }
    const std::size_t wanted = *plain == KernelOp::Select                                   ? 3
                               : *plain >= KernelOp::Negate && *plain <= KernelOp::Truncate ? 1
                               : *plain == KernelOp::Not                                    ? 1
                                                                                            : 2;
    if (operands.size() != wanted)
        return context.refuse(
            QStringLiteral("«%1» has %2 arguments, which is another operator than the one known here")
                .arg(node.op)
                .arg(operands.size()));
    const KernelOp meant = *plain == KernelOp::Add && type == ElementType::Bool ? KernelOp::Or : *plain;
    return context.kernel().add(meant, isComparison(*plain) || isTruthful ? ElementType::Bool : type,
                                operands);
}

} // namespace warpwright
