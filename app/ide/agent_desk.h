// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ide/agent_run.h"
#include "app/ide/proposal_views.h"

#include <QHash>
#include <QObject>

#include <memory>

namespace warpwright {

class Actions;
class AgentPanel;
class CandidatePanel;
class Look;
class ProfilePanel;
class ReviewDesk;
class TopBar;
class Workbench;

/// The agent's run in the window: begins and ends it, and brings what the session says to the panes and what
/// the person does there to the session.
class AgentDesk : public QObject {
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
    AgentDesk(const Look &look, Places places, QObject *parent = nullptr);
    ~AgentDesk() override;

    /// Proposes the steps of a folder of patches, one after the other. The text on disk has been saved.
    void beginScript(const QString &folder, SessionMode mode = SessionMode::Review,
                     const RunBudgets &budgets = {});
    /// Goes on with a run of the open workspace whose program ended before it. The text on disk has been
    /// saved.
    void continueScript(const QString &run);
    [[nodiscard]] bool isRunning() const { return m_run != nullptr; }
    [[nodiscard]] Session *session() const { return m_run ? &m_run->session() : nullptr; }
    void stop();

signals:
    void noticed(const QString &title, const QString &text, bool isTrouble);
    /// A run has begun or ended.
    void runChanged();

private:
    void connectActions();
    void begin(std::shared_ptr<Agent> agent, AgentRun::Setup setup);
    void goOnWith(const ContinuedScript &script);
    void listen();
    void goOn();
    void setMode(SessionMode mode);
    void measureHunks();
    void show();
    void showReview();
    void append(const AgentEvent &event);
    void say(const QString &author, const QString &text);
    void end(SessionEnd how, const QString &why);

    Places m_places;
    ReviewDesk *m_review;
    std::unique_ptr<AgentRun> m_run;
    HunkEvidences m_evidences;
    std::vector<PlanStep> m_plan;
    QHash<QString, int> m_events; ///< by the agent's own ids
    int m_lastEvent = 0;
    QString m_reviewed;       ///< the proposal whose hunks m_evidences are
    bool m_isReading = false; ///< a run that is to go on
    QString m_asked;          ///< the one that the person was led to
};

} // namespace warpwright
