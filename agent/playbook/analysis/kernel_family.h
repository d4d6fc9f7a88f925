// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/kernel.h"

namespace warpwright {

/// How a kernel maps to threads, which decides its emitter.
enum class KernelFamily {
    Pointwise,
    Rows,    ///< reductions over contiguous elements
    Columns, ///< reductions over strided elements, with contiguous rows side by side
    Windows, ///< a row per thread, neighbouring rows in neighbouring threads: short rows, or strided scans
    Matmul,  ///< a library's matmul
    Convolution,
    Attention,
    ScatteredRows,
    SortedRows,
};
[[nodiscard]] KernelFamily familyOf(const Kernel &kernel);
/// Whether neighbouring rows read neighbouring memory, so that a thread per row coalesces.
[[nodiscard]] bool hasCoalescedRows(const Kernel &kernel);

} // namespace warpwright
