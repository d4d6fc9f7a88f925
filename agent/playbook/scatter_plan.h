// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/product_plan.h"

namespace warpwright {

/// Whether the operator adds rows to those of a matrix that a list of places names: what the reader makes of
/// all sums that are scattered (resources/playbook/apart.py), where they are too many to be compared.
[[nodiscard]] bool isScatteredSum(const ReferenceGraph &graph, const GraphNode &node);

/// The same as a kernel, of operands that lie in `known` memory by rows.
[[nodiscard]] AnchorKernel scatterKernel(const ReferenceGraph &graph, const KnownBuffers &known, int node);

} // namespace warpwright
