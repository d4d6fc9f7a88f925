// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/counters/counters.h"
#include "toolchain/evaluation/evaluation.h"
#include "toolchain/findings/finding.h"
#include "toolchain/inspect/inspection.h"
#include "toolchain/timeline/timeline.h"
#include "toolchain/workspace/candidate_texts.h"

namespace warpwright {

/// All that may be known of one text. Everything is optional: a detector is silent where what it reads is
/// missing.
struct FindingInput {
    CandidateTexts texts;                 ///< the text that is spoken of
    std::optional<Evaluation> evaluation; ///< the last check of this very text
    std::optional<Inspection> inspection; ///< what the compiler makes of it
    std::optional<Counters> counters;     ///< used where they are of this text, else only spoken of
    std::optional<Timeline> timeline;     ///< used where it is of this text
};

/// What keeps a text from being faster, by all detectors: sorted by gain, then by certainty (measured before
/// read), each cause told once. Counters of another text are not used, and no more are times of a check that
/// ran on another device than they; `missing` says so. Hints and no
/// verdict: the thresholds stand with their reasons in the detectors, and are such that a clean kernel gets
/// none.
[[nodiscard]] Findings findingsOf(const FindingInput &input);

/// Those whose kernel's name holds this, and those of the whole call; empty: all.
[[nodiscard]] Findings findingsNamed(const Findings &findings, const QString &kernel);

} // namespace warpwright
