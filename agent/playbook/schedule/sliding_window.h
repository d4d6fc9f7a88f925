// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/kernel.h"
#include "agent/playbook/schedule/knobs.h"

#include <optional>
#include <set>

namespace warpwright {

/// Windows that lie below each other and have rows of elements in common: what is read depends on a window's
/// place and an element's place in it by one sum alone.
struct SlidingWindow {
    std::size_t down = 0;    ///< the outer loop over such windows
    std::size_t slice = 0;   ///< the inner one over the rows of a window
    std::int64_t step = 1;   ///< rows from a window to the next
    std::int64_t atOnce = 1; ///< windows of a thread, below each other

    /// Of a thread that takes windows side by side as well, along the last outer loop, and loads packs of
    /// what their rows have in common.
    int adjacent = 1;
    std::optional<std::size_t> along; ///< the inner loop over the columns of a window; none: it has one
    std::int64_t adjacentStep = 1;    ///< columns from a window to the next
    bool hasManyRegisters = false;    ///< a thread: its loads are on their way together
    /// Extremes of 16 bits: two windows beside each other by one instruction, as nothing is computed before.
    std::optional<ElementType> pairs;

    [[nodiscard]] std::int64_t slices(const Kernel &kernel) const; ///< rows of all these together
    /// Columns of the windows side by side, and of one of them.
    [[nodiscard]] std::int64_t columns(const Kernel &kernel) const;
    [[nodiscard]] std::int64_t wide(const Kernel &kernel) const;
    bool operator==(const SlidingWindow &) const = default;
};

/// Empty: none of its loops slides so far that it pays.
[[nodiscard]] std::optional<SlidingWindow> slidingWindowOf(const Kernel &kernel);

/// The same with windows side by side. Empty: these cannot be loaded by packs, or would leave too few
/// threads.
[[nodiscard]] std::optional<SlidingWindow> adjacentWindows(const Kernel &kernel);

/// Whether its threads take windows below each other, and not side by side in packs.
[[nodiscard]] bool slidesDown(const Kernel &kernel, const Knobs &knobs);

/// Packs of memory in which the columns of a row lie.
struct RowVectors {
    int width = 1;         ///< elements of each
    std::int64_t lead = 0; ///< elements of the first one before the first column
    std::int64_t count = 1;

    bool operator==(const RowVectors &) const = default;
};
/// Empty: it is read element by element, or differs from column to column by more than its place.
[[nodiscard]] std::optional<RowVectors> vectorsOfLoad(const Kernel &kernel, const SlidingWindow &windows,
                                                      const KernelStep &load);

/// Whether windows beside each other, along this loop, are whole packs at the address.
[[nodiscard]] bool isAdjacentVector(const SlidingWindow &windows, std::size_t lane,
                                    const AffineExpr &address);

/// Steps whose value differs along an outer loop, that sums over its rows are made of among them.
[[nodiscard]] std::set<int> stepsAlong(const Kernel &kernel, std::size_t loop);

} // namespace warpwright
