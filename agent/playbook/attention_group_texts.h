// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/element_type.h"

#include <QString>

/// Parts of attention's text where four warps multiply together: AttentionFactors::Groups. «@name@» stands
/// for what attention_cuda puts there.
namespace warpwright {

extern const QString attentionPair; ///< the function pairOf
[[nodiscard]] QString attentionGroupHelpers(int columns, ElementType type);
extern const QString attentionGroupPitches;
extern const QString attentionGroupMemory;
extern const QString attentionGroupVisible;
extern const QString attentionGroupScores;
extern const QString attentionGroupResults;

} // namespace warpwright
