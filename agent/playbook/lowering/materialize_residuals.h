// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/reference_graph.h"

namespace warpwright {

/// Sums of a product, with its bias if it has one, and of something of the same shape, that several others
/// read as a whole: the stream that goes past the layers of a network. Made by the product's epilogue they
/// cost no pass over memory; made by each reader anew, a reader behind many layers would read the results of
/// all of them. In the order in which they are computed. `mayFuseMatmulSum`: a sum of two products is left to
/// their readers, for a kernel of ours forms it (joined_products).
[[nodiscard]] std::vector<int> materializedResiduals(const ReferenceGraph &graph, bool mayFuseMatmulSum);

} // namespace warpwright
