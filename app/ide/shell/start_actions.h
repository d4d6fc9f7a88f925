// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

class QWidget;

namespace warpwright {

class Actions;
class StartPage;
class WindowNotices;
class WindowPages;
class Workbench;
class WorkspaceOpener;

/// What the start page offers: samples of ours, what was open the last time.
class StartActions : public QObject {
    Q_OBJECT
public:
    struct Parts {
        Actions &actions;
        Workbench &bench;
        WindowNotices &notices;
        WorkspaceOpener &opener;
        WindowPages &pages;
        StartPage &start;
    };
    StartActions(const Parts &parts, QWidget *window);

    /// The person's copy of a sample of ours, which itself stays as it is.
    void openSample(const QString &name);
    /// As it was when the program ended: the workspace at `path` that was open, else the start page.
    void resume(const QString &path);

private:
    void connectStart();
    void connectActions();
    void showKeys();

    const Parts m_parts;
    QWidget *m_window;
};

} // namespace warpwright
