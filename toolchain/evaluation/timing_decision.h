// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/evaluation/measured_figures.h"

namespace warpwright {

/// What the quick tier's judge goes by when it calls times decided or inconclusive: half the interval of the
/// speed-up over the baseline of the candidate's class, of its value. Wider than the first, and an interval
/// that holds 1 decides nothing; wider than the second, none does.
inline constexpr double wideTimingShare = 0.15;
inline constexpr double uselessTimingShare = 0.5;

/// One sentence of why these times are a pass or are inconclusive: the baseline, the interval of the
/// speed-up, and what it was held against. Empty: something else decided, and the message says so.
[[nodiscard]] QString whatDecided(const MeasuredFigures &figures);

} // namespace warpwright
