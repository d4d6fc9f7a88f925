// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

class QJsonObject;

namespace warpwright {

class AgentController;
class CandidatePanel;
class Comparing;
class LeftRuns;
class WindowState;
class Workbench;
class WorkspaceOpener;

/// What of a workspace was looked at, the comparison as well: it comes back when that is opened again.
class KeptPlace : public QObject {
    Q_OBJECT
public:
    struct Parts {
        AgentController &agent;
        Workbench &bench;
        CandidatePanel &candidate;
        Comparing &comparing;
        LeftRuns &left;
        WorkspaceOpener &opener;
        WindowState &state;
    };
    KeptPlace(const Parts &parts, QObject *parent);

    void keep();       ///< from now on
    void save() const; ///< into the window's state
    void restore();    ///< its files are in the editors now

private:
    void gather(QJsonObject &state) const;

    const Parts m_parts;
};

} // namespace warpwright
