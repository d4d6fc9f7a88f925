// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/record/past_review.h"
#include "widgets/review/shown_hunk.h"

#include <map>

namespace warpwright {

/// A proposal of a past run in the files that it is about, to be looked at.
struct ShownReview {
    int proposal = 0;      ///< its number
    CandidateTexts texts;  ///< what stood in the editors then; hunks are placed in it
    bool isOnDisk = false; ///< and that is what lay on the disk
    std::map<QString, std::vector<ShownHunk>> hunks; ///< by file; one of a file that is not there has no text
    std::map<QString, int> ids;                      ///< of hunks, by their names in the run's events
    HunkContributions contributions;                 ///< empty: no hunk was measured by itself
    int first = 0;                                   ///< the hunk that a reader begins with; 0: none

    /// Empty: it has no such hunk.
    [[nodiscard]] QString fileOf(int hunk) const;
    /// The hunk before or after this one, round and round; the first or last one after 0. 0: there is none.
    [[nodiscard]] int neighbour(int hunk, int by) const;
    bool operator==(const ShownReview &) const = default;
};

/// `now`: the text on the disk at the event. Empty where its hunks cannot be placed exactly.
[[nodiscard]] std::optional<ShownReview> shownReview(const ScenedProposal &proposal,
                                                     const CandidateTexts &now);

} // namespace warpwright
