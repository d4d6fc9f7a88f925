// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

namespace warpwright {

class Actions;
class AgentController;
class CandidatePanel;
class Dock;
class LessonController;
class RunOffers;
class Workbench;

/// The run of a lesson: begun, and what page and dock say of it.
class LessonRun : public QObject {
    Q_OBJECT
public:
    struct Parts {
        Actions &actions;
        AgentController &agent;
        Dock &agentDock;
        const Workbench &bench;
        CandidatePanel &candidate;
        LessonController &lesson;
        RunOffers &offers;
    };
    LessonRun(const Parts &parts, QObject *parent);

private:
    const Parts m_parts;
};

} // namespace warpwright
