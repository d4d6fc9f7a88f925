// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/codegen/kernel_names.h"
#include "agent/playbook/schedule/transposed_gather.h"

namespace warpwright {

/// A kernel of `transpose_tile` as CUDA: each block brings a tile into shared memory with its threads along
/// what is read, and computes it with its threads along what is written.
[[nodiscard]] QString transposeTileCudaText(const ReferenceGraph &graph, const Program &program,
                                            const Kernel &kernel, const KernelNames &names,
                                            const TransposeTile &tiled);

} // namespace warpwright
