// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/record/run_scene.h"
#include "agent/review/prediction_ledger.h"
#include "agent/session/hunk_evidence.h"
#include "agent/session/session.h"
#include "app/ide/kit/agent_view.h"
#include "app/ide/review/hunk_pieces.h"
#include "widgets/review/shown_hunk.h"

/// What a session knows, in the words and places of the views that show it.
namespace warpwright {

/// `groups`, here and below: of hunkGroups(). The hunks of one file (its path in the base) as its editor
/// shows them.
[[nodiscard]] std::vector<ShownHunk> shownHunks(const ProposalReview &review, const QString &file,
                                                const HunkEvidences &evidences, const HunkPieces &pieces,
                                                const std::map<int, int> &groups = {});
/// Those of all files, for the bar: «hunk 2 of 3».
[[nodiscard]] std::vector<ShownHunk> allShownHunks(const ProposalReview &review,
                                                   const HunkEvidences &evidences, const HunkPieces &pieces,
                                                   const std::map<int, int> &groups = {});
/// One of them, without its pieces; `number`: what people call it.
[[nodiscard]] ShownHunk shownHunk(const ReviewedFile &file, const Hunk &hunk, int number,
                                  const HunkEvidences &evidences);
[[nodiscard]] QStringList linesWithoutEnds(const TextLines &lines);
/// In µs, of the text that the proposal was made for, in its own check, as tree and picture show it: what a
/// bet is counted from. Empty: it has no time, and nothing to bet against.
[[nodiscard]] std::optional<double> timeBefore(const Session &session);
/// The card. The session has a review.
[[nodiscard]] ProposalView proposalView(const Session &session, const HunkEvidences &evidences,
                                        const std::map<int, int> &groups = {});
/// The card of a proposal of a past run, as far as it was known at an event.
[[nodiscard]] ProposalView proposalView(const ScenedProposal &scened);
/// `most`: of the last rows; 0: of all.
[[nodiscard]] std::vector<LedgerLine> ledgerLines(const PredictionLedger &ledger, std::size_t most = 0);
/// A long run has more than can be laid out at each of its events.
inline constexpr std::size_t mostLedgerRows = 200;
/// What its numbers are, and which rows they are: "times faster, the last 200 of 1234".
[[nodiscard]] QString ledgerRemark(const PredictionLedger &ledger, std::size_t most);
[[nodiscard]] std::vector<PlanStep> planSteps(const std::vector<PlanItem> &items);
/// "7" of "p7".
[[nodiscard]] int numberOf(const QString &proposal);

} // namespace warpwright
