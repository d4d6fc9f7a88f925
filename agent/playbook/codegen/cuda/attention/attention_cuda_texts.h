// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

/// The fixed parts of attention's text; «@name@» stands for what attention_cuda puts there.
namespace warpwright {

enum class AttentionFactors {
    Shorts, ///< 16 bits, which the matrix units multiply exactly
    Groups, ///< the same, by four warps together (compute capability 9.0)
    Tf32,   ///< floats rounded to 10 bits of mantissa
    Floats, ///< floats in two parts each
};

[[nodiscard]] QString attentionText(); ///< the whole file, but of Groups
/// Its pieces that Groups share: what stands before the kernel, what becomes of a tile's scores, what is
/// stored, and what is called.
extern const QString attentionOpening;
extern const QString attentionSoftmax;
extern const QString attentionStores;
extern const QString attentionLauncher;
extern const QString attentionPair; ///< the function pairOf
/// None of what follows is for Groups.
[[nodiscard]] QString attentionHelpers(AttentionFactors factors);
/// Constants of where keys and values lie in shared memory.
[[nodiscard]] QString attentionPitches(AttentionFactors factors);
/// Scores of a tile: queries times keys.
[[nodiscard]] QString attentionScores(AttentionFactors factors);
/// Results += the tile's weights times its values.
[[nodiscard]] QString attentionResults(AttentionFactors factors);

} // namespace warpwright
