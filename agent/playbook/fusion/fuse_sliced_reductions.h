// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/kernel.h"

#include <optional>

namespace warpwright {

/// Fuses sum reductions over slices of the same memory: differences along an image's rows and columns, the
/// values and slopes of a signal. Its loops cover the union of the slices once, and each sum takes only the
/// elements of its own slice; neighbours come from the caches. Empty: there is no such common space. finish()
/// is called; the caller decides whether it is better.
[[nodiscard]] std::optional<Kernel> fuseSlicedReductions(const Kernel &first, const Kernel &second);

} // namespace warpwright
