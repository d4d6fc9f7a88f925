// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace warpwright {

/// The .cu of a convolution of ours, with marks for own_convolution_cuda.cpp.
extern const QString ownConvolutionText;
/// The loop over what is summed, stage by stage; and where of each tap's last channels not all parts of a
/// stage are there.
extern const QString convolutionLoop;
extern const QString convolutionLoopOfParts;
/// How a thread's sums become pieces, by ConvolutionPieces: whose they are, a piece's `sum`, and `other`, of
/// the second of two convolutions.
extern const QString convolutionPiecesOfFour;
extern const QString convolutionSumOfFour;
extern const QString convolutionOtherOfFour;
extern const QString convolutionPiecesOfOne;
extern const QString convolutionSumOfOne;
extern const QString convolutionOtherOfOne;
extern const QString convolutionPiecesOfLanes;
/// What becomes of pieces' sums: a piece at a time, or those of the same places together.
extern const QString convolutionFinish;
extern const QString convolutionFinishOfLanes;
extern const QString convolutionShareOfLanes; ///< before the pieces that it makes
extern const QString convolutionSumOfLanes;
extern const QString convolutionOtherOfLanes;

} // namespace warpwright
