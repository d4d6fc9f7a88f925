// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/lowering/structured_kernel.h"

namespace warpwright {

/// Whether the operator writes rows to those of a matrix that a list of places names, or adds them there:
/// what the reader makes of all that is scattered (resources/playbook/apart.py), where it is too much to be
/// compared.
[[nodiscard]] bool isRowScatter(const ReferenceGraph &graph, const GraphNode &node);

/// The same as a kernel, of operands that lie in `known` memory by rows.
[[nodiscard]] StructuredKernel scatterKernel(const ReferenceGraph &graph, const KnownBuffers &known,
                                             int node);

} // namespace warpwright
