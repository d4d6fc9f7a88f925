// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/files/file_watch.h"

#include <QFileInfo>

#include <utility>

namespace warpwright {
namespace {

constexpr int lookAfterMs = 100;
constexpr int lookWithinMs = 1000; // a build writes beside it for minutes, and is never quiet

} // namespace

FileWatch::FileWatch(QObject *parent) : QObject(parent) {
    m_wait.setSingleShot(true);
    m_wait.setInterval(lookAfterMs);
    for (const auto told : {&QFileSystemWatcher::fileChanged, &QFileSystemWatcher::directoryChanged})
        connect(&m_watcher, told, this, &FileWatch::lookSoon);
    connect(&m_wait, &QTimer::timeout, this, [this] {
        m_waits.invalidate();
        watch();
        const Seen now = look();
        if (std::exchange(m_seen, now) != now)
            emit changed();
    });
}

void FileWatch::setFile(const QString &file) {
    if (file == m_file)
        return;
    forget();
    m_file = file;
    if (m_file.isEmpty())
        return;
    watch();
    m_seen = look();
}

void FileWatch::lookSoon() {
    if (!m_waits.isValid())
        m_waits.start();
    if (!m_wait.isActive() || m_waits.elapsed() < lookWithinMs)
        m_wait.start();
}

FileWatch::Seen FileWatch::look() const {
    const QFileInfo info(m_file);
    return info.exists() ? Seen{true, info.size(), info.lastModified()} : Seen();
}

// Whoever writes a file by renaming another onto it takes the watched one away.
void FileWatch::watch() {
    QString folder = QFileInfo(m_file).path();
    while (!QFileInfo::exists(folder) && folder != QFileInfo(folder).path())
        folder = QFileInfo(folder).path();
    for (const QString &watched : m_watcher.directories())
        if (watched != folder)
            m_watcher.removePath(watched);
    for (const QString &path : {folder, m_file})
        if (!m_watcher.files().contains(path) && !m_watcher.directories().contains(path) &&
            QFileInfo::exists(path))
            m_watcher.addPath(path);
    // Made between the look at its folder and the watch: nobody would tell.
    if (folder != QFileInfo(m_file).path() && QFileInfo::exists(QFileInfo(m_file).path()))
        lookSoon();
}

void FileWatch::forget() {
    m_wait.stop();
    m_waits.invalidate();
    for (const QStringList &paths : {m_watcher.files(), m_watcher.directories()})
        if (!paths.isEmpty())
            m_watcher.removePaths(paths);
    m_seen = {};
}

} // namespace warpwright
