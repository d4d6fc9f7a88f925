// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/base/text_file.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QSaveFile>

#include <cerrno>

namespace warpwright {

QString adviceForFullDisk(const QString &folder, const QString &reason) {
    // The C library's words: Qt translates only its own, and we run tools with LC_ALL=C.UTF-8.
    const bool isFull = reason.contains(QLatin1String("No space left on device")) ||
                        reason.contains(QLatin1String("Disk quota exceeded")) ||
                        reason.contains(QLatin1String("File too large"));
    return isFull ? QStringLiteral("Free some space on the disk that holds \"%1\" and try again.").arg(folder)
                  : QString();
}

namespace {

QString sentence(const QString &what, const QString &path, const QString &reason, const QString &advice) {
    QString text = QStringLiteral("Cannot %1 \"%2\": %3.").arg(what, path, reason);
    if (!advice.isEmpty())
        text += QLatin1Char(' ') + advice;
    return text;
}

} // namespace

Result<QByteArray> readTextFile(const QString &path, qint64 limitBytes) {
    using Answer = Result<QByteArray>;
    const QFileInfo info(path);
    // Opening a pipe would wait for its writer, and a folder opens but does not read.
    if (info.exists() && !info.isFile())
        return Answer::error(sentence(QStringLiteral("read"), path, QStringLiteral("it is not a file"), {}));
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return Answer::error(sentence(QStringLiteral("read"), path, file.errorString(), {}));
    QByteArray bytes = file.read(limitBytes + 1);
    if (file.error() != QFileDevice::NoError)
        return Answer::error(sentence(QStringLiteral("read"), path, file.errorString(), {}));
    if (bytes.size() > limitBytes)
        return Answer::error(sentence(QStringLiteral("read"), path,
                                      QStringLiteral("it is larger than %1 bytes").arg(limitBytes), {}));
    return Answer::ok(std::move(bytes));
}

QString nearestFolder(const QString &path) {
    QFileInfo info(path);
    while (!info.exists() && info.filePath() != info.path())
        info = QFileInfo(info.path());
    return info.isDir() ? info.filePath() : info.path();
}

Result<void> makeFolder(const QString &path) {
    if (QDir(path).exists())
        return Result<void>::ok();
    // QDir::mkpath gives no reason, so the missing ones are made one by one: errno is then that of the first
    // that fails.
    const QFileInfo info(path);
    const QString parent = info.path();
    if (parent != path && !QDir(parent).exists())
        if (const auto made = makeFolder(parent); !made.hasValue())
            return made;
    errno = 0;
    const bool isMade = QDir().mkdir(path);
    const int problem = errno; // whoever looks whether it is there sets another
    if (isMade || QDir(path).exists())
        return Result<void>::ok();
    const QString reason = info.exists() ? QStringLiteral("a file is in the way") : qt_error_string(problem);
    return Result<void>::error(
        sentence(QStringLiteral("make the folder"), path, reason, adviceForFullDisk(parent, reason)));
}

Result<void> writeFileAtomically(const QString &path, const QByteArray &bytes) {
    const QString folder = QFileInfo(path).path();
    if (const auto made = makeFolder(folder); !made.hasValue())
        return made;
    QSaveFile file(path);
    bool isDone = file.open(QIODevice::WriteOnly);
    QString reason = file.errorString();
    if (isDone) {
        // Qt 6.4's QSaveFile says «Unknown error» of a full disk; the system's own number still says it.
        errno = 0;
        isDone = file.write(bytes) == bytes.size() && file.flush();
        reason = errno != 0 ? qt_error_string(errno) : file.errorString();
    }
    if (isDone) {
        isDone = file.commit();
        reason = file.errorString();
    }
    if (!isDone)
        return Result<void>::error(
            sentence(QStringLiteral("write"), path, reason, adviceForFullDisk(folder, reason)));
    return Result<void>::ok();
}

} // namespace warpwright
