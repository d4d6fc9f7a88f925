// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/interface/agent_name.h"
#include "app/ide/agent/agent_run.h"
#include "app/ide/review/proposal_views.h"

#include <QObject>

#include <memory>

namespace warpwright {

class Actions;
class AgentPanel;
class AgentTalk;
class BudgetEditor;
class CandidatePanel;
class HunkNumbers;
class Look;
class ProfilePanel;
class ReviewController;
class TopBar;
class Workbench;

/// The agent's run in the window: begins and ends it, brings how the session stands to the panes, and what
/// the person asks for to the session. What is said is AgentTalk's, the hunks in the editors
/// ReviewController's.
class AgentController : public QObject {
    Q_OBJECT
public:
    struct Places {
        Workbench &bench;
        CandidatePanel &candidate;
        AgentPanel &panel;
        TopBar &topBar;
        Actions &actions;
        ProfilePanel &profile;
    };
    AgentController(const Look &look, Places places, QObject *parent = nullptr);
    ~AgentController() override;

    /// `source`: as of agentByName(). The text on disk has been saved. Where it cannot begin, noticed() says
    /// why.
    void begin(const AgentName &agent, const QString &source = {}, SessionMode mode = SessionMode::Review,
               const RunBudgets &budgets = {});
    /// What the runs that a person begins may use; kept by the owner: nextBudgetsChanged().
    void setNextBudgets(const RunBudgets &budgets) { m_nextBudgets = budgets; }
    [[nodiscard]] const RunBudgets &nextBudgets() const { return m_nextBudgets; }
    /// The run that can go on; its budgets can be changed before it does. Its `run` is empty: there is none.
    void setLeftRun(const LeftRun &left);
    /// The same with an agent that is made already.
    void begin(std::shared_ptr<Agent> agent, AgentRun::Setup setup);
    /// Goes on with a run of the open workspace whose program ended before it. The text on disk has been
    /// saved. `other`: goes on in the place of the run's own agent; none: its own.
    void continueRun(const QString &run, const AgentName &other = {});
    [[nodiscard]] bool isRunning() const { return m_run != nullptr; }
    /// The id of the run whose conversation stands in the pane; empty: none was begun.
    [[nodiscard]] const QString &lastRun() const { return m_lastRun; }
    /// Another workspace is open: nothing is shown of a run of the one before. Not while one goes on.
    void forgetRun();
    /// Again, where something else stood in the place of the proposal under review.
    void showReview();
    [[nodiscard]] AgentTalk &talk() const { return *m_talk; }
    /// Whose run it is; kind You: there is none.
    [[nodiscard]] AgentName agent() const;
    [[nodiscard]] Session *session() const { return m_run ? &m_run->session() : nullptr; }
    /// The one at hand, as its card shows it; empty: none.
    [[nodiscard]] std::optional<ProposalView> proposal() const;
    /// What the run is at while it asks nobody anything; empty: it waits for the person, or there is none.
    [[nodiscard]] std::optional<StageProgress> work() const;
    /// Of the measurement that runs, also while a proposal is read.
    [[nodiscard]] const StageProgress &step() const { return m_step; }
    /// The iteration that the run measures before there is a proposal; 0: none.
    [[nodiscard]] int measuredFirst() const;
    /// Who waits for an answer of the person's: the agent's name; empty: nobody asks.
    [[nodiscard]] QString asker() const;
    void stop();

signals:
    void noticed(const QString &title, const QString &text, bool isTrouble);
    /// Beside noticed(): a run cannot go on because its agent is not set up any more.
    void agentMissing(const QString &run, const warpwright::AgentName &agent);
    /// A run has begun or ended, or stands otherwise.
    void runChanged();
    void nextBudgetsChanged(const warpwright::RunBudgets &budgets);
    /// It stopped for a reason of its own, and can be continued.
    void brokenOff(const QString &why);
    /// The hunks are to be seen before anything is answered.
    void reviewAsked();
    /// work() is at another step.
    void worked();
    /// The agent asks another thing, or nothing any more: both empty. The pane has the answers.
    void asked(const QString &who, const QString &question);

private:
    void connectActions();
    void goOnWith(const ReopenedRun &run);
    void connectPanel();
    void answerStep(StepAnswer answer);
    void askBet();
    void betFirst(bool isOn);
    void placeBet(double difference, double low, double high);
    void openBudgets();
    void takeBudgets(const RunBudgets &budgets);
    [[nodiscard]] QString whyNoCost() const;
    [[nodiscard]] bool refusesCost(const Agent &agent, const RunBudgets &budgets);
    void forgetProposal();
    void listen();
    void goOn();
    void setMode(SessionMode mode);
    void measureHunks();
    void show();
    void showStep();
    void showTalk();
    void sayWork(SessionState state);
    void end(SessionEnd how, const QString &why);

    Places m_places;
    ReviewController *m_review;
    AgentTalk *m_talk;
    HunkNumbers *m_numbers;
    BudgetEditor *m_budgets = nullptr;
    std::unique_ptr<AgentRun> m_run;
    HunkEvidences m_evidences;
    QString m_lastRun;  ///< the id; its conversation stands in the pane
    QString m_reviewed; ///< the proposal whose hunks m_evidences are
    QString m_bet;      ///< on it, as it was typed
    RunBudgets m_nextBudgets;
    LeftRun m_left;
    bool m_hasRaised = false;      ///< m_left has other budgets than it was left with
    bool m_waitsForBudget = false; ///< it is to go on once it has more
    bool m_isReading = false;      ///< a run that is to go on, or what an agent needs of this machine
    QString m_asked;               ///< the one that the person was led to
    StageProgress m_step;          ///< of the measurement that runs
    bool m_showsEarlier = false;   ///< than the text on the disk, when it was last looked at
    int m_measured = 0;            ///< the iteration of which it was said that it is measured first
};

} // namespace warpwright
