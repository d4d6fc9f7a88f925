// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/lowering/lower_pointwise.h"

#include "agent/playbook/lowering/lower_special_pointwise.h"
#include "agent/playbook/lowering/promoted_type.h"

namespace warpwright {

int lowerPointwise(LoweringContext &context, const NodeAt &at) {
    const GraphNode &node = at.node;
    const ElementType type = computeType(node.type);
    const auto plain = opcodeFromName(node.op);
    const bool isScaled =
        node.argument(-1, "alpha") != nullptr || node.argument(-1, "rounding_mode") != nullptr;
    if (!plain || isScaled || node.op.endsWith(QLatin1String("_")))
        return lowerSpecialPointwise(context, node, at.map);
    const bool isLogical = *plain == Opcode::And || *plain == Opcode::Or || *plain == Opcode::Not;
    const ElementType operandType = isComparison(*plain) ? promotedType(context.graph(), node)
                                    : isLogical          ? ElementType::Bool
                                                         : type;
    std::vector<int> operands;
    for (std::size_t i = 0; i < node.arguments.size(); ++i) {
        const bool isCondition = *plain == Opcode::Select && i == 0;
        const int step =
            context.operand(node, node.arguments[i], at.map, isCondition ? ElementType::Bool : operandType);
        if (step < 0)
            return step;
        operands.push_back(step);
    }
    const std::size_t operandCount = *plain == Opcode::Select                              ? 3
                                     : *plain >= Opcode::Negate && *plain <= Opcode::Trunc ? 1
                                     : *plain == Opcode::Not                               ? 1
                                                                                           : 2;
    if (operands.size() != operandCount)
        return context.refuse(
            QStringLiteral("«%1» has %2 arguments, which is not the operator that is supported here")
                .arg(node.op)
                .arg(operands.size()));
    const Opcode meant = *plain == Opcode::Add && type == ElementType::Bool ? Opcode::Or : *plain;
    return context.kernel().add(meant, isComparison(*plain) || isLogical ? ElementType::Bool : type,
                                operands);
}

} // namespace warpwright
