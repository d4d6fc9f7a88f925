// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/interface/agent.h"
#include "agent/review/proposal_review.h"
#include "agent/session/applied_text.h"
#include "agent/session/auto_policy.h"
#include "agent/session/measurer.h"
#include "agent/session/recorder.h"
#include "agent/session/session_events.h"
#include "agent/session/session_words.h"
#include "toolchain/workspace/workspace_lock.h"

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>

#include <deque>
#include <functional>
#include <map>
#include <optional>

namespace warpwright {

/// One run of one agent in one workspace, under a person's control: proposing -> awaiting review -> applying
/// -> compiling -> verifying -> profiling -> scored -> proposing. Without a window, for every kind of agent.
///
/// The workspace changes only by what was accepted; in Step also by what is tried, until it is kept. What the
/// person typed in it meanwhile becomes an iteration of theirs first. Everything is recorded before it is
/// shown. However a run ends, the text that was kept last lies on the disk, and what was pending is in the
/// tree, marked; unless its agent was done, or a budget used up with no work of its agent's left, it can go
/// on later. An agent that only repeats itself is done. stop() works in every state and ends in exactly one
/// ended(), as every start() does. Agent, measurer and recorder outlive it, in its thread.
class Session : public QObject {
    Q_OBJECT
public:
    Session(SessionSetup setup, Agent &agent, Measurer &measurer, Recorder &recorder,
            QObject *parent = nullptr);
    ~Session() override;

    void start();
    void stop(const QString &why = QStringLiteral("The person stopped it."));
    void pause(); ///< the measurement or request that runs comes to its end; nothing new begins
    void resume();
    /// At once where the run waits and no hunk is answered yet, else from the next proposal on.
    void setMode(SessionMode mode);
    /// Recorded; one that is used up already ends the run.
    void setBudgets(const RunBudgets &budgets);
    /// From the next proposal on that a person reviews, its result stays hidden until they have bet.
    void setBetsFirst(bool betsFirst) { m_setup.betsFirst = betsFirst; }

    [[nodiscard]] SessionState state() const { return m_state; }
    [[nodiscard]] SessionMode mode() const { return m_setup.mode; }
    [[nodiscard]] bool isPaused() const { return m_isPaused; }
    [[nodiscard]] const RunMeter &meter() const { return m_meter; }
    [[nodiscard]] const RunBudgets &budgets() const { return m_setup.budgets; }
    [[nodiscard]] int iteration() const { return m_iteration; } ///< that the workspace's text is
    /// Step: that which «undo» goes back to; 0: no step waits for an answer.
    [[nodiscard]] int stepBase() const;
    [[nodiscard]] const CandidateTexts &texts() const { return m_texts; }
    [[nodiscard]] const std::optional<Evaluation> &evaluation() const { return m_evaluation; } ///< of texts()

    /// Null: nothing is under review. Answers go through the session, which records them.
    [[nodiscard]] const ProposalReview *review() const { return m_review ? &*m_review : nullptr; }
    using Token = ProposalReview::Token;
    /// Only while awaiting review; else, and for what ProposalReview refuses, an error for the person.
    Result<Token> accept(int hunk, const QString &reason = {});
    Result<Token> reject(int hunk, const QString &reason = {});
    Result<Token> edit(int hunk, const TextLines &lines, const QString &reason = {});
    Result<Token> resolve(int hunk, FileReview::Side side, const QString &reason = {});
    Result<Token> resolveWith(int hunk, const TextLines &lines, const QString &reason = {});
    /// Why these were rejected, said behind the answers: recorded as the same answers with their reason.
    Result<void> giveReason(const std::vector<int> &hunks, const QString &reason);
    Result<void> acceptRest(const QString &file = {}, const QString &reason = {});
    Result<void> rejectRest(const QString &file = {}, const QString &reason = {});
    bool unanswer(Token token);
    bool answerAgain(Token token);
    bool undo();
    bool redo();
    bool typed(const QString &file,
               const TextEdit &edit); ///< in an editor, not saved yet; false: nothing is under review
    /// Writes what was answered. An error while a hunk is open or a conflict.
    Result<void> apply();
    /// Step: what becomes of the proposal that was applied and measured. An error when nothing waits for it.
    Result<void> answerStep(StepAnswer answer);
    /// Before the result is shown: an error once it is. One that was hidden is shown then.
    Result<void> bet(const QString &by, const Prediction &prediction);
    /// The person wants to bet: whatever is measured of this proposal is not shown until bet() or
    /// showResult(). An error once it was shown.
    Result<void> hideResult();
    void showResult(const QString &why);
    [[nodiscard]] bool isResultHidden() const { return m_isResultHidden; }
    [[nodiscard]] bool hasBet() const { return m_hasBet; }
    /// One hunk by itself, or all without it; answered by hunkMeasured().
    Result<void> measureHunk(int hunk, bool isWithout);
    /// Of the proposal under review, whole; null: not measured yet.
    [[nodiscard]] const Evidence *evidence() const { return m_evidence ? &*m_evidence : nullptr; }
    /// The evidence is of the text as the answers stand.
    [[nodiscard]] bool isEvidenceCurrent() const;

