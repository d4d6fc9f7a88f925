// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/session/session.h"
#include "toolchain/evaluation/hunk_contributions.h"

#include <map>

namespace warpwright {

/// What was measured of single hunks so far.
struct HunkEvidence {
    std::optional<Evidence> alone;
    std::optional<Evidence> allBut;
    bool isAsked = false;       ///< on its way
    bool isUnexercised = false; ///< its file does not run on this device: there is nothing to measure

    bool operator==(const HunkEvidence &) const = default;
};
using HunkEvidences = std::map<int, HunkEvidence>; ///< by the hunk's id

/// As hunkTitle() calls it; a file that comes or goes as a whole is called by its name.
[[nodiscard]] QString titleOf(const ReviewedFile &file, const Hunk &hunk);
/// The hunk that a reader begins with: the first of those that are left whose file is run on this device,
/// then one of a file in `notRun`. 0: there is none.
[[nodiscard]] int firstToRead(const ProposalReview &review, const ExercisedFiles &notRun);
/// The same of what is under review; the session has a review.
[[nodiscard]] int firstToRead(const Session &session);
/// Whether the file of this hunk under review is known not to run on this device: then nothing that is
/// measured says anything of the hunk.
[[nodiscard]] bool isUnexercised(const Session &session, int hunk);
/// The same evidences, and one for each hunk that is not exercised.
[[nodiscard]] HunkEvidences withUnexercised(const Session &session, HunkEvidences evidences);
/// What a person may see of them: while one may still bet nothing that was measured, only what does not run
/// here.
[[nodiscard]] HunkEvidences shownEvidences(const Session &session, const HunkEvidences &evidences);

/// Empty while no hunk is measured. The session has a review.
[[nodiscard]] HunkContributions hunkContributions(const Session &session, const HunkEvidences &evidences);
/// The same of a review without its session. `all`: of the proposal whole, `base`: of the text before; null:
/// not measured.
[[nodiscard]] HunkContributions hunkContributions(const ProposalReview &review,
                                                  const HunkEvidences &evidences, const Evidence *all,
                                                  const EvaluationSummary *base);

} // namespace warpwright
