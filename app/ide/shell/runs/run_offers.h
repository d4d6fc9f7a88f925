// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/factory/reopened_run.h"

#include <QObject>

class QAction;
class QWidget;

namespace warpwright {

class Actions;
class AgentController;
class AgentPanel;
class CandidatePanel;
class Dock;
class LeftRuns;
class LessonController;
class WayBack;
class Workbench;
struct LeftWork;

/// Who can be asked to begin a run, and how one begins: what the agent's pane offers where no run goes on.
class RunOffers : public QObject {
    Q_OBJECT
public:
    struct Parts {
        Actions &actions;
        AgentController &agent;
        Dock &agentDock;
        AgentPanel &agentPanel;
        Workbench &bench;
        CandidatePanel &candidate;
        LeftRuns &left;
        LessonController &lesson;
    };
    RunOffers(const Parts &parts, QWidget *window);

    void showNoRun();
    void offerAnew(); ///< where no run goes on, and none was left
    void workspaceOpened();

private:
    void connectActions();
    void begin(const AgentName &agent, const QString &source = {});
    void offerLeft(const LeftWork &work);
    void offer();
    void offerOfRunning();
    [[nodiscard]] bool showLesson();
    void readMessage();
    [[nodiscard]] QList<QAction *> offered() const;

    const Parts m_parts;
    QWidget *m_window;
    WayBack *m_wayBack;
    QString m_talkedIn;    ///< the workspace whose run the agent's pane shows
    AgentName m_lastAgent; ///< a model or another program's agent that worked in it; You: none did
    QString m_lastSource;
};

} // namespace warpwright
