// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/base/ink.h"
#include "toolchain/findings/finding.h"

namespace warpwright {

/// One of them: title, kernel and line, gain, message, evidence, advice.
[[nodiscard]] QString findingText(const Finding &finding, int number, const Terminal &terminal);

/// All of them, the same words for people and for agents, with what was looked at and what was missing. At
/// most `shown` (0: all); how many were left out is said.
[[nodiscard]] QString findingsText(const Findings &findings, const Terminal &terminal, int shown = 0);

/// "41 %", "3.2×", "21.3 µs", "4.10 MB"; a count without a unit.
[[nodiscard]] QString valueText(const FindingEvidence &evidence);

/// "up to 21.3 µs of a call (41 %)"; "gain not known"; empty for a note.
[[nodiscard]] QString gainText(const Finding &finding);

} // namespace warpwright
