// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/session/hunk_evidence.h"
#include "app/ide/kit/agent_view.h"
#include "toolchain/base/figures.h"

/// The numbers of a proposal as its card and the heads of its hunks show them: one unit for all of one
/// proposal, and by the one rule of all comparisons.
namespace warpwright {

/// Of the times of one proposal: that of the longer text, so that all of them can be compared.
[[nodiscard]] TimeScale unitOf(const std::optional<double> &before, const std::optional<double> &after);
[[nodiscard]] TimeScale unitOf(const Evidence &evidence);
/// What a change does to the time. Where only the ratio is sure, as a factor: no number is called a
/// difference that reads as none. The evidence has a difference.
[[nodiscard]] ShownFigure differenceFigure(const Evidence &evidence, const TimeScale &unit);
/// What is expected, or the resulting time: a time without a spread.
[[nodiscard]] ShownFigure timeFigure(TimeScale scale, double microseconds, bool isDifference);
/// What was measured of a whole proposal. Beside what was promised from another time before it is a factor:
/// differences from two times cannot be compared.
[[nodiscard]] ShownFigure measuredFigure(const Evidence &evidence, const Prediction &prediction,
                                         const TimeScale &unit);
/// What was promised. While there is no evidence, or none that may be seen (null), as it was said then;
/// beside a measurement from the same time before and in the same form, so that the two can be compared.
[[nodiscard]] ShownFigure predictedFigure(const Prediction &prediction, const Evidence *evidence,
                                          const TimeScale &unit);
/// `isAsked`: it is being measured while there is none.
[[nodiscard]] ShownFigure figureOf(const std::optional<Evidence> &evidence, bool isAsked,
                                   const TimeScale &unit);
/// Of a hunk whose file does not run on this device nothing can be measured.
[[nodiscard]] ShownFigure figureOf(const HunkEvidence &known, const std::optional<Evidence> &evidence,
                                   const TimeScale &unit);
/// "−14.4 ± 0.6 µs", "measuring 2 of 5": in whole words, for those who do not see.
[[nodiscard]] QString figureWords(const ShownFigure &figure);
/// In a table, where room is little: "≈ −0.9 ± 1.0", "–".
[[nodiscard]] QString tableWords(const ShownFigure &figure);
/// The first change of registers and of shared memory, in a word each.
[[nodiscard]] std::vector<std::pair<QString, QString>> resourcesOf(const Evidence &evidence);

} // namespace warpwright
