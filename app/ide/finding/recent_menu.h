// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/ide/workbench/job.h"
#include "toolchain/history/recent_workspaces.h"

#include <QList>
#include <QObject>

class QAction;
class QMenu;

namespace warpwright {

/// The workspaces that were open last, at the end of the drop-down in the head: those that are gone stay in
/// it, disabled, with the reason. Reads the list whenever the menu is about to open.
class RecentMenu : public QObject {
    Q_OBJECT
public:
    static constexpr int most = 10;

    RecentMenu(DataFolders folders, QMenu *menu, QObject *parent);

    /// The one that is open is listed without being offered.
    void setOpen(const QString &path);
    void show(const std::vector<RecentWorkspace> &recent);

signals:
    void openAsked(const QString &path);
    void failed(const QString &title, const QString &text);

private:
    void read();
    void fill();
    void clear();

    DataFolders m_folders;
    QMenu *m_menu;
    QString m_open;
    std::vector<RecentWorkspace> m_recent;
    QList<QAction *> m_rows; ///< ours in the menu
    JobNumber m_jobs;
};

/// «softmax · ~/kernels/softmax», a long folder with its middle left out.
[[nodiscard]] QString recentWords(const RecentWorkspace &workspace);

} // namespace warpwright
