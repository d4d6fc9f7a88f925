// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/lifetime_lock.h"

#include <QDateTime>
#include <QFileInfo>

namespace warpwright {

LifetimeLock::LifetimeLock(const QString &file) : QLockFile(file) {
    setStaleLockTime(0);
}

bool LifetimeLock::tryTake() {
    if (tryLock(0))
        return true;
    // QLockFile asks whether the process that the file names is dead. A file that names none it would respect
    // for ever. removeStaleLockFile() leaves it alone while somebody alive has it open and locked.
    qint64 process = 0;
    QString host, program;
    if (error() != LockFailedError || getLockInfo(&process, &host, &program))
        return false;
    const QDateTime made = QFileInfo(fileName()).lastModified();
    return made.isValid() && made.msecsTo(QDateTime::currentDateTime()) > ownerlessMs &&
           removeStaleLockFile() && tryLock(0);
}

} // namespace warpwright
