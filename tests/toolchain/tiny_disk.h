// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDir>
#include <QString>

#include <sys/mount.h>

/// A disk of a few kilobytes; only root may make one.
class TinyDisk {
public:
    TinyDisk(const QString &folder, int kilobytes) : m_folder(folder) {
        QDir().mkpath(folder);
        const QByteArray size = "size=" + QByteArray::number(kilobytes) + "k";
        m_isMounted = mount("tmpfs", qPrintable(folder), "tmpfs", 0, size.constData()) == 0;
    }
    ~TinyDisk() {
        if (m_isMounted)
            umount2(qPrintable(m_folder), MNT_DETACH);
    }
    TinyDisk(const TinyDisk &) = delete;
    TinyDisk &operator=(const TinyDisk &) = delete;

    [[nodiscard]] bool isMounted() const { return m_isMounted; }

private:
    QString m_folder;
    bool m_isMounted = false;
};

/// Takes the right to write into a folder away, from root too, as long as it lives.
class ReadOnlyFolder {
public:
    explicit ReadOnlyFolder(const QString &folder) : m_folder(folder.toLocal8Bit()) {
        m_isMounted = mount(m_folder, m_folder, nullptr, MS_BIND, nullptr) == 0 &&
                      mount(nullptr, m_folder, nullptr, MS_REMOUNT | MS_BIND | MS_RDONLY, nullptr) == 0;
    }
    ~ReadOnlyFolder() { umount2(m_folder, MNT_DETACH); }
    ReadOnlyFolder(const ReadOnlyFolder &) = delete;
    ReadOnlyFolder &operator=(const ReadOnlyFolder &) = delete;

    [[nodiscard]] bool isMounted() const { return m_isMounted; }

private:
    QByteArray m_folder;
    bool m_isMounted = false;
};
