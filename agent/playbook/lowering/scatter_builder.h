// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/lowering/structured_kernel.h"

namespace warpwright {

/// Whether the operator puts or adds rows to the rows of a matrix at given indices: the form of all scatters
/// that the reader does not decompose into comparisons (resources/playbook/decompositions.py).
[[nodiscard]] bool isRowScatter(const ReferenceGraph &graph, const GraphNode &node);

/// Its kernel, for row-major operands in `known` memory.
[[nodiscard]] StructuredKernel scatterKernel(const ReferenceGraph &graph, const KnownBuffers &known,
                                             int node);

} // namespace warpwright
