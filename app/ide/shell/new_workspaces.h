// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

class QWidget;

namespace warpwright {

class Actions;
class ProblemList;
class WindowNotices;
class WindowPages;
class Workbench;
class WorkspaceOpener;

/// Workspaces made from a reference, one of a list of problems among them; a first candidate.
class NewWorkspaces : public QObject {
    Q_OBJECT
public:
    struct Parts {
        Actions &actions;
        Workbench &bench;
        WindowNotices &notices;
        WorkspaceOpener &opener;
        WindowPages &pages;
        ProblemList &problems;
    };
    NewWorkspaces(const Parts &parts, QWidget *window);

private:
    void connectProblems();
    void newWorkspaceFrom(const QString &modelFile);
    void askWorkspaceFrom(const QString &modelFile); ///< where it is to lie
    void makeWorkspaceIn(const QString &folder, const QString &modelFile);
    void beginCandidate();

    const Parts m_parts;
    QWidget *m_window;
};

} // namespace warpwright
