// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/element_type.h"

#include <QString>

/// The parts of attention's text that depend on the mma instruction; attention.cpp fills in their
/// placeholders.
namespace warpwright {

enum class AttentionMma {
    Mma16,      ///< mma.sync on 16-bit types, whose products are exact
    Wgmma,      ///< the same by warpgroups (compute capability 9.0)
    Tf32,       ///< floats rounded to TF32
    SplitFloat, ///< floats split into two TF32 parts each
};

/// The whole file.
[[nodiscard]] QString attentionText(AttentionMma mma);
/// Constants of the layout of keys and values in shared memory.
[[nodiscard]] QString attentionPitches(AttentionMma mma);
/// `columns`: of a value, padded.
[[nodiscard]] QString attentionHelpers(AttentionMma mma, int columns, ElementType type);
/// Scores of a tile: queries times keys. Not for Wgmma.
[[nodiscard]] QString attentionScores(AttentionMma mma);
/// Results += the tile's weights times its values. Not for Wgmma.
[[nodiscard]] QString attentionResults(AttentionMma mma);

} // namespace warpwright
