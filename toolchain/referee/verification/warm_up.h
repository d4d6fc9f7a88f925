// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "referee/base/channel.h"
#include "referee/device/shared_memory.h"

#include <thread>

namespace warpwright {

/// Uses the operations of the judge's comparisons once, on small tensors, in a thread of its own while
/// workers start: a CUDA device loads a kernel when it is first used, and for all of them that takes longer
/// than what they have to do.
class WarmUp {
public:
    /// `outputs`: the tree of the results that are going to be compared. On a CPU there is nothing to load.
    WarmUp(MemoryKind memory, const Json &outputs);

    /// Waits for its end, as the destructor does. What failed in it fails again where it matters.
    void wait();

private:
    std::jthread m_thread;
};

} // namespace warpwright
