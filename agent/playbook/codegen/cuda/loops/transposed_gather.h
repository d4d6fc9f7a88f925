// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/codegen/kernel_names.h"
#include "agent/playbook/schedule/transposed_gather.h"

namespace warpwright {

/// A kernel whose tiles hold values (`turned_values`) as CUDA: each block computes them with its threads
/// along what is read, a pack for each, and writes results with its threads along these.
[[nodiscard]] QString transposedGatherCudaText(const ReferenceGraph &graph, const Program &program,
                                               const Kernel &kernel, const KernelNames &names,
                                               const TransposeTile &tiled);

} // namespace warpwright
