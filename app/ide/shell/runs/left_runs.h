// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/factory/reopened_run.h"

#include <QObject>

namespace warpwright {

class Actions;
class AgentController;
class CandidatePanel;
class WindowNotices;
class Workbench;
class WorkspaceOpener;
struct LeftWork;

/// A run that was left in the open workspace is looked for, and continued where that was asked for.
class LeftRuns : public QObject {
    Q_OBJECT
public:
    struct Parts {
        Actions &actions;
        AgentController &agent;
        Workbench &bench;
        CandidatePanel &candidate;
        WindowNotices &notices;
        WorkspaceOpener &opener;
    };
    LeftRuns(const Parts &parts, QObject *parent);

    [[nodiscard]] const LeftRun &left() const { return m_left; } ///< of the open workspace
    void forget() { m_left = {}; }
    void look();
    void continueOpened(); ///< the lesson that was opened for it

signals:
    void found();
    void looked(const warpwright::LeftWork &work); ///< after found(): what can be done with it

private:
    void tellAnswers();

    const Parts m_parts;
    LeftRun m_left;
    QString m_toldAnswers; ///< the run whose answers in the text were told
};

} // namespace warpwright
