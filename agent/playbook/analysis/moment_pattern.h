// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/kernel.h"

#include <optional>
#include <set>

namespace warpwright {

/// A row's sum and, in the loop after it, the squares around the row's mean: what norms are made of. The
/// blocks of a cluster take their own part's mean for the second loop, and meet once instead of twice.
struct RowMoments {
    int sum = -1;     ///< the step that is the row's sum
    int mean = -1;    ///< that divided by the row's length
    int squares = -1; ///< the step that is the sum of squares
    std::set<int>
        centred; ///< steps of elements that are about the mean: what is kept of them would be about a part's

    bool operator==(const RowMoments &) const = default;
};

/// Whether the step is that sum divided by the row's length.
[[nodiscard]] bool isMeanOf(const Kernel &kernel, const KernelStep &step, int sum);
/// Nothing where the second loop does anything beside.
[[nodiscard]] std::optional<RowMoments> rowMomentsOf(const Kernel &kernel);

} // namespace warpwright
