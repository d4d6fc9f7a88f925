// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/codegen/kernel_text.h"

/// Sorted rows as text.
namespace warpwright {

/// As CUDA: a bitonic network over a row, some entries of which each thread has in registers.
[[nodiscard]] QString sortCudaText(const ReferenceGraph &graph, const KernelPlan &plan,
                                   const FusedKernel &kernel, const KernelNames &names);
/// The same as C++: a thread takes a row.
[[nodiscard]] QString sortCpuText(const ReferenceGraph &graph, const KernelPlan &plan,
                                  const FusedKernel &kernel, const KernelNames &names);

/// Elements of a row that a thread has, the most promising number first: four at most.
[[nodiscard]] std::vector<int> sortedOfThread(const FusedKernel &kernel);

/// What elements are compared as: as they lie in memory, halves as floats.
[[nodiscard]] ElementType comparedType(const FusedKernel &kernel);
/// Bytes of what is compared on a GPU: an element as a whole number, and with it its place where that is
/// asked for or decides between equal ones.
[[nodiscard]] int bytesOfEntry(const FusedKernel &kernel);

/// "y = each row of scores + prior in order, from the largest on", a line for each result. `element`: what is
/// sorted.
[[nodiscard]] QStringList sortFormula(const FusedKernel &kernel, const KernelNames &names,
                                      const QString &element);

} // namespace warpwright
