// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/codegen/kernel_source.h"
#include "agent/playbook/schedule/transposed_gather.h"

namespace warpwright {

/// A kernel whose tiles hold computed values (`transposed_gather`) as CUDA: each block computes them with its
/// threads along the input, a vector each, and stores results with its threads along the output.
[[nodiscard]] QString transposedGatherCudaText(const KernelSource &source, const TransposeTile &tiled);

} // namespace warpwright
