// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace warpwright {

/// The .cu of a convolution of ours, with marks for own_convolution_cuda.cpp.
extern const QString ownConvolutionText;
/// How a thread's sums become pieces: four neighbouring places of a filter, or one.
extern const QString convolutionPiecesOfFour;
extern const QString convolutionPiecesOfOne;

} // namespace warpwright
