// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/interface/agent_events.h"
#include "agent/review/proposal_review.h"
#include "agent/session/hunk_evidence.h"
#include "agent/session/session_words.h"
#include "app/cli/process/terminal.h"

/// A run as a person reads it in a terminal: pieces of text, each with its line ends.
namespace warpwright {

/// Title, who, reason, what is expected.
[[nodiscard]] QString proposalText(const Proposal &proposal, const Terminal &terminal);
/// Old and new lines with their places; of a conflict base, mine and theirs.
[[nodiscard]] QString hunkText(const ProposalReview &review, const Hunk &hunk, const Terminal &terminal);
/// «compiles, verifies; time −50.0 ± 1.5 µs (50.0 %); registers 32 → 33»
[[nodiscard]] QString evidenceText(const Evidence &evidence, const Terminal &terminal);
/// A row a hunk: only it, and all without it, against the text before; then what follows from them. The
/// session has a review.
[[nodiscard]] QString contributionsText(const Session &session, const HunkEvidences &evidences,
                                        const Terminal &terminal);
/// What each letter does: at a hunk, at a conflict, at a step.
[[nodiscard]] QString hunkHelp();
[[nodiscard]] QString conflictHelp();
[[nodiscard]] QString stepHelp();
/// What an agent asks, and its options by number; the question of who answers is not in it.
[[nodiscard]] QString promptText(const AgentPrompt &prompt, const Terminal &terminal);
/// The line of one iteration: number, outcome, verdict, time against the one before, what was expected.
[[nodiscard]] QString scoredText(const ScoredProposal &scored, int number, const Terminal &terminal);
/// «50.0 % of the time (48.0–52.0 %)»; empty where nothing was compared.
[[nodiscard]] QString ratioText(const std::optional<TimeRatio> &ratio);

} // namespace warpwright
