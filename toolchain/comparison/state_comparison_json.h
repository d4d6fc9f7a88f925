// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/base/json.h"
#include "toolchain/comparison/state_comparison.h"

namespace warpwright {

/// The parts `sides`, `notices`, `missing`, `rows` and `sass` of warpwright.compare/1
/// (resources/schemas/compare-1.schema.json): values unrounded in the row's unit, texts as people read them.
[[nodiscard]] OrderedJson toJson(const StateComparison &comparison);

} // namespace warpwright
