// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

namespace warpwright {

class AgentController;
class BuildPanel;
class IterationsPanel;
class ProfilePanel;
class DisplayedIterations;
class Workbench;

/// How the work stands, in the tree of iterations: which there are, what is measured, what is proposed.
class TreeDisplay : public QObject {
    Q_OBJECT
public:
    struct Parts {
        const Workbench &bench;
        BuildPanel &build;
        IterationsPanel &iterations;
        ProfilePanel &profile;
        const DisplayedIterations &shown;
    };
    TreeDisplay(const Parts &parts, QObject *parent);
    void setAgent(const AgentController &agent) { m_agent = &agent; } ///< once it is made

    void showRecords();
    void showProposal();
    void showMeasuredFirst();

signals:
    void recordsShown();

private:
    const Parts m_parts;
    const AgentController *m_agent = nullptr;
};

} // namespace warpwright
