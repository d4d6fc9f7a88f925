// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/codegen/kernel_source.h"

namespace warpwright {

/// Scattered rows as CUDA; sums by an atomic addition per element, done by the units beside L2.
[[nodiscard]] QString scatterCudaText(const KernelSource &source);
/// The same as C++: each thread owns rows of the result.
[[nodiscard]] QString scatterCpuText(const KernelSource &source);

/// Its configs: threads per block.
[[nodiscard]] std::vector<int> scatterThreads();

/// For a loop nest whose rows are scattered as they are computed. On a GPU: the functions that its threads
/// call, per vector of `width` or per element; the lines that call them, at these counters; and the
/// initialization in the launcher.
[[nodiscard]] QString scatterFunctions(const Kernel &kernel, int width);
[[nodiscard]] QStringList scatterLines(const Kernel &kernel, const KernelNames &names, const QString &row,
                                       const QString &column, const QString &value);
[[nodiscard]] QString scatterInitialization(const Kernel &kernel, const KernelNames &names);
/// Its CPU twin: `rowsText` computes the rows, which are scattered then.
[[nodiscard]] QString scatteredCpuText(const QString &rowsText, const KernelSource &source);

} // namespace warpwright
