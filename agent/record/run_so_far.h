// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/interface/agent.h"
#include "agent/record/replay.h"
#include "agent/review/prediction_ledger.h"
#include "agent/session/session_words.h"

#include <functional>
#include <map>

namespace warpwright {

/// What a person had said to the numbers of a proposal that is made once more.
struct GivenBets {
    std::map<QString, Prediction> bets; ///< by whoever has bet
    bool isShown = false;               ///< its result was shown, with a bet or without

    bool operator==(const GivenBets &) const = default;
};

/// How far a run had come when its program ended, from its trajectory alone: what it needs to go on.
struct RunSoFar {
    QString run;
    AuthorKind agent = AuthorKind::Script;
    QString agentName;
    QString source; ///< what the agent was begun with: the folder of a script
    QString device; ///< as it was asked for
    SessionMode mode = SessionMode::Review;
    SessionMode beganIn = SessionMode::Review;
    RunBudgets budgets;
    QString ending; ///< that it had come to, where a budget or unfinished work lets it go on; mostly empty
    ContinuedRun continued; ///< for SessionSetup
    GivenBets bets;         ///< on the proposal that is made once more: see placeBetsAgain()
    /// That the proposal which is made once more was made for; where none was made: of the last event. What a
    /// person has typed since is not in it.
    CandidateTexts madeFor;
    PredictionLedger ledger;
};

/// Called for each proposal that was answered, in their order. Its last evaluation is an id.
using TellAnswered = std::function<Result<void>(const AnsweredProposal &answered)>;
/// Called for each thing that the agent has remembered, among those, in order.
using TellMemory = std::function<Result<void>(const Json &memory)>;

/// Also finishes on the disk what was begun there. An error for a person where the run cannot go on: it has
/// ended, it is another workspace's, or somebody else works in this one.
[[nodiscard]] Result<RunSoFar> readRunSoFar(const Workspace &workspace, const QString &run,
                                            const TellAnswered &tell, const TellMemory &tellMemory = {});
/// The newest run of the workspace that has not ended; empty: there is none.
[[nodiscard]] QString unendedRun(const QString &stateFolder);

} // namespace warpwright
