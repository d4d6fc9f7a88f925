// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/reference_graph.h"

namespace warpwright {

/// Residual streams: sums of a matmul, with its bias if it has one, and a tensor of the same shape, which
/// several nodes read in full. In the matmul's epilogue they cost no pass over memory; recomputed by each
/// consumer, one behind many layers would read the results of all of them. In the order of computation.
/// `mayFuseMatmulSum`: leaves sums of two matmuls to their consumers, for a kernel of ours computes them
/// (fuse_matmuls).
[[nodiscard]] std::vector<int> materializedResiduals(const ReferenceGraph &graph, bool mayFuseMatmulSum);

} // namespace warpwright
