// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/element_type.h"

#include <QString>

/// The fixed parts of attention's text; «@name@» stands for what attention_cuda puts there.
namespace warpwright {

enum class AttentionFactors {
    Shorts, ///< 16 bits, which the matrix units multiply exactly
    Groups, ///< the same, by four warps together (compute capability 9.0)
    Tf32,   ///< floats rounded to 10 bits of mantissa
    Floats, ///< floats in two parts each
};

[[nodiscard]] QString attentionText(); ///< the whole file
/// `columns`: of a value, filled up; of consequence for Groups alone, as `type` is.
[[nodiscard]] QString attentionHelpers(AttentionFactors factors, int columns, ElementType type);
/// Constants of where keys and values lie in shared memory, the lines that take it, and how much of it.
[[nodiscard]] QString attentionPitches(AttentionFactors factors);
[[nodiscard]] QString attentionMemory(AttentionFactors factors);
[[nodiscard]] QString attentionBytes(AttentionFactors factors);
/// Scores of a tile: queries times keys.
[[nodiscard]] QString attentionScores(AttentionFactors factors);
/// Results += the tile's weights times its values.
[[nodiscard]] QString attentionResults(AttentionFactors factors);

} // namespace warpwright
