// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/factory/agent_by_name.h"

#include <QObject>

class QAction;

namespace warpwright {

class AgentController;
class AgentPanel;
class CandidatePanel;
class SettingsPage;
class Workbench;

/// A run whose agent is not set up any more: with whom it can go on.
class OtherAgents : public QObject {
    Q_OBJECT
public:
    struct Parts {
        AgentController &agent;
        AgentPanel &agentPanel;
        Workbench &bench;
        CandidatePanel &candidate;
        const SettingsPage &settingsPage;
    };
    OtherAgents(const Parts &parts, QObject *parent);

private:
    void offer(const QString &run, const AgentName &missing);

    const Parts m_parts;
    QList<QAction *> m_others;
};

} // namespace warpwright
