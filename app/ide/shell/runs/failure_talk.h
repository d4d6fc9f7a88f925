// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

class QStackedWidget;

namespace warpwright {

class AgentController;
class AgentPanel;
class BuildPanel;
class Dock;
class WindowPages;
class Workbench;

/// What failed is asked about where agents are talked to; what is wrong with a proposal is shown where
/// failures are.
class FailureTalk : public QObject {
    Q_OBJECT
public:
    struct Parts {
        AgentController &agent;
        Dock &agentDock;
        AgentPanel &agentPanel;
        QStackedWidget &agentStack;
        Workbench &bench;
        BuildPanel &build;
        WindowPages &pages;
    };
    FailureTalk(const Parts &parts, QObject *parent);

private:
    const Parts m_parts;
};

} // namespace warpwright
