// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/kernel.h"

#include <optional>

namespace warpwright {

/// A kernel whose second loop over a row sums squares around the row's mean, of floats, with one loop: it
/// sums the elements and their squares in double, and what the mean's share of the squares is comes off at
/// the end. Of 53 bits a mean that is a million times the deviation takes 40. For rows that have to be read
/// twice otherwise. Empty: it has none, or other sums that have to wait.
[[nodiscard]] std::optional<Kernel> withSinglePassVariance(const Kernel &kernel);

} // namespace warpwright
