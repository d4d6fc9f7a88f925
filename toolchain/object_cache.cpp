// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/object_cache.h"

#include "toolchain/text_file.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>

#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>

namespace warpwright {

namespace {

void markAsUsed(const QString &path) {
    utimensat(AT_FDCWD, QFile::encodeName(path).constData(), nullptr, 0);
}

} // namespace

ObjectCache::ObjectCache(QString folder) : m_folder(std::move(folder)) {}

QString ObjectCache::objectPath(const QString &key) const {
    return m_folder + QLatin1Char('/') + key + QStringLiteral(".o");
}

QString ObjectCache::logPath(const QString &key) const {
    return m_folder + QLatin1Char('/') + key + QStringLiteral(".log");
}

std::optional<QByteArray> ObjectCache::find(const QString &key) const {
    // An object of no bytes is what a machine leaves that lost its power in the wrong moment.
    if (QFileInfo(objectPath(key)).size() == 0)
        return std::nullopt;
    const auto log = readTextFile(logPath(key));
    if (!log.hasValue())
        return std::nullopt;
    markAsUsed(objectPath(key));
    return log.value();
}

Result<void> ObjectCache::store(const QString &key, const QString &object, const QByteArray &log) const {
    // The object comes last: who sees it finds its log, too.
    if (const auto written = writeFileAtomically(logPath(key), log); !written.hasValue())
        return written;
    if (::rename(QFile::encodeName(object).constData(), QFile::encodeName(objectPath(key)).constData()) !=
        0) {
        const QString reason = qt_error_string(errno);
        return Result<void>::error(
            QStringLiteral("Cannot move \"%1\" to \"%2\": %3. %4")
                .arg(object, objectPath(key), reason, adviceForFullDisk(m_folder, reason))
                .trimmed());
    }
    return Result<void>::ok();
}

void ObjectCache::prune(qint64 limitBytes) const {
    qint64 bytes = 0;
    // Newest first.
    for (const QFileInfo &object :
         QDir(m_folder).entryInfoList({QStringLiteral("*.o")}, QDir::Files, QDir::Time)) {
        bytes += object.size();
        if (bytes <= limitBytes)
            continue;
        QFile::remove(object.filePath());
        QFile::remove(logPath(object.completeBaseName()));
    }
}

} // namespace warpwright
