// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace warpwright {

/// One convolution as cuDNN's graph of one operation: the engines that the library itself would take today.
/// Its older functions know those of the generation before, which were slower by a fifth on an H200. With
/// marks for filled(): @head@, @launcher@, sizes and steps as convolution_cuda names them.
[[nodiscard]] QString convolutionGraphText();

} // namespace warpwright
