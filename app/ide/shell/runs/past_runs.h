// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

class QWidget;

namespace warpwright {

class Actions;
class AgentController;
class Look;
class PastRunsPage;
class ReplayController;
class WindowNotices;
class WindowPages;
class Workbench;

/// The page of past runs, and the run that has ended: opened from there.
class PastRuns : public QObject {
    Q_OBJECT
public:
    struct Parts {
        Actions &actions;
        const AgentController &agent;
        const Workbench &bench;
        const Look &look;
        WindowNotices &notices;
        WindowPages &pages;
        ReplayController &replay;
    };
    PastRuns(const Parts &parts, QWidget *window);

private:
    void openLastRun();

    const Parts m_parts;
    QWidget *m_window;
    PastRunsPage *m_page;
};

} // namespace warpwright
