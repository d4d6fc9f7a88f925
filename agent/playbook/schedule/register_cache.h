// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/schedule/thread_mapping.h"

#include <set>

namespace warpwright {

/// Load steps of a cached row of 16-bit floats that stay as loaded: two per register, so more blocks fit.
/// None where other values would be cached as well, and in clusters, which have few blocks anyway. `width`:
/// elements of a vector.
[[nodiscard]] std::set<int> cachedAsLoaded(const Kernel &kernel, const ThreadMapping &mapping, int width);

/// Half registers for what a thread caches of each element of its row.
[[nodiscard]] int cachedHalves(const Kernel &kernel, const ThreadMapping &mapping, int width);

} // namespace warpwright
