// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

namespace warpwright {

class Actions;
class AgentController;
class CounterController;
class DeviceDisplay;
class LessonController;
class Workbench;

/// Which actions can be done now, and why the others cannot. Those who have actions of their own follow
/// updated().
class ActionReasons : public QObject {
    Q_OBJECT
public:
    struct Parts {
        Actions &actions;
        Workbench &bench;
        CounterController &counters;
        DeviceDisplay &device;
        LessonController &lesson;
    };
    ActionReasons(const Parts &parts, QObject *parent);
    void setAgent(AgentController &agent) { m_agent = &agent; } ///< once it is made

    void update();

signals:
    void updated();

private:
    void updateRuns();
    void updateTexts();
    void updateIterations();
    [[nodiscard]] bool hasRun() const;
    [[nodiscard]] QString runWords() const; ///< empty: no run goes on

    const Parts m_parts;
    AgentController *m_agent = nullptr; ///< made later
};

} // namespace warpwright
