// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/process/lifetime_lock.h"

#include <QDateTime>
#include <QFileInfo>

namespace warpwright {
namespace {

// Killed, and its parent has not asked how it ended yet: such a process answers signals as if it lived.
bool isZombie(qint64 process) {
    QFile file(QStringLiteral("/proc/%1/stat").arg(process));
    if (!file.open(QIODevice::ReadOnly))
        return false;
    const QByteArray text = file.readAll(); // "4711 (name) Z 1 ...", and the name may hold anything
    return text.mid(text.lastIndexOf(')') + 2, 1) == "Z";
}

} // namespace

LifetimeLock::LifetimeLock(const QString &file) : QLockFile(file) {
    setStaleLockTime(0);
}

// A folder, a pipe or a link to nowhere in the place of the file says nothing of a holder, ever; and whoever
// opens a pipe to read it waits.
bool LifetimeLock::isObstructed() const {
    const QFileInfo file(fileName());
    return (file.exists() || file.isSymLink()) && !file.isFile();
}

bool LifetimeLock::tryTake() {
    if (isObstructed())
        return false;
    if (tryLock(0))
        return true;
    // QLockFile asks whether the process that the file names is dead. A file that names none it would respect
    // for ever. removeStaleLockFile() leaves it alone while somebody alive has it open and locked.
    qint64 process = 0;
    QString host, program;
    if (error() != LockFailedError)
        return false;
    if (getLockInfo(&process, &host, &program))
        return host == QSysInfo::machineHostName() && isZombie(process) && removeStaleLockFile() &&
               tryLock(0);
    const QDateTime made = QFileInfo(fileName()).lastModified();
    return made.isValid() && made.msecsTo(QDateTime::currentDateTime()) > ownerlessMs &&
           removeStaleLockFile() && tryLock(0);
}

} // namespace warpwright
