// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

namespace warpwright {

class Actions;
class AgentController;
class AgentPanel;
class Dock;
class PaneOpener;
class WindowNotices;
class WindowPages;

/// Tells wherever the window is what the agent needs: an answer, a review, leave to go on after its run was
/// broken off.
class AgentWatch : public QObject {
    Q_OBJECT
public:
    struct Parts {
        Actions &actions;
        AgentController &agent;
        Dock &agentDock;
        AgentPanel &agentPanel;
        WindowNotices &notices;
        WindowPages &pages;
        PaneOpener &panes;
    };
    AgentWatch(const Parts &parts, QObject *parent);

private:
    void connectBreaks();
    void connectQuestions();

    const Parts m_parts;
};

} // namespace warpwright
