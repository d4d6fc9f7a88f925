// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/compile/object_cache.h"

#include "toolchain/base/text_file.h"

#include <QCryptographicHash>
#include <QDateTime>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QSet>

#include <cerrno>
#include <cstdlib>
#include <fcntl.h>
#include <sys/stat.h>

namespace warpwright {

namespace {

constexpr qint64 secondsBetweenPrunings = 600;

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

std::unique_ptr<LifetimeLock> ObjectCache::claim(const QString &key) const {
    auto lock = std::make_unique<LifetimeLock>(m_folder + QLatin1Char('/') + key + QStringLiteral(".lock"));
    if (!lock->tryTake() && lock->error() == QLockFile::LockFailedError)
        return nullptr;
    return lock;
}

QString ObjectCache::listingPath(const QString &objectPath, const QString &tool) {
    const QFileInfo file(tool);
    const QString version = QStringLiteral("%1 %2 %3")
                                .arg(file.canonicalFilePath())
                                .arg(file.size())
                                .arg(file.lastModified().toMSecsSinceEpoch());
    return objectPath.chopped(2) + QLatin1Char('.') +
           QString::fromLatin1(
               QCryptographicHash::hash(version.toUtf8(), QCryptographicHash::Sha256).toHex().left(8)) +
           QStringLiteral(".sass");
}

void ObjectCache::prune(qint64 limitBytes) const {
    qint64 bytes = 0;
    QSet<QString> old;
    // Newest first.
    for (const QFileInfo &object :
         QDir(m_folder).entryInfoList({QStringLiteral("*.o")}, QDir::Files, QDir::Time)) {
        bytes += object.size();
        if (bytes > limitBytes)
            old.insert(object.completeBaseName());
    }
    if (old.isEmpty())
        return;
    for (const QString &file : QDir(m_folder).entryList(QDir::Files))
        if (old.contains(file.section(QLatin1Char('.'), 0, 0)))
            QFile::remove(m_folder + QLatin1Char('/') + file);
}

void ObjectCache::pruneNowAndThen(qint64 limitBytes) const {
    const QString last = m_folder + QStringLiteral("/pruned");
    const QFileInfo info(last);
    if (info.exists() &&
        std::abs(info.lastModified().secsTo(QDateTime::currentDateTime())) < secondsBetweenPrunings)
        return;
    if (info.exists())
        markAsUsed(last);
    else
        (void)writeFileAtomically(last, {}).hasValue();
    prune(limitBytes);
}

} // namespace warpwright
