// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/reference_graph.h"

namespace warpwright {

/// A convolution whose results are sums of few elements, as the first of a signal is, as a product of its
/// filters and its windows: a library of convolutions sums over channels, of which there is one, and matrix
/// units have little to do. The windows are a copy, small beside the result. Only where these are many: a
/// kernel of ours makes them, and what is done to each.
[[nodiscard]] ReferenceGraph withIm2colThinConvolutions(const ReferenceGraph &graph);

} // namespace warpwright
