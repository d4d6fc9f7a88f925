// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/lowering/promoted_type.h"

#include <cmath>

namespace warpwright {

ElementType promotedType(const ReferenceGraph &graph, const GraphNode &node) {
    ElementType widest = ElementType::Bool;
    bool isFractional = false;
    for (const GraphArgument &argument : node.arguments) {
        if (argument.kind == GraphArgument::Kind::Number)
            isFractional = isFractional || argument.number != std::floor(argument.number);
        if (argument.kind != GraphArgument::Kind::Node)
            continue;
        const ElementType type = computeType(graph.nodes[static_cast<std::size_t>(argument.node)].type);
        if (widest == ElementType::Bool || (isFloating(type) && !isFloating(widest)) ||
            type == ElementType::Float64)
            widest = type;
    }
    return isFractional && !isFloating(widest) ? ElementType::Float32 : widest;
}

} // namespace warpwright
