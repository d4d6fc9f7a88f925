// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/codegen/kernel_names.h"

namespace warpwright {

/// Scattered rows as CUDA; sums by an atomic addition for each element, which the memory's own units do.
[[nodiscard]] QString scatterCudaText(const ReferenceGraph &graph, const Program &program,
                                      const Kernel &kernel, const KernelNames &names);
/// The same as C++: each thread has rows of the result for its own.
[[nodiscard]] QString scatterCpuText(const ReferenceGraph &graph, const Program &program,
                                     const Kernel &kernel, const KernelNames &names);

/// For a kernel without an anchor whose rows are scattered as they come. On a GPU: what its threads call,
/// each for a pack of `width` or for one element; the lines that do it, at these counters; and what the
/// launcher does before.
[[nodiscard]] QString scatterFunctions(const Kernel &kernel, int width);
[[nodiscard]] QStringList scatterLines(const Kernel &kernel, const KernelNames &names, const QString &row,
                                       const QString &column, const QString &value);
[[nodiscard]] QString scatterBegin(const Kernel &kernel, const KernelNames &names);
/// Its twin: `rowsText` makes the rows, which are scattered then.
[[nodiscard]] QString scatteredCpuText(const QString &rowsText, const ReferenceGraph &graph,
                                       const Program &program, const Kernel &kernel,
                                       const KernelNames &names);

} // namespace warpwright
