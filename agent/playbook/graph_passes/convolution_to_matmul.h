// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/reference_graph.h"

namespace warpwright {

/// Rewrites convolutions that are matmuls as such: views, mm or bmm, and an added bias. Matmul planning then
/// applies, with its layouts, epilogues and accumulator types. These are convolutions whose windows do not
/// overlap, or transposed ones whose patches do not: one tap, or a stride as large as the filter.
///
/// Left as they are: those where a convolution library moves fewer bytes, through its epilogue or because the
/// matmul's operands would have to be permuted first. With `areChannelsLast`, all that can be NHWC: there a
/// convolution is an implicit GEMM already, and its neighbours have the same layout.
[[nodiscard]] ReferenceGraph withConvolutionsAsMatmuls(const ReferenceGraph &graph,
                                                       bool areChannelsLast = false);

} // namespace warpwright
