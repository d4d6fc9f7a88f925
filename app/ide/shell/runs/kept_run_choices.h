// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

namespace warpwright {

class Actions;
class AgentController;
class WindowState;

/// What a person chose for the next run, kept beyond the window: its budgets, whether the expert goes first.
class KeptRunChoices : public QObject {
    Q_OBJECT
public:
    struct Parts {
        const Actions &actions;
        AgentController &agent;
        WindowState &state;
    };
    KeptRunChoices(const Parts &parts, QObject *parent);

private:
    const Parts m_parts;
};

} // namespace warpwright
