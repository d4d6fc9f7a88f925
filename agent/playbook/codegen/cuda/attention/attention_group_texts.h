// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/element_type.h"

#include <QString>

/// Attention's text where four warps multiply together: AttentionFactors::Groups. «@name@» stands for what
/// attention_cuda puts there.
namespace warpwright {

[[nodiscard]] QString attentionGroupText(); ///< the whole file
/// `columns`: of a value, filled up.
[[nodiscard]] QString attentionGroupHelpers(int columns, ElementType type);
extern const QString attentionGroupPitches;

} // namespace warpwright