    /// The agent reads them with its next request, or its next turn; until then they can be changed.
    void setMessages(const QStringList &messages);
    [[nodiscard]] const QStringList &messages() const { return m_messages; }
    [[nodiscard]] const std::vector<AgentPrompt> &prompts() const { return m_prompts; }
    /// False: that prompt is not there any more, and nothing was answered.
    bool answerPrompt(const QString &id, int epoch, const QString &answer) {
        return answerPrompt(id, epoch, answer, "person");
    }

signals:
    void stateChanged(warpwright::SessionState state);
    void modeChanged(warpwright::SessionMode mode);
    void pausedChanged(bool isPaused, const QString &why);
    void reviewChanged(); ///< another proposal, another answer, none any more
    void evidenceChanged();
    void textMeasured(); ///< the text that proposals are compared with, before there is one
    void hunkMeasured(int hunk, bool isWithout, const warpwright::Evidence &evidence);
    void iterationMade(const warpwright::Iteration &iteration);
    void textRestored(int iteration); ///< the text of an earlier one lies on the disk again
    void policyDecided(const warpwright::PolicyDecision &decision);
    void scored(const warpwright::ScoredProposal &scored);
    void meterChanged();
    void promptsChanged();
    void messagesRead(const QStringList &messages); ///< by the agent; none of them waits any more
    void progress(const warpwright::StageProgress &progress);
    void trouble(const QString &message); ///< for the person; the run goes on, or waits
    void ended(warpwright::SessionEnd end, const QString &why);

private:
    /// What the clock could not decide is measured for so long once more, at most, where later steps rest on
    /// it.
    static constexpr int longerSeconds = 20;
    struct Purpose {
        EvaluationSubject subject;
        QString textHash;
        bool isBase = false; ///< of the text that proposals are compared with
    };

