// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/finding/recent_menu.h"

#include "app/ide/start/start_rows.h"

#include <QMenu>

namespace warpwright {
namespace {

constexpr qsizetype longestFolder = 48;

} // namespace

QString recentWords(const RecentWorkspace &workspace) {
    QString folder = homePath(workspace.path);
    if (folder.size() > longestFolder)
        folder = folder.left(longestFolder / 3) + QStringLiteral("…") + folder.right(longestFolder * 2 / 3);
    // An ampersand would be taken for a key of the menu.
    return QStringLiteral("%1 · %2").arg(workspace.name, folder).replace(u'&', QStringLiteral("&&"));
}

RecentMenu::RecentMenu(DataFolders folders, QMenu *menu, QObject *parent)
    : QObject(parent), m_folders(std::move(folders)), m_menu(menu) {
    menu->setToolTipsVisible(true);
    connect(menu, &QMenu::aboutToShow, this, &RecentMenu::read);
    read();
}

void RecentMenu::read() {
    const int job = m_jobs.next();
    inPool(
        this, [folders = m_folders] { return RecentWorkspaces(folders).list(); },
        [this, job](const std::vector<RecentWorkspace> &recent) {
            if (!m_jobs.isStale(job))
                show(recent);
        });
}

void RecentMenu::show(const std::vector<RecentWorkspace> &recent) {
    if (!m_rows.isEmpty() && recent == m_recent)
        return;
    m_recent = recent;
    fill();
}

void RecentMenu::setOpen(const QString &path) {
    if (std::exchange(m_open, path) != path && !m_rows.isEmpty())
        fill();
}

void RecentMenu::fill() {
    for (QAction *row : std::as_const(m_rows)) {
        m_menu->removeAction(row);
        row->deleteLater();
    }
    m_rows.clear();
    m_rows << m_menu->addSeparator();
    for (const RecentWorkspace &workspace : m_recent) {
        if (m_rows.size() > most)
            break;
        const bool isOpen = workspace.path == m_open;
        QAction *row = m_menu->addAction(recentWords(workspace));
        row->setToolTip(workspace.path);
        if (workspace.isMissing) {
            row->setText(tr("%1 (moved or removed)").arg(row->text()));
            row->setToolTip(tr("\"%1\" is not there any more.").arg(workspace.path));
        } else if (isOpen) {
            row->setText(tr("%1 (open)").arg(row->text()));
        }
        row->setEnabled(!workspace.isMissing && !isOpen);
        connect(row, &QAction::triggered, this, [this, path = workspace.path] { emit openAsked(path); });
        m_rows << row;
    }
    if (m_recent.empty()) {
        m_rows << m_menu->addAction(tr("No workspace was opened before"));
        m_rows.back()->setEnabled(false);
        return;
    }
    m_rows << m_menu->addAction(tr("Clear this list"));
    connect(m_rows.back(), &QAction::triggered, this, &RecentMenu::clear);
}

void RecentMenu::clear() {
    inPool(
        this,
        [folders = m_folders, recent = m_recent] {
            for (const RecentWorkspace &workspace : recent)
                if (const Result<void> gone = RecentWorkspaces(folders).forget(workspace.path);
                    !gone.hasValue())
                    return gone;
            return Result<void>::ok();
        },
        [this](const Result<void> &cleared) {
            if (!cleared.hasValue())
                emit failed(tr("The list was not cleared"), cleared.message());
            read();
        });
}

} // namespace warpwright
