// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/session.h"
#include "toolchain/hunk_contributions.h"

#include <map>

namespace warpwright {

/// What was measured of single hunks so far.
struct HunkEvidence {
    std::optional<Evidence> alone;
    std::optional<Evidence> allBut;
    bool isAsked = false; ///< on its way

    bool operator==(const HunkEvidence &) const = default;
};
using HunkEvidences = std::map<int, HunkEvidence>; ///< by the hunk's id

/// What a person would call it: the first line that comes, else the first that goes.
[[nodiscard]] QString titleOf(const Hunk &hunk);
/// The same of a file under review: one that comes or goes as a whole is called by its name.
[[nodiscard]] QString titleOf(const ReviewedFile &file, const Hunk &hunk);
[[nodiscard]] QString titleOfNewFile(const QString &path);     ///< "new file gate.cpp"
[[nodiscard]] QString titleOfDeletedFile(const QString &path); ///< "delete gate.cpp"
/// Empty while no hunk is measured. The session has a review.
[[nodiscard]] HunkContributions hunkContributions(const Session &session, const HunkEvidences &evidences);
/// The same of a review without its session. `all`: of the proposal whole, `base`: of the text before; null:
/// not measured.
[[nodiscard]] HunkContributions hunkContributions(const ProposalReview &review,
                                                  const HunkEvidences &evidences, const Evidence *all,
                                                  const EvaluationSummary *base);

} // namespace warpwright
