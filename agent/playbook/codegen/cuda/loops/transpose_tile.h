// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/codegen/kernel_source.h"

namespace warpwright {

/// A kernel of `transpose_tile` as CUDA: each block loads a tile into shared memory with its threads along
/// the input, and computes and stores it with its threads along the output.
[[nodiscard]] QString transposeTileCudaText(const KernelSource &source);

} // namespace warpwright
