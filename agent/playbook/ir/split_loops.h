// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/affine_map.h"

namespace warpwright {

/// Loops, each over one part of an operator's index space: the rows of a matmul, say. split() turns one into
/// two of the same part, as views require. `Part`: an enum that counts from 0.
template <typename Part>
struct SplitLoops {
    Shape loops;
    std::vector<Part> parts;
    AffineMap indices; ///< by part: its index by the loops

    /// One loop for each part.
    SplitLoops(const Shape &sizes, std::vector<Part> ofEach)
        : loops(sizes), parts(std::move(ofEach)), indices(identityMap(sizes.size(), sizes.size())) {}

    [[nodiscard]] const AffineExpr &of(Part part) const { return indices[static_cast<std::size_t>(part)]; }

    void split(const LoopSplit &asked) {
        const auto k = static_cast<std::size_t>(asked.loop);
        const auto after = static_cast<std::ptrdiff_t>(k) + 1;
        loops[k] /= asked.inner;
        loops.insert(loops.begin() + after, asked.inner);
        parts.insert(parts.begin() + after, parts[k]);
        for (AffineExpr &index : indices) {
            const std::int64_t step = index.steps[k];
            index.steps[k] = step * asked.inner;
            index.steps.insert(index.steps.begin() + after, step);
        }
    }
};

} // namespace warpwright
