// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/codegen/kernel_text.h"
#include "agent/playbook/schedule/turned_values.h"

namespace warpwright {

/// A kernel whose tiles hold values (`turned_values`) as CUDA: each block computes them with its threads
/// along what is read, a pack for each, and writes results with its threads along these.
[[nodiscard]] QString turnedCudaText(const ReferenceGraph &graph, const KernelPlan &plan,
                                     const FusedKernel &kernel, const KernelNames &names,
                                     const TiledLoops &tiled);

} // namespace warpwright
