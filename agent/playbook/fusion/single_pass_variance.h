// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/kernel.h"

#include <optional>

namespace warpwright {

/// Replaces a second loop over a row, which sums squared deviations from the row's mean in float, by one
/// loop: sums of the elements and of their squares in double; the mean's share of the squares is subtracted
/// at the end. A mean a million times the deviation takes 40 of the 53 bits. For rows that would be read
/// twice. Empty: there is no such loop, or other reductions need the first one.
[[nodiscard]] std::optional<Kernel> withSinglePassVariance(const Kernel &kernel);

} // namespace warpwright
