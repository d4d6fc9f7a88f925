// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/findings/finding.h"
#include "toolchain/findings/finding_input.h"

namespace warpwright {

/// What keeps a text from being faster, by all detectors: sorted by gain, then by certainty (measured before
/// read), each cause told once. Counters of another text are not used, and no more are times of a check that
/// ran on another device than they; `missing` says so. Hints and no
/// verdict: the thresholds stand with their reasons in the detectors, and are such that a clean kernel gets
/// none.
[[nodiscard]] Findings findingsOf(const FindingInput &input);

/// Those whose kernel's name holds this, and those of the whole call; empty: all.
[[nodiscard]] Findings findingsNamed(const Findings &findings, const QString &kernel);

} // namespace warpwright
