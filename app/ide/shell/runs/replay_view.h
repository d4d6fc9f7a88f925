// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

class QAction;
class QStackedWidget;

namespace warpwright {

class AgentPanel;
class Dock;
class PastRunPanel;
class ProfilePanel;
class ReplayBar;
class ReplayController;

/// Where a past run is seen while it is open: in place of the live agent, and in its bar.
class ReplayView : public QObject {
    Q_OBJECT
public:
    struct Parts {
        Dock &agentDock;
        AgentPanel &agentPanel;
        QStackedWidget &agentStack;
        PastRunPanel &pastRun;
        QAction &play;
        ReplayController &replay;
        ReplayBar &replayBar;
    };
    ReplayView(const Parts &parts, QObject *parent);

private:
    const Parts m_parts;
};

/// The hunks of the proposal that a past run shows.
void showHunksOf(ReplayController &replay, ProfilePanel &profile);

} // namespace warpwright
