// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/codegen/kernel_text.h"
#include "agent/playbook/schedule/turned_values.h"

namespace warpwright {

/// A kernel of `transpose_tile` as CUDA: each block brings a tile into shared memory with its threads along
/// what is read, and computes it with its threads along what is written.
[[nodiscard]] QString tiledCudaText(const ReferenceGraph &graph, const KernelPlan &plan,
                                    const FusedKernel &kernel, const KernelNames &names,
                                    const TiledLoops &tiled);

} // namespace warpwright
