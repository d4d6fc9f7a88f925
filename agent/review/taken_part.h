// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/review/proposal_review.h"

namespace warpwright {

/// What was taken of a proposal that was answered hunk by hunk: an iteration is called after that, and not
/// after what was proposed.
struct TakenPart {
    Author author; ///< the person, where all that was taken are their own lines beside the code
    QString note;
    /// Some was rejected or edited, and what was taken changes comments and docstrings alone: nothing that is
    /// measured of it is the proposal's doing.
    bool isBesideCode = false;
};

/// `before`: the text without any answer.
[[nodiscard]] TakenPart takenPart(const ProposalReview &review, const CandidateTexts &before);

/// Whether an iteration's note is the title of that proposal, or of a part of it.
[[nodiscard]] bool isNoteOf(const QString &note, const QString &title);

} // namespace warpwright
