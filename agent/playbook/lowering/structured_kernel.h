// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/buffer_layout.h"
#include "agent/playbook/ir/fused_kernel.h"

#include <optional>
#include <vector>

namespace warpwright {

/// A node that a library computes, as a kernel; or the node that has to be in memory first.
struct AnchorKernel {
    std::optional<FusedKernel> kernel; ///< its stores have no buffer yet: one, for what is asked for, but for
    std::vector<int> results;          ///< nodes that it makes together: a store each
    BufferLayout layout;               ///< of each result
    int before = -1;                   ///< to be computed by a kernel before, whole
    std::optional<BufferLayout> wished; ///< how it should lie; none: by rows
    bool isCopy = false;                ///< it lies in memory already, and is needed in another order
    QString cannot;                     ///< neither is possible, because …
};

} // namespace warpwright
