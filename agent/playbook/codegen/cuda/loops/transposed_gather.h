// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/codegen/kernel_names.h"
#include "agent/playbook/schedule/transposed_gather.h"

namespace warpwright {

/// A kernel whose tiles hold computed values (`transposed_gather`) as CUDA: each block computes them with its
/// threads along the input, a vector each, and stores results with its threads along the output.
[[nodiscard]] QString transposedGatherCudaText(const ReferenceGraph &graph, const Program &program,
                                               const Kernel &kernel, const KernelNames &names,
                                               const TransposeTile &tiled);

} // namespace warpwright
