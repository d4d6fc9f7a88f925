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
extern const QString packsLoop; ///< over pieces, each of four neighbours
extern const QString packsPiece;
extern const QString elementsAfter;
/// A loop over pieces round by round: what is left of the sums moves down in the registers. `again`: a piece
/// by functions for any angle, where those of `piece` were not for all of the round's; empty: nothing to ask.
[[nodiscard]] QString packsInRounds(const QString &piece, const QString &again, int rounds, bool isPair);

} // namespace warpwright
