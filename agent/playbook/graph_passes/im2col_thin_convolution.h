// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/reference_graph.h"

namespace warpwright {

/// A convolution whose results are sums of few elements, such as the first one of a signal, as a matmul of
/// its filters and its windows (im2col): convolution libraries sum over channels, of which there is one, so
/// tensor cores would be mostly idle. The windows are a copy, small beside the result. Only if results are
/// many: the matmul is then a kernel of ours with a fused epilogue.
[[nodiscard]] ReferenceGraph withIm2colThinConvolutions(const ReferenceGraph &graph);

} // namespace warpwright
