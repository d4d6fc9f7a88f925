// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/heat/heat.h"

#include <QStringList>

/// What a person is told of a heated line or instruction, the same in editor, listing and table.
namespace warpwright {

/// Lines of plain text: the share and what it is of, what the warps waited for, how often it ran, sectors
/// against the ideal, what was inlined.
[[nodiscard]] QStringList heatWords(const HeatLine &line, double allSamples);
[[nodiscard]] QStringList heatWords(const HeatCounts &counts, double share, double allSamples);
/// "of iteration 3", "of the text of 14:02" where the text had no number.
[[nodiscard]] QString heatSubject(const Heat &heat);
/// "3.2×"; empty: nothing to compare.
[[nodiscard]] QString heatRatio(const std::optional<double> &ratio);

} // namespace warpwright
