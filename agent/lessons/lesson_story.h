// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/review/hunk_answers.h"
#include "agent/review/hunks_that_run.h"
#include "agent/review/prediction_ledger.h"
#include "agent/script/script_folder.h"

namespace warpwright {

/// A step of a lesson, and what became of it.
struct LessonStep {
    enum class State {
        Ahead,   ///< not proposed yet
        Current, ///< proposed, and not decided
        Stopped, ///< the same, and the run rests: whoever continues it comes back to this one
        Kept,
        KeptInPart, ///< some of its hunks were rejected
        Branch,     ///< kept beside; the text went on without it
        LeftOut,
    };

    int number = 0; ///< from 1
    QString title;
    QString taught; ///< to be said once it is decided
    State state = State::Ahead;
    QString proposal; ///< its id; empty: not proposed yet
    QString why;      ///< why it was kept or left out, as it was said; empty: nobody said
    Prediction prediction;
    std::map<QString, Prediction> bets;
    std::vector<HunkPlace> hunks;
    std::optional<Verdict> verdict;
    std::optional<TimeRatio> measured;
    std::optional<ArmTiming> before;    ///< of the text that it was made for
    std::optional<double> measuredFrom; ///< LedgerRow::before
    std::optional<ArmTiming> after;     ///< of the whole proposal
    ExercisedFiles notRun;              ///< files that the device compiled and did not run
    bool isUnexercised = false;
    bool isHidden = false; ///< the person bets first: mayShowNumbers() is to be asked

    [[nodiscard]] bool isDecided() const { return state != State::Ahead && !isOpen(); }
    /// Proposed, and not decided.
    [[nodiscard]] bool isOpen() const { return state == State::Current || state == State::Stopped; }
    /// Measured, and neither faster nor slower can be said.
    [[nodiscard]] bool isNoise() const { return measured && measured->isNoise(); }
    /// The same, or its check could not decide and nothing was timed beside it.
    [[nodiscard]] bool isUndecided() const {
        return isNoise() || (verdict == Verdict::Inconclusive && !measured);
    }
    /// The whole of it was kept though it surely takes longer.
    [[nodiscard]] bool isKeptSlower() const {
        return state == State::Kept && measured && measured->isSlower();
    }
    /// The time of the text before in the run that timed both side by side; empty: no run has, or the person
    /// bets first.
    [[nodiscard]] std::optional<double> beside() const;
    /// A prediction or a bet as a time: once both texts were timed side by side its ratio of beside(), so
    /// that it can be compared with resulting(); before that as expectedTime() says it. Empty: nothing was
    /// promised, or the text before has no time.
    [[nodiscard]] std::optional<ArmTiming> expected(const Prediction &of) const;
    /// The time that it led to, on the base that decides: the measured ratio of beside(). Where nothing was
    /// timed side by side, or a part of it was kept, that of its own check.
    [[nodiscard]] std::optional<ArmTiming> resulting() const;
    bool operator==(const LessonStep &) const = default;
};

/// Where somebody is in a lesson, from the events of its run alone: while it runs, after a restart and of a
/// recording.
class LessonStory {
public:
    LessonStory() = default;
    /// The lesson's own words; the run is told to take().
    explicit LessonStory(const std::vector<ScriptStep> &steps);

    /// In their order; kinds that say nothing of steps are passed over. A run of a series that is another one
    /// tells nothing.
    void take(const QString &kind, const Json &body);
    /// Nobody works on the step that waits: the run was stopped, or its program died.
    void rest();

    [[nodiscard]] const std::vector<LessonStep> &steps() const { return m_steps; }
    /// Of the text that the lesson begins with; empty: not measured yet.
    [[nodiscard]] const std::optional<ArmTiming> &start() const { return m_start; }
    [[nodiscard]] const QString &device() const { return m_device; } ///< that measured; empty: none has yet
    [[nodiscard]] const QDateTime &measuredAt() const { return m_measuredAt; } ///< the first time
    [[nodiscard]] bool hasBegun() const { return m_hasBegun; }
    [[nodiscard]] bool hasEnded() const { return m_hasEnded; } ///< all steps were proposed and decided
    [[nodiscard]] bool isResting() const;                      ///< a step waits, and nobody works on it
    /// Steps that were decided.
    [[nodiscard]] int decided() const;
    /// From 1: the one that waits, else the first that was not proposed; 0: all were decided.
    [[nodiscard]] int at() const;

private:
    [[nodiscard]] LessonStep *step(const QString &proposal);
    void takePlan(const Json &body);
    void takeProposal(const Json &body);
    void takeEvaluation(const Json &body);
    void takeAnswer(const QString &kind, const Json &body);
    void takeDecision(const QString &kind, const Json &body);
    void takeLedger();
    void settle(LessonStep &step);

    std::vector<LessonStep> m_steps;
    PredictionLedger m_ledger;
    std::map<int, EvaluationSummary> m_iterations;
    std::map<int, int> m_bases; ///< by step: the iteration that it was proposed for
    HunkAnswers m_answers;      ///< of the step that waits
    std::optional<ArmTiming> m_start;
    QString m_device;
    QDateTime m_measuredAt;
    QString m_mode;
    QString m_reviewed; ///< the proposal whose hunks are being answered
    QString m_applied;  ///< the one that was applied last
    bool m_hasBegun = false;
    bool m_hasEnded = false;
};

/// The story of the newest run of these steps that lies in a workspace's state folder; without one, a story
/// that has not begun. Reads whole trajectories: not for a window's thread.
[[nodiscard]] LessonStory lessonStoryIn(const QString &stateFolder, const std::vector<ScriptStep> &steps);

} // namespace warpwright
