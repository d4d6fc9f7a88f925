// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/kernel.h"
#include "agent/playbook/schedule/attention_loops.h"
#include "agent/playbook/schedule/knobs.h"

/// How attention is tiled for a GPU: the search space of attention_cuda.
namespace warpwright {

/// The tile of a thread block.
struct AttentionTiling {
    int warps = 4;
    int tiles = 1; ///< of 16 queries, in a warp's registers: each loaded key serves all of them
    int keys = 64; ///< of a tile
    /// Shared-memory buffers for tiles of keys and values. With two, one is used while the other is loaded;
    /// with one, keys are loaded during the softmax and values during the next scores, and more blocks fit on
    /// an SM.
    int stages = 2;

    [[nodiscard]] int rows() const { return warps * tiles * 16; }
    bool operator==(const AttentionTiling &) const = default;
};

/// `isWarpGroup`: with wgmma, four warps multiply together.
[[nodiscard]] AttentionWidths paddedWidths(const Kernel &kernel, bool isWarpGroup);

/// Best expected first. `kernel`: attention.
[[nodiscard]] std::vector<AttentionTiling> attentionTilings(const Kernel &kernel, bool isWarpGroup);
/// Queries per block of each tiling.
[[nodiscard]] std::vector<int> attentionConfigs(const Kernel &kernel, const Knobs &knobs);

/// Whether wgmma (compute capability 9.0) is possible: 16-bit elements, and little padding.
[[nodiscard]] bool canTakeWarpGroups(const Kernel &kernel);
/// Whether it is used.
[[nodiscard]] bool takesWarpGroups(const Kernel &kernel, const Knobs &knobs);

} // namespace warpwright
