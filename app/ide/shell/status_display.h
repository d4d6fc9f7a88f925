// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

namespace warpwright {

class Actions;
class AgentController;
class CounterController;
class StatusLine;
class Workbench;
struct BannerState;

/// How the work stands, in the status line.
class StatusDisplay : public QObject {
    Q_OBJECT
public:
    struct Parts {
        const Actions &actions;
        const Workbench &bench;
        const CounterController &counters;
        StatusLine &status;
    };
    StatusDisplay(const Parts &parts, QObject *parent);
    void setAgent(const AgentController &agent) { m_agent = &agent; } ///< once it is made

    void show(const BannerState &state);

private:
    const Parts m_parts;
    const AgentController *m_agent = nullptr;
};

} // namespace warpwright
