// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/record/live_run.h"

#include "agent/record/trajectory_event.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QLockFile>
#include <QSysInfo>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace warpwright {
namespace {

/// By a writer of this process: a run that has just ended is still being brought onto the disk.
bool isWrittenHere(const struct stat &file) {
    const QStringList open = QDir(QStringLiteral("/proc/self/fd")).entryList(QDir::AllEntries | QDir::System);
    return std::any_of(open.begin(), open.end(), [&file](const QString &name) {
        bool isNumber = false;
        const int handle = name.toInt(&isNumber);
        struct stat there {};
        return isNumber && ::fstat(handle, &there) == 0 && there.st_dev == file.st_dev &&
               there.st_ino == file.st_ino && (::fcntl(handle, F_GETFL) & O_ACCMODE) != O_RDONLY;
    });
}

/// Its writer holds the file as long as it lives. Whoever asks for a share gives it back at once, and a
/// program that goes on with the run tries more than once.
bool isHeldElsewhere(const QString &trajectory) {
    const int handle = ::open(QFile::encodeName(trajectory).constData(), O_RDONLY | O_CLOEXEC);
    if (handle < 0)
        return false;
    struct stat file {};
    const bool isHeld = ::flock(handle, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK &&
                        ::fstat(handle, &file) == 0 && !isWrittenHere(file);
    ::close(handle);
    return isHeld;
}

} // namespace

std::optional<qint64> otherProcessAt(const QString &stateFolder, const QString &run) {
    if (!isHeldElsewhere(trajectoryFile(runsFolder(stateFolder) + QLatin1Char('/') + run)))
        return std::nullopt;
    qint64 process = 0;
    QString host, program;
    const QLockFile lock(stateFolder + QStringLiteral("/lock"));
    if (!lock.getLockInfo(&process, &host, &program))
        return 0;
    // A child that a dead program has left behind holds the file for a moment; nobody works on the run.
    const bool isOurs = process == QCoreApplication::applicationPid();
    const bool isDead =
        host == QSysInfo::machineHostName() && ::kill(static_cast<pid_t>(process), 0) != 0 && errno == ESRCH;
    return isOurs || isDead ? std::nullopt : std::optional(process);
}

std::optional<qint64> otherProcessAt(const QString &stateFolder) {
    const QStringList runs = QDir(runsFolder(stateFolder))
                                 .entryList(QDir::Dirs | QDir::NoDotAndDotDot, QDir::Name | QDir::Reversed);
    for (const QString &run : runs)
        if (const std::optional<qint64> process = otherProcessAt(stateFolder, run))
            return process;
    return std::nullopt;
}

QString runsElsewhereWords(qint64 process) {
    return process == 0 ? QStringLiteral("runs in another window")
                        : QStringLiteral("runs in another window (process %1)").arg(process);
}

} // namespace warpwright
