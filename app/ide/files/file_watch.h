// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDateTime>
#include <QElapsedTimer>
#include <QFileSystemWatcher>
#include <QObject>
#include <QTimer>

namespace warpwright {

/// Tells when one file is written, taken away or made, where its folder is not there yet either: then the
/// nearest folder above it is watched. What else happens in a folder is not told.
class FileWatch : public QObject {
    Q_OBJECT
public:
    explicit FileWatch(QObject *parent = nullptr);

    /// Empty: none. As it is now counts as known; the same file again changes nothing.
    void setFile(const QString &file);

signals:
    /// Once for what a program writes in several steps.
    void changed();

private:
    /// A file of the same size that was written at the same moment is the same.
    struct Seen {
        bool isThere = false;
        qint64 size = 0;
        QDateTime time;
        bool operator==(const Seen &) const = default;
    };
    [[nodiscard]] Seen look() const;
    void watch();
    void lookSoon();
    void forget();

    QString m_file;
    Seen m_seen;
    QFileSystemWatcher m_watcher;
    QTimer m_wait;
    QElapsedTimer m_waits; ///< since something was told that is not looked at yet
};

} // namespace warpwright
