// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/reference_graph.h"

namespace warpwright {

/// A matmul of few rows with a matrix that is computed from fewer bytes (such as 8-bit weights) becomes
/// GEMVs: a GEMV is a kernel of ours, which unpacks the weights as it reads them, and one kernel takes all
/// rows. A library would need the unpacked matrix written and read again for a handful of multiplications per
/// element.
[[nodiscard]] ReferenceGraph withGemvsFromPackedWeights(const ReferenceGraph &graph);

} // namespace warpwright
