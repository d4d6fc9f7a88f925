// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/files/folder_watch.h"

#include <QFileInfo>

namespace warpwright {
namespace {

constexpr int lookAfterMs = 150;   // a checkout writes many files, and each is taken away before
constexpr int lookWithinMs = 2000; // a program that writes on and on is never quiet

QStringList filesOf(const Workspace &workspace) {
    QStringList files;
    for (const SourceFile &source : workspace.sources)
        files << source.name;
    if (!workspace.modelNewFile.isEmpty())
        files << QFileInfo(workspace.modelNewFile).fileName();
    return files;
}

} // namespace

FolderWatch::FolderWatch(DataFolders folders, QObject *parent)
    : QObject(parent), m_folders(std::move(folders)) {
    m_soon.setSingleShot(true);
    m_soon.setInterval(lookAfterMs);
    connect(&m_soon, &QTimer::timeout, this, &FolderWatch::look);
    connect(&m_watcher, &QFileSystemWatcher::directoryChanged, this, &FolderWatch::lookSoon);
}

void FolderWatch::setWorkspace(const Workspace &workspace) {
    if (m_workspace.folder != workspace.folder)
        stop();
    m_jobs.next();
    m_workspace = workspace;
    if (workspace.isLoneFile)
        return;
    if (m_isLooking) // what it would have told may have come after these were read
        lookSoon();
    for (const QString &folder : {workspace.folder, workspace.folder + QStringLiteral("/kernels")})
        if (!m_watcher.directories().contains(folder) && QFileInfo::exists(folder))
            m_watcher.addPath(folder);
}

void FolderWatch::stop() {
    m_jobs.next();
    m_soon.stop();
    m_waits.invalidate();
    m_isLooking = false;
    m_workspace = {};
    if (!m_watcher.directories().isEmpty())
        m_watcher.removePaths(m_watcher.directories());
}

void FolderWatch::lookSoon() {
    if (!m_waits.isValid())
        m_waits.start();
    if (!m_soon.isActive() || m_waits.elapsed() < lookWithinMs)
        m_soon.start();
}

void FolderWatch::look() {
    m_waits.invalidate();
    if (m_workspace.folder.isEmpty() || m_workspace.isLoneFile)
        return;
    m_isLooking = true;
    inPool(
        this, [folder = m_workspace.folder, folders = m_folders] { return Workspace::open(folder, folders); },
        [this, job = m_jobs.next()](const Result<Workspace> &now) {
            if (m_jobs.isStale(job))
                return;
            m_isLooking = false;
            if (!now.hasValue())
                return;
            // A folder that came back is not the one that was watched.
            for (const QString &folder :
                 {m_workspace.folder, m_workspace.folder + QStringLiteral("/kernels")})
                if (!m_watcher.directories().contains(folder) && QFileInfo::exists(folder))
                    m_watcher.addPath(folder);
            QStringList others = filesOf(now.value());
            for (const QString &known : filesOf(m_workspace))
                others.removeAll(known);
            if (!others.isEmpty())
                emit filesCame(others);
        });
}

} // namespace warpwright
