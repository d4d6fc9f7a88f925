// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/interface/prediction.h"
#include "agent/review/evidence.h"
#include "agent/review/hunk_answers.h"
#include "agent/session/auto_policy.h"
#include "agent/session/prompt_leave.h"
#include "toolchain/base/data_folders.h"
#include "toolchain/workspace/candidate_texts.h"
#include "toolchain/workspace/workspace.h"

#include <QMetaType>
#include <QString>
#include <QStringList>

#include <map>
#include <set>
#include <vector>

/// The values that a session is made of and speaks in.
namespace warpwright {

enum class SessionMode { Review, Step, Auto };
[[nodiscard]] QString sessionModeName(SessionMode mode); ///< "review", "step", "auto"
[[nodiscard]] std::optional<SessionMode> sessionModeFromName(const QString &name);

enum class SessionState {
    Idle, ///< not begun
    Proposing,
    AwaitingReview,
    Applying,
    Compiling,
    Verifying,
    Profiling,
    Scored, ///< Step waits here for keep, undo or branch
    Stopping,
    Ended,
};
[[nodiscard]] QString sessionStateName(SessionState state); ///< "awaiting review"

enum class StepAnswer {
    Keep,
    Undo,   ///< the text before comes back; the iteration stays in the history
    Branch, ///< the same, and the agent hears that it is kept beside
};
[[nodiscard]] QString stepAnswerName(StepAnswer answer); ///< "keep", "undo", "branch"

enum class SessionEnd {
    Done,    ///< the agent has nothing more
    Stopped, ///< by the person
    Budget,
    Failed, ///< the agent, the machine, or the workspace's lock; the run can go on, as one that was stopped
};

/// The answers to a proposal that was still being answered.
struct GivenAnswers {
    QString baseHash; ///< they hold for this proposal alone
    QString resultHash;
    HunkAnswers answers;
};

/// How far a run had come that goes on.
struct ContinuedRun {
    CandidateTexts texts;             ///< at its last event
    int proposals = 0;                ///< so many ids are given
    RunMeter meter;                   ///< used so far
    RunBudgets budgets;               ///< as the record has them
    std::set<int> told;               ///< iterations that the record tells of
    std::vector<int> untold;          ///< those that the history has alone: the program died between the two
    QString answered;                 ///< the proposal that was dealt with when it died
    QString unanswered;               ///< or the title of the one that was not, and is proposed once more
    GivenAnswers given;               ///< to that one
    QStringList messages;             ///< what the person wrote and the agent has not answered
    std::map<int, QString> evaluated; ///< the evaluation of each iteration that the record tells last
    bool isByAnother = false;         ///< another agent goes on than the one before
};

struct SessionSetup {
    Workspace workspace;
    QString run;     ///< its id
    QString device;  ///< as it was asked for; empty: the settings'
    QString program; ///< our version
    SessionMode mode = SessionMode::Review;
    AutoPolicy policy;
    RunBudgets budgets;
    PromptLeave leave;                     ///< what is answered for the person, who has said so
    bool betsFirst = false;                ///< in Review a result is hidden until the person has bet
    QString source;                        ///< what the agent was begun with: the folder of a script
    std::optional<ContinuedRun> continued; ///< the record has a beginning already
};

/// What became of one proposal that was measured.
struct ScoredProposal {
    QString proposal;
    QString title;
    int iteration = 0; ///< that was made of it; 0: none
    EvaluationSummary summary;
    std::optional<TimeRatio> ratio; ///< to the text before
    Prediction prediction;
    QString outcome; ///< "accepted", "branch", "discarded", "rejected"
    QString why;

    bool operator==(const ScoredProposal &) const = default;
};

/// «Used 342,000 tokens (340,000 in, 2,000 out); 1.09 USD, estimated.» Empty: none were
/// counted.
[[nodiscard]] QString usedWords(const RunMeter &meter);

} // namespace warpwright

Q_DECLARE_METATYPE(warpwright::SessionState)
Q_DECLARE_METATYPE(warpwright::SessionMode)
Q_DECLARE_METATYPE(warpwright::SessionEnd)
Q_DECLARE_METATYPE(warpwright::ScoredProposal)
