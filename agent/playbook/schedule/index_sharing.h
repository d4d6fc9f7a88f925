// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/kernel.h"

#include <optional>
#include <vector>

namespace warpwright {

/// A pointwise kernel most of whose work is the same along one of its outer loops, as where an image is
/// sampled at computed places: these are the same for all channels. The same kernel with a part of that loop
/// as its inner one: a thread works out what its row shares, and goes through the row. Empty: it is none, or
/// there would be too few threads.
[[nodiscard]] std::optional<Kernel> withSharedIndices(const Kernel &kernel);

/// By step: whether it differs along a loop of the kernel.
[[nodiscard]] std::vector<bool> differsAlong(const Kernel &kernel, std::size_t loop);

} // namespace warpwright
