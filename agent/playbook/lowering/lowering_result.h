// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/affine_map.h"

#include <variant>

/// What comes of lowering a node into a kernel whose loops are given: the value, or what is in the way.
namespace warpwright {

/// The node is this step of the kernel.
struct Lowered {
    int step = -1;
};

/// A loop has to run the other way, from its last counter to its first.
struct FlipLoop {
    int loop = -1;
    int scan = -1; ///< the node that asks for it
};

/// A reduction was met where the loops have no rows yet.
struct NeedsRows {
    int node = -1;
    Shape reduced;             ///< sizes of what it goes over
    std::vector<int> repeated; ///< loops that it does not depend on
};

/// A node has to be in memory first: a kernel before this one computes it.
struct NeedsBuffer {
    int node = -1;
};

/// No loops would do.
struct Unsupported {
    QString why;
};

/// Why a node does not fit into the kernel as its loops are.
using Obstacle = std::variant<LoopSplit, FlipLoop, NeedsRows, NeedsBuffer, Unsupported>;
using LoweringResult = std::variant<Lowered, LoopSplit, FlipLoop, NeedsRows, NeedsBuffer, Unsupported>;

/// -1: something is in the way.
[[nodiscard]] inline int stepOf(const LoweringResult &result) {
    const auto *lowered = std::get_if<Lowered>(&result);
    return lowered == nullptr ? -1 : lowered->step;
}

/// One function out of one for each alternative, for std::visit: it does not compile if one is missing.
template <typename... Cases>
struct Overloaded : Cases... {
    using Cases::operator()...;
};
template <typename... Cases>
Overloaded(Cases...) -> Overloaded<Cases...>;

} // namespace warpwright
