// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace warpwright {

/// A convolution, and what is done to each of its sums, as cuDNN's graph: the engines that the library itself
/// would take today. Its older functions know those of the generation before, which were slower by a fifth on
/// an H200. With marks for filled(): @head@, @launcher@, sizes and steps as convolution_cuda names them.
[[nodiscard]] QString convolutionGraphText();
/// The function in it that describes an operation after the convolution.
[[nodiscard]] QString convolutionStepText();
/// The one that describes a number.
[[nodiscard]] QString convolutionNumberText();

} // namespace warpwright
