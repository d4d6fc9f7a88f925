// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

namespace warpwright {

class Actions;
class AgentController;
class CandidatePanel;
class Dock;
class LeftRuns;
class ReplayController;
class Workbench;

/// The actions that go through a past run, or on from where one ended.
class ReplayActions : public QObject {
    Q_OBJECT
public:
    struct Parts {
        Actions &actions;
        AgentController &agent;
        Dock &agentDock;
        Workbench &bench;
        CandidatePanel &candidate;
        LeftRuns &left;
        ReplayController &replay;
    };
    ReplayActions(const Parts &parts, QObject *parent);

    void enable();

private:
    void connectSteps();
    void goOn();
    void enableContinue();

    const Parts m_parts;
};

/// It does nothing by itself, so that what was before it can be looked up meanwhile.
[[nodiscard]] bool waitsForReview(const AgentController &agent);

} // namespace warpwright
