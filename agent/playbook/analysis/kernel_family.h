// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/kernel.h"

namespace warpwright {

/// Which emitter a kernel is for.
enum class KernelFamily {
    Pointwise,
    Rows,    ///< sums over neighbours in memory
    Columns, ///< sums over elements that lie apart, with neighbours side by side
    Windows, ///< few elements a row, or a scan over far ones: one thread takes a row, its neighbours the next
             ///< ones
    Matmul,  ///< a library's matrix product
    Convolution,
    Attention,
    ScatteredRows,
    SortedRows,
};
[[nodiscard]] KernelFamily familyOf(const Kernel &kernel);
/// Neighbouring rows read neighbouring memory: sums of many of them can be formed side by side.
[[nodiscard]] bool hasNearRows(const Kernel &kernel);

} // namespace warpwright
