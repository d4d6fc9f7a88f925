// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/codegen/kernel_text.h"

namespace warpwright {

/// Whether a product is one of a tall matrix with a small one: so few multiplications an element that a GPU's
/// memory decides, and a library's tiles would stand mostly empty. The plan is the same as for a library.
[[nodiscard]] bool isSmallProduct(const FusedKernel &kernel);
/// Whether it goes on with its sums: what a reader made of each is part of it.
[[nodiscard]] bool isFinishedProduct(const FusedKernel &kernel);
/// Whether such a product can.
[[nodiscard]] bool canBeFinishedSmallProduct(const FusedKernel &kernel);
/// The same, of {rows of the tall matrix, elements of a sum, columns}, in bytes an element.
[[nodiscard]] bool isSmallProduct(const Shape &sizes, int bytes);
/// Rows that one thread may make: the launcher's choices.
[[nodiscard]] std::vector<int> smallProductRows(const FusedKernel &kernel);

/// Such a product as one kernel of ours. `kernel`: of Anchor::Product.
[[nodiscard]] QString smallProductCudaText(const ReferenceGraph &graph, const KernelPlan &plan,
                                           const FusedKernel &kernel, const KernelNames &names);

} // namespace warpwright