    // session.cpp: the run
    void listen();
    bool record(const QString &kind, const Json &body);
    void setState(SessionState state);
    void goOn(const std::function<void()> &act);
    void begin();
    void tellUntold(const IterationStore::Committed &kept);
    void propose();
    void ask();
    [[nodiscard]] QStringList takeMessages();
    void takeProposal(const Proposal &proposal);
    void dealWith();
    void agentEnded(SessionEnd end, const QString &why);
    /// `hasBegun`: the record has a beginning, and tells of it.
    void beginEnd(SessionEnd end, const QString &why, bool hasBegun = true);
    void settle();
    bool endsByBudget();
    bool endsByRepetition(const Proposal &proposal);
    void takePrompt(AgentPrompt prompt);
    void removePrompts(const QString &why);
    bool answerPrompt(const QString &id, int epoch, const QString &answer, const char *by);
    void countTime();
    // session_pending.cpp: what is tried, and what an end leaves of it
    void leaveKeptText();
    void takeBackStep();
    void keepProposalInTree();
    void settleStepByPolicy();
    void keepStepByHand();
    void tellDecision(const PolicyDecision &decision);
    [[nodiscard]] PolicyDecision decideInSeries(PolicyDecision decision) const;
    [[nodiscard]] QString whyConflict() const;
    // session_measuring.cpp: what is measured, and what follows from it
    bool noticeHandEdits();
    bool keepByHand(const CandidateTexts &now);
    int measure(const CandidateTexts &texts, Purpose purpose, bool isForPerson, double seconds = 0);
    void measureProposal(double seconds = 0); ///< 0: as long as a quick check does
    [[nodiscard]] std::optional<CheckedParent> parentOf(const Purpose &purpose) const;
    void takeMeasured(int number, const Evaluation &measured, const QString &log);
    void storeNext();
    void takeStored(int number, const Evaluation &evaluation);
    void followStage(int number, const StageProgress &now);
    void takeBase(const Evaluation &evaluation);
    void measureBase();
    void decideByPolicy();
    void applyNow();
    [[nodiscard]] QString whyApplied() const;
    [[nodiscard]] Feedback::Outcome takenOutcome() const;
    void scoreNow(const Evaluation &evaluation, bool isRecorded);
    void finishProposal(Feedback::Outcome outcome, const QString &why,
                        const std::optional<TimeRatio> &ratio = {});
    void cancelMeasurements();
    [[nodiscard]] std::optional<Evaluation> storedEvaluation() const;
    // session_review.cpp: the person's answers
    [[nodiscard]] QString whyNoAnswer() const;
    Result<Token> answered(int hunk, const char *answer, const QString &reason, const TextLines *lines,
                           const Result<Token> &given);
    Result<Token> resolved(int hunk, const char *resolution, const Result<Token> &given);
    Result<void> answerRest(const QString &file, bool isAccepted, const QString &reason, const char *by);
    void recordBudgets(const RunBudgets &before);
    void recordWaitingMessages();
    void answerAsBefore();
    void noticeConflicts(const std::map<int, HunkState> &before);
    [[nodiscard]] std::map<int, HunkState> hunkStates() const;

    SessionSetup m_setup;
    Agent &m_agent;
    Measurer &m_measurer;
    Recorder &m_recorder;
    WorkspaceLock m_lock;
    AppliedText m_applied;
    SessionState m_state = SessionState::Idle;
    bool m_isPaused = false;
    std::vector<std::function<void()>> m_held; ///< what waits for resume()
    int m_epoch = 0;                           ///< what was begun in an earlier one is dropped
    bool m_isAgentBusy = false;
    std::optional<std::pair<SessionEnd, QString>> m_ending;

    int m_iteration = 0;
    CandidateTexts m_texts;
    std::optional<Evaluation> m_evaluation;
    struct Before {
        int iteration = 0;
        CandidateTexts texts;
        std::optional<Evaluation> evaluation;
        bool isPending = false; ///< tried in Step: taken back unless somebody keeps it
    };
    std::optional<Before> m_before; ///< of the proposal that was applied last

    int m_proposals = 0;
    QString m_lastProposed;   ///< the hash of the text that was proposed last
    int m_sameProposals = 0;  ///< of that text, one after the other
    int m_emptyProposals = 0; ///< that change nothing, one after the other
    std::optional<ProposalReview> m_review;
    std::optional<Evaluation> m_shadow; ///< of the proposal whole
    QString m_shadowHash;
    std::optional<Evidence> m_evidence;
    bool m_isResultHidden = false; ///< the person bets first
    bool m_hasBet = false;
    std::map<int, Purpose> m_measurements;
    struct Arrived {
        int number = 0;
        Evaluation evaluation;
        QString log;
    };
    std::deque<Arrived> m_arrived; ///< measured, and not stored yet
    bool m_isStoring = false;
    bool m_waitsForPolicy = false;
    bool m_wasMeasuredLonger = false; ///< the proposal, because the clock could not decide
    bool m_hasHandEdits = false;      ///< since the run began
    int m_besideCode = 0;             ///< iteration for which comments alone were taken of its proposal
    QStringList m_uncalled;           ///< new kernels that were applied without their calls
    QString m_whyDecided;             ///< by the policy, of the proposal; empty: it has not decided
    bool m_waitsForScore = false;
    std::vector<Feedback> m_feedback;
    QStringList m_messages;
    std::vector<AgentPrompt> m_prompts;
    RunMeter m_meter;
    QElapsedTimer m_clock; ///< runs while the run works and does not wait for a person
    QTimer m_limit;
};

} // namespace warpwright
