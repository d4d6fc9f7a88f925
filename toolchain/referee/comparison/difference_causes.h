// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "referee/comparison/comparison.h"

#include <string>

namespace warpwright {

/// What a difference looks like, in a sentence with a leading blank: denormal numbers taken for zeros, zeros
/// of the other sign, one factor or offset on all elements, or where alone it is. Empty where nothing of it
/// is plain, and for results too large to look at once more.
///
/// `comparison`: of these three, not within its bounds. Any strides, on one device.
std::string causeOf(const at::Tensor &candidate, const at::Tensor &reference, const at::Tensor &oracle,
                    const Comparison &comparison);

/// Whether the difference is small enough for denormal numbers, taken for zeros somewhere under way, to be
/// its cause; then `flushed`, the reference's result with zeros in their place, tells whether they are.
bool mayBeDenormals(const at::Tensor &candidate, const Comparison &comparison);

/// That they are: a sentence with a leading blank. Empty: they are not.
std::string causeByDenormals(const at::Tensor &candidate, const at::Tensor &flushed,
                             const Comparison &comparison);

} // namespace warpwright
