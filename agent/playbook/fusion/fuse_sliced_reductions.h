// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/kernel.h"

#include <optional>

namespace warpwright {

/// Sums over slices of the same memory as one kernel: an image's differences along its rows and along its
/// columns, the values and the slopes of a signal. Its loops go over the largest index space once, and each
/// sum takes in its elements where its own slice has them; neighbours are in the caches. Empty: the two have
/// no such space in common. finish() is done; whether it is better, the caller says.
[[nodiscard]] std::optional<Kernel> fuseSlicedReductions(const Kernel &first, const Kernel &second);

} // namespace warpwright
