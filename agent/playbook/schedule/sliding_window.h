// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/kernel.h"
#include "agent/playbook/schedule/knobs.h"

#include <optional>
#include <set>

namespace warpwright {

/// Windows below each other that share rows of elements: an address depends on a window's position and an
/// element's position in it by one sum alone.
struct SlidingWindow {
    std::size_t down = 0;    ///< the outer loop over such windows
    std::size_t slice = 0;   ///< the inner one over the rows of a window
    std::int64_t step = 1;   ///< rows from a window to the next
    std::int64_t atOnce = 1; ///< windows per thread, below each other

    /// Of a thread that also takes adjacent windows, along the last outer loop, and loads vectors of their
    /// common rows.
    int adjacent = 1;
    std::optional<std::size_t> along; ///< the inner loop over a window's columns; none: it has one
    std::int64_t adjacentStep = 1;    ///< columns from a window to the next
    bool hasManyRegisters = false;    ///< per thread: its loads are in flight together
    /// 16-bit extremes: two adjacent windows by one instruction, as nothing is computed before.
    std::optional<ElementType> pairs;

    [[nodiscard]] std::int64_t slices(const Kernel &kernel) const; ///< rows of all these together
    /// Columns of the windows side by side, and of one of them.
    [[nodiscard]] std::int64_t columns(const Kernel &kernel) const;
    [[nodiscard]] std::int64_t wide(const Kernel &kernel) const;
    bool operator==(const SlidingWindow &) const = default;
};

/// Empty: no loop slides so far that it pays.
[[nodiscard]] std::optional<SlidingWindow> slidingWindowOf(const Kernel &kernel);

/// The same with adjacent windows. Empty: these cannot be loaded in vectors, or would leave too few threads.
[[nodiscard]] std::optional<SlidingWindow> adjacentWindows(const Kernel &kernel);

/// Whether its threads take windows below each other rather than vectors of rows.
[[nodiscard]] bool usesSlidingWindow(const Kernel &kernel, const Knobs &knobs);

/// Memory vectors that cover the columns of a row.
struct RowVectors {
    int width = 1;         ///< elements of each
    std::int64_t lead = 0; ///< elements of the first vector before the first column
    std::int64_t count = 1;

    bool operator==(const RowVectors &) const = default;
};
/// Empty: it is loaded by elements, or its condition differs within a vector.
[[nodiscard]] std::optional<RowVectors> vectorsOfLoad(const Kernel &kernel, const SlidingWindow &windows,
                                                      const KernelStep &load);

/// Whether windows that are adjacent along this loop are aligned vectors at the address.
[[nodiscard]] bool isAdjacentVector(const SlidingWindow &windows, std::size_t adjacentLoop,
                                    const AffineExpr &address);

/// Steps whose value differs along an outer loop, all reductions among them.
[[nodiscard]] std::set<int> stepsVaryingAlong(const Kernel &kernel, std::size_t loop);

} // namespace warpwright
