// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/opcode.h"
#include "agent/playbook/ir/reference_graph.h"

#include <optional>
#include <vector>

/// Properties of torch operators, by name.
namespace warpwright {

/// "max_pool2d" of "max_pool2d.default".
[[nodiscard]] QString opNameOf(const GraphNode &node);

/// The bitwise operation of that name, which may be a function or a method of Python; empty: there is none.
/// bitwise_not has no opcode.
[[nodiscard]] std::optional<Opcode> bitwiseOpcode(QString word);
/// Whether the name is a bitwise operator, of integers or booleans.
[[nodiscard]] bool isBitwise(const QString &word);

/// Pointwise operators without an opcode of their own: NodeLowering expands them.
[[nodiscard]] bool isSpecialPointwise(const QString &word);
/// Whether each element of its result depends only on those at the same index.
[[nodiscard]] bool isPointwise(const GraphNode &node);

/// Whether NodeLowering supports the operator as a reduction.
[[nodiscard]] bool isKnownReduction(const GraphNode &node);
/// The dimensions that a reduction is over, ascending.
[[nodiscard]] std::vector<std::size_t> reducedDimensions(const ReferenceGraph &graph, const GraphNode &node);

} // namespace warpwright
