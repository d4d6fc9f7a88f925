// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/affine_map.h"

#include <variant>

/// The result of lowering a node into a kernel with given loops: its step, or an obstacle.
namespace warpwright {

/// The node is this step of the kernel.
struct Lowered {
    int step = -1;
};

/// A loop has to be reversed.
struct FlipLoop {
    int loop = -1;
    int scan = -1; ///< the node that needs it
};

/// A reduction needs inner loops, and there are none yet.
struct NeedsInnerLoops {
    int node = -1;
    Shape reduced;             ///< sizes of its domain
    std::vector<int> repeated; ///< loops that it does not depend on
};

/// A node has to be materialized by an earlier kernel.
struct NeedsBuffer {
    int node = -1;
};

/// No other loops would help.
struct Unsupported {
    QString why;
};

/// Why a node cannot be lowered into the loops of a kernel.
using Obstacle = std::variant<LoopSplit, FlipLoop, NeedsInnerLoops, NeedsBuffer, Unsupported>;
using LoweringResult = std::variant<Lowered, LoopSplit, FlipLoop, NeedsInnerLoops, NeedsBuffer, Unsupported>;

/// -1: there is an obstacle.
[[nodiscard]] inline int stepOf(const LoweringResult &result) {
    const auto *lowered = std::get_if<Lowered>(&result);
    return lowered == nullptr ? -1 : lowered->step;
}

} // namespace warpwright
