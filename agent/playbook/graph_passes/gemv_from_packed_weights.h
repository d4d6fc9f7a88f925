// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/reference_graph.h"

namespace warpwright {

/// A product of few rows with a matrix that is computed from fewer bytes than it has, as weights of a byte
/// are, row by row: a product of one row is a kernel of ours, which reads those bytes, and one kernel takes
/// all rows. A library would have to find the matrix in memory, written and read again for a handful of
/// multiplications an element.
[[nodiscard]] ReferenceGraph withGemvsFromPackedWeights(const ReferenceGraph &graph);

} // namespace warpwright
