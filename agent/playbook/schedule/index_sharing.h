// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/kernel.h"

#include <optional>
#include <vector>

namespace warpwright {

/// A pointwise kernel most of whose work is invariant along one of its outer loops, as where an image is
/// sampled at computed positions, the same for all channels. Returns the kernel with a part of that loop
/// innermost: a thread computes the shared indices once for a row. Empty: no such loop, or too few threads
/// would remain.
[[nodiscard]] std::optional<Kernel> withSharedIndices(const Kernel &kernel);

/// By step: whether it differs along a loop of the kernel.
[[nodiscard]] std::vector<bool> differsAlong(const Kernel &kernel, std::size_t loop);

} // namespace warpwright
