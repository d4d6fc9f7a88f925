// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/counters/counters.h"
#include "toolchain/evaluation/evaluation.h"
#include "toolchain/inspect/inspection.h"
#include "toolchain/timeline/timeline.h"
#include "toolchain/workspace/candidate_texts.h"

#include <optional>

namespace warpwright {

/// All that may be known of one text: what findings are made of, apart from making them, for the detectors
/// read it. Everything is optional: a detector is silent where what it reads is missing.
struct FindingInput {
    CandidateTexts texts;                 ///< the text that is spoken of
    std::optional<Evaluation> evaluation; ///< the last check of this very text
    std::optional<Inspection> inspection; ///< what the compiler makes of it
    std::optional<Counters> counters;     ///< used where they are of this text, else only spoken of
    std::optional<Timeline> timeline;     ///< used where it is of this text
};

} // namespace warpwright
