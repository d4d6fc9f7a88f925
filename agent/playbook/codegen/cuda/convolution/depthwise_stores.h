// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/codegen/kernel_names.h"

#include <set>

/// What a thread of a depthwise convolution on a GPU makes of its sums, and where that goes.
namespace warpwright {

/// Whether neighbours of all that is stored everywhere can be written four at a time, where threads begin at
/// every fourth result. `kernel`: of Anchor::Convolution, depthwise; the first of its stores is everywhere.
[[nodiscard]] bool storesVectors(const Kernel &kernel);
/// Whether two of such four neighbours are written together, where every second one is.
[[nodiscard]] bool storesPairs(const Kernel &kernel);

/// The loops over the results of a thread, `sum[j][i]`, which end up at `out`: the address of its first one.
/// `isDirect`: its first row and column are `row` and `column`; else these count from a block's, `firstRow`
/// and `firstColumn`. `functions`: filled with those of ours that it calls.
[[nodiscard]] QString depthwiseStores(const Kernel &kernel, const KernelNames &names, bool isDirect,
                                      bool isVectorized, std::set<QString> &functions);

} // namespace warpwright
