// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/base/text_file.h"

#include <QDateTime>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QRandomGenerator>

#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

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

namespace {

constexpr qint64 longestWriteSeconds = 3600;
constexpr int namesToTry = 100;

QString startOfTemporary(const QFileInfo &target) {
    return QLatin1Char('.') + target.fileName() + QStringLiteral(".new-");
}

/// Removes what killed processes left of their writes to `target`.
void removeLeftovers(const QFileInfo &target) {
    const QDateTime limit = QDateTime::currentDateTimeUtc().addSecs(-longestWriteSeconds);
    for (const QFileInfo &file :
         QDir(target.path())
             .entryInfoList({QStringLiteral(".*.new-*")}, QDir::Files | QDir::Hidden | QDir::NoSymLinks))
        if (file.fileName().startsWith(startOfTemporary(target)) && file.lastModified().toUTC() < limit)
            QFile::remove(file.filePath());
}

/// A new file beside `target`, hidden: whoever reads the folder does not take what a killed process leaves
/// for a kernel. Its descriptor, or -1 with errno.
int openBeside(const QFileInfo &target, QByteArray &name) {
    for (int i = 0; i < namesToTry; ++i) {
        const quint32 number = QRandomGenerator::global()->generate();
        name = QFile::encodeName(target.path() + QLatin1Char('/') + startOfTemporary(target) +
                                 QString::number(number, 36));
        const int file = ::open(name.constData(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (file >= 0 || errno != EEXIST)
            return file;
    }
    return -1;
}

bool writeAll(int file, const QByteArray &bytes) {
    for (qsizetype done = 0; done < bytes.size();) {
        const ssize_t written =
            ::write(file, bytes.constData() + done, static_cast<size_t>(bytes.size() - done));
        if (written >= 0)
            done += written;
        else if (errno != EINTR)
            return false;
    }
    return true;
}

/// Of a link: the file that it points to.
QFileInfo targetOf(const QString &path) {
    const QFileInfo info(path);
    if (!info.isSymLink())
        return info;
    return QFileInfo(info.exists() ? info.canonicalFilePath() : info.symLinkTarget());
}

/// Writes beside `target`, syncs and renames. 0, or errno.
int replaceFile(const QFileInfo &target, const QByteArray &bytes) {
    const QByteArray old = QFile::encodeName(target.filePath());
    struct stat before {};
    const bool isThere = ::stat(old.constData(), &before) == 0;
    if (isThere && ::access(old.constData(), W_OK) != 0)
        return errno;
    QByteArray name;
    const int file = openBeside(target, name);
    if (file < 0)
        return errno;
    const bool isWritten = (!isThere || ::fchmod(file, before.st_mode & 07777) == 0) &&
                           writeAll(file, bytes) && ::fsync(file) == 0;
    int problem = isWritten ? 0 : errno;
    if (::close(file) != 0 && problem == 0)
        problem = errno;
    if (problem == 0 && std::rename(name.constData(), old.constData()) != 0)
        problem = errno;
    if (problem != 0)
        ::unlink(name.constData());
    return problem;
}

} // namespace

Result<void> writeFileAtomically(const QString &path, const QByteArray &bytes) {
    if (const auto made = makeFolder(QFileInfo(path).path()); !made.hasValue())
        return made;
    const QFileInfo target = targetOf(path);
    QString reason;
    if (target.exists() && !target.isFile()) { // a pipe or a device must not be replaced
        reason = QStringLiteral("it is not a file");
    } else {
        removeLeftovers(target);
        if (const int problem = replaceFile(target, bytes); problem != 0)
            reason = qt_error_string(problem);
    }
    return reason.isEmpty() ? Result<void>::ok()
                            : Result<void>::error(sentence(QStringLiteral("write"), path, reason,
                                                           adviceForFullDisk(target.path(), reason)));
}

} // namespace warpwright
