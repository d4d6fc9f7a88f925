// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/codegen/kernel_names.h"

#include <set>

/// The epilogue and the stores of a depthwise convolution on a GPU.
namespace warpwright {

/// Whether all unconditional stores can be vectorized by four where a thread's first result is a multiple of
/// four. `kernel`: a depthwise convolution; its first store is unconditional.
[[nodiscard]] bool storesVectors(const Kernel &kernel);
/// Whether a store of every second element writes two of such four at once.
[[nodiscard]] bool storesPairs(const Kernel &kernel);

/// The loops over the results of a thread, `sum[j][i]`, which are stored at `out`, the address of the first
/// one. `isDirect`: its first row and column are `row` and `column`; else these are relative to the block's,
/// `firstRow` and `firstColumn`. `functions`: receives the helper functions that it calls.
[[nodiscard]] QString depthwiseStores(const Kernel &kernel, const KernelNames &names, bool isDirect,
                                      bool isVectorized, std::set<QString> &functions);

} // namespace warpwright
