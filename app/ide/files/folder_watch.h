// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ide/workbench/job.h"
#include "toolchain/base/data_folders.h"
#include "toolchain/workspace/workspace.h"

#include <QElapsedTimer>
#include <QFileSystemWatcher>
#include <QObject>
#include <QTimer>

namespace warpwright {

/// Other programs bring files into the workspace that have no tab yet: git, a terminal, another editor. Looks
/// in the pool. Of what goes away the open files tell themselves, for they may hold unsaved text.
class FolderWatch : public QObject {
    Q_OBJECT
public:
    FolderWatch(DataFolders folders, QObject *parent);

    /// The files that are known from now on. A lone file has none.
    void setWorkspace(const Workspace &workspace);
    /// Also by itself; for when the window gets the focus, since network drives tell nothing.
    void look();
    void stop();

signals:
    /// Relative to the workspace.
    void filesCame(const QStringList &files);

private:
    void lookSoon();

    DataFolders m_folders;
    Workspace m_workspace;
    QFileSystemWatcher m_watcher;
    QTimer m_soon;
    QElapsedTimer m_waits; ///< since something was told that is not looked at yet
    JobNumber m_jobs;
    bool m_isLooking = false;
};

} // namespace warpwright
