// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

/// The fixed parts of attention's text; «@name@» stands for what attention_cuda puts there.
namespace warpwright {

enum class AttentionFactors {
    Shorts, ///< 16 bits, which the matrix units multiply exactly
    Tf32,   ///< floats rounded to 10 bits of mantissa
    Floats, ///< floats in two parts each
};

[[nodiscard]] QString attentionText(); ///< the whole file
[[nodiscard]] QString attentionHelpers(AttentionFactors factors);
/// Scores of a tile: queries times keys.
[[nodiscard]] QString attentionScores(AttentionFactors factors);
/// Results += the tile's weights times its values.
[[nodiscard]] QString attentionResults(AttentionFactors factors);

} // namespace warpwright
