// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/kernel_text.h"
#include "agent/playbook/kernel_tuning.h"

#include <optional>

namespace warpwright {

/// Windows that lie below each other and have rows of elements in common: what is read depends on a window's
/// place and an element's place in it by one sum alone.
struct SlidingWindows {
    std::size_t down = 0;    ///< the outer loop over such windows
    std::size_t slice = 0;   ///< the inner one over the rows of a window
    std::int64_t step = 1;   ///< rows from a window to the next
    std::int64_t atOnce = 1; ///< windows of a thread

    [[nodiscard]] std::int64_t slices(const FusedKernel &kernel) const; ///< rows of all these together
    bool operator==(const SlidingWindows &) const = default;
};

/// Empty: none of its loops slides so far that it pays.
[[nodiscard]] std::optional<SlidingWindows> slidingWindowsOf(const FusedKernel &kernel);

/// Whether its threads take windows below each other, and not side by side in packs.
[[nodiscard]] bool slidesDown(const FusedKernel &kernel, const KernelTuning &tuning);

[[nodiscard]] QString slidingWindowsCudaText(const ReferenceGraph &graph, const KernelPlan &plan,
                                             const FusedKernel &kernel, const KernelNames &names,
                                             const KernelTuning &tuning);

} // namespace warpwright
