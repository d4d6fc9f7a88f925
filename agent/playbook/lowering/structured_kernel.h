// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/kernel.h"
#include "agent/playbook/ir/tensor_layout.h"

#include <optional>
#include <vector>

namespace warpwright {

/// A node that a library computes, as a kernel; or the node that has to be in memory first.
struct StructuredKernel {
    std::optional<Kernel> kernel; ///< its stores have no buffer yet: one, for what is asked for, but for
    std::vector<int> results;     ///< nodes that it makes together: a store each
    TensorLayout layout;          ///< of each result
    int prerequisite = -1;        ///< to be computed by a kernel before, whole
    std::optional<TensorLayout> preferredLayout; ///< how it should lie; none: by rows
    bool isCopy = false; ///< it lies in memory already, and is needed in another order
    QString unsupported; ///< neither is possible, because …
};

} // namespace warpwright
