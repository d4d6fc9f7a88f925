// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/kernel.h"

#include <optional>
#include <set>

namespace warpwright {

/// A row's sum and, in the next loop, its squares around the mean, as norms have them. Each block of a
/// cluster centres that loop on its own part's mean, so they synchronize once instead of twice.
struct RowMoments {
    int sum = -1;     ///< the step that is the row's sum
    int mean = -1;    ///< that divided by the row's length
    int squares = -1; ///< the step that is the sum of squares
    std::set<int>
        centred; ///< steps relative to the mean: if kept in registers, they are relative to a part's mean

    bool operator==(const RowMoments &) const = default;
};

/// Whether the step is that sum divided by the row's length.
[[nodiscard]] bool isMeanOf(const Kernel &kernel, const KernelStep &step, int sum);
/// Empty if the second loop computes or stores anything else.
[[nodiscard]] std::optional<RowMoments> rowMomentsOf(const Kernel &kernel);

} // namespace warpwright
