// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/element_type.h"

#include <QString>

/// What of attention's text depends on how its factors are multiplied; «@name@» stands for what
/// attention_cuda puts there.
namespace warpwright {

enum class AttentionMma {
    Mma16,      ///< 16 bits, which the matrix units multiply exactly
    Wgmma,      ///< the same, by four warps together (compute capability 9.0)
    Tf32,       ///< floats rounded to 10 bits of mantissa
    SplitFloat, ///< floats in two parts each
};

/// The whole file.
[[nodiscard]] QString attentionText(AttentionMma mma);
/// Constants of where keys and values lie in shared memory.
[[nodiscard]] QString attentionPitches(AttentionMma mma);
/// `columns`: of a value, filled up.
[[nodiscard]] QString attentionHelpers(AttentionMma mma, int columns, ElementType type);
/// Scores of a tile: queries times keys. Not for Groups.
[[nodiscard]] QString attentionScores(AttentionMma mma);
/// Results += the tile's weights times its values. Not for Groups.
[[nodiscard]] QString attentionResults(AttentionMma mma);

} // namespace warpwright
