// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/layout/settings_watch.h"

#include <QFileInfo>

#include <utility>

namespace warpwright {
namespace {

constexpr int readAfterMs = 400; // editors write in several steps, and we ourselves twice in a row

} // namespace

SettingsWatch::SettingsWatch(QString file, QObject *parent) : QObject(parent), m_file(std::move(file)) {
    m_wait.setSingleShot(true);
    m_wait.setInterval(readAfterMs);
    for (const auto told : {&QFileSystemWatcher::fileChanged, &QFileSystemWatcher::directoryChanged})
        connect(&m_watcher, told, this, [this] { m_wait.start(); });
    connect(&m_wait, &QTimer::timeout, this, [this] {
        watch();
        inPool(
            this, [file = m_file] { return Settings::load(file); },
            [this, job = m_jobs.next()](const Result<Settings> &loaded) {
                if (m_jobs.isStale(job) || m_wait.isActive())
                    return;
                // Any file of the folder brings us here: what is wrong is told once.
                const QString why = loaded.hasValue() ? QString() : loaded.message();
                const bool isSaid = std::exchange(m_said, why) == why;
                if (loaded.hasValue())
                    emit changed(loaded.value());
                else if (!isSaid)
                    emit failed(why);
            });
    });
    watch();
}

// Whoever writes a file by renaming another onto it takes the watched one away.
void SettingsWatch::watch() {
    QString folder = QFileInfo(m_file).path();
    while (!QFileInfo::exists(folder) && folder != QFileInfo(folder).path())
        folder = QFileInfo(folder).path(); // it is made with the first setting
    for (const QString &path : {folder, m_file})
        if (!m_watcher.files().contains(path) && !m_watcher.directories().contains(path) &&
            QFileInfo::exists(path))
            m_watcher.addPath(path);
}

} // namespace warpwright
