// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/opcode.h"
#include "agent/playbook/ir/reference_graph.h"

#include <optional>
#include <vector>

/// What an operator of torch's is, by its name.
namespace warpwright {

/// "max_pool2d" of "max_pool2d.default".
[[nodiscard]] QString opNameOf(const GraphNode &node);

/// The operation on bits that the word names, spelled as a function or as a method of Python's; empty: it is
/// none, or bitwise_not, which no step is.
[[nodiscard]] std::optional<Opcode> bitwiseOpcode(QString word);
/// Whether the word is one of operators on bits: of whole numbers, or of truths.
[[nodiscard]] bool isBitwise(const QString &word);

/// Pointwise operators that are no one word here: NodeLowering says what each is.
[[nodiscard]] bool isSpecialPointwise(const QString &word);
/// Whether each element of its result is made of those at the same place.
[[nodiscard]] bool isPointwise(const GraphNode &node);

/// Whether the operator is one of the reductions that NodeLowering knows.
[[nodiscard]] bool isKnownReduction(const GraphNode &node);
/// What a reduction goes over: dimensions in rising order.
[[nodiscard]] std::vector<std::size_t> reducedDimensions(const ReferenceGraph &graph, const GraphNode &node);

} // namespace warpwright
