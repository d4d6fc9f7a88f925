// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/schedule/thread_mapping.h"

#include <set>

namespace warpwright {

/// Load steps of halves of a row that is kept, whose packs stay as they come: a register for two, so more
/// blocks have room. None where something else would be kept beside them, and in clusters, which have few
/// blocks anyway. `width`: elements of a pack.
[[nodiscard]] std::set<int> cachedAsLoaded(const Kernel &kernel, const ThreadMapping &mapping, int width);

/// Registers for what a thread keeps of each element of its row, in halves of one.
[[nodiscard]] int cachedHalves(const Kernel &kernel, const ThreadMapping &mapping, int width);

} // namespace warpwright
