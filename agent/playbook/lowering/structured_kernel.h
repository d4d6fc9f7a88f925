// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/kernel.h"
#include "agent/playbook/ir/tensor_layout.h"

#include <optional>
#include <vector>

namespace warpwright {

/// A structured op as a kernel, or the node that has to be materialized first.
struct StructuredKernel {
    std::optional<Kernel> kernel; ///< its stores have no buffer yet
    std::vector<int> results;     ///< nodes that it computes, a store each; none: the requested one
    TensorLayout layout;          ///< of each result
    int prerequisite = -1;        ///< the node to materialize
    std::optional<TensorLayout> preferredLayout; ///< of the prerequisite; none: row-major
    bool isCopy = false;                         ///< it is in memory already, and needed in another layout
    QString unsupported;                         ///< neither is possible, because …
};

} // namespace warpwright
