// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/kernel.h"
#include "agent/playbook/schedule/attention_loops.h"
#include "agent/playbook/schedule/knobs.h"

/// How attention is cut for a GPU: the parameter space of attention_cuda.
namespace warpwright {

/// What a block of threads takes.
struct AttentionTiling {
    int warps = 4;
    int tiles =
        1; ///< of 16 queries, that a warp has in registers: each key that is fetched serves all of them
    int keys = 64; ///< at once
    /// For tiles of keys and values in shared memory: of two one is used while the other one comes; of one
    /// the keys come while the softmax runs, and the values during the next scores. Then more blocks fit
    /// beside each other.
    int stages = 2;

    [[nodiscard]] int rows() const { return warps * tiles * 16; }
    bool operator==(const AttentionTiling &) const = default;
};

/// `isWarpGroup`: four warps multiply together.
[[nodiscard]] AttentionWidths paddedWidths(const Kernel &kernel, bool isWarpGroup);

/// The one that promises most first. `kernel`: of Anchor::Attention.
[[nodiscard]] std::vector<AttentionTiling> attentionTilings(const Kernel &kernel, bool isWarpGroup);

/// Whether four warps can multiply together (compute capability 9.0): 16 bits an element, and little to fill
/// up.
[[nodiscard]] bool canTakeWarpGroups(const Kernel &kernel);
/// Whether they do.
[[nodiscard]] bool takesWarpGroups(const Kernel &kernel, const Knobs &knobs);

} // namespace warpwright
