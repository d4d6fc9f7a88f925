// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace warpwright {

/// The text of a product of ours, and its instructions: see own_product_cuda.cpp for what is filled in.
extern const QString ownProductText;
extern const QString ownProductMultiply; ///< after groupProductInstructions
/// Of what one pair of matrices is summed over: who copies, who multiplies, and what sums are multiplied by.
extern const QString ownProductCopies;
extern const QString ownProductLoop;
extern const QString ownProductFactor;

/// Its parts before and after a tile's products: see product_tail.cpp.
extern const QString packsBefore;
extern const QString packsAfter;
extern const QString packsLoop;   ///< over pieces, each of four neighbours
extern const QString packsRounds; ///< the same round by round
extern const QString packsMove;
extern const QString packsPiece;
extern const QString elementsAfter;

} // namespace warpwright
