// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/reference_graph.h"

namespace warpwright {

/// The graph with convolutions that are products of matrices written as such: views, mm or bmm, and the bias
/// as a sum. What plans products then plans these, with its layouts, epilogues and types of sums. They are
/// those whose results have each an own part of the image, or the other way round: one tap, or taps that step
/// as far as they reach.
///
/// Left as they are: those that a library of convolutions does in fewer bytes, for what it does beside it or
/// because the product's operands would have to be brought into an order of theirs first. And, where `images
/// lie with channels last`, all that can: there a convolution is a product already, and its neighbours lie
/// alike.
[[nodiscard]] ReferenceGraph withConvolutionsAsMatmuls(const ReferenceGraph &graph,
                                                       bool areChannelsLast = false);

} // namespace warpwright
