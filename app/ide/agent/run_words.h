// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/review/proposal_review.h"
#include "agent/session/session.h"
#include "app/ide/workbench/iteration_tree.h"

/// What the window itself says in the conversation of a run, where neither person nor agent speaks.
namespace warpwright {

/// «Iteration 1 is measured first: …»
[[nodiscard]] QString measuredFirstWords(int iteration);
/// What became of a proposal. `waits`: in Step it is applied, and the person has not said yet whether it
/// stays.
[[nodiscard]] QString scoredWords(const ScoredProposal &scored, const ReviewCount &answers, bool waits);
/// What an agent says, without the sentences that it has said before; `said` takes up the new ones. A word
/// or two is no sentence. Empty: all of it was said.
[[nodiscard]] QString withoutSaid(const QString &text, QSet<QString> &said);
/// `iteration`: that is the text now.
[[nodiscard]] QString stepWords(int proposal, StepAnswer answer, int iteration);
/// Of those that it was made from, by and by, the last that passed or whose time alone the clock left open;
/// 0: none.
[[nodiscard]] int lastSoundBefore(int iteration, const IterationTree &tree);
/// What is wrong with a text that cannot stay: «does not build». Empty: nothing of that kind.
[[nodiscard]] QString whyUnsound(Verdict verdict);
/// At the end: which text stands, what it takes, and whether another surely was faster; or what is wrong with
/// it, and which came before that. Empty: it has no time.
[[nodiscard]] QString standingWords(int iteration, const std::optional<EvaluationSummary> &of,
                                    const IterationTree &tree);

} // namespace warpwright
