// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/language/server_temporary.h"

#include <QCoreApplication>
#include <QDir>
#include <QThreadPool>

#include <cerrno>
#include <csignal>

namespace warpwright {

QString newServerTemporary(const QString &base) {
    static int made = 0;
    QThreadPool::globalInstance()->start([base] {
        // Each is named by the program that made it. Those of this one are removed when their process ends.
        const QStringList names = QDir(base).entryList(QDir::Dirs | QDir::NoDotAndDotDot);
        for (const QString &name : names) {
            const int program = name.section(QLatin1Char('-'), 0, 0).toInt();
            if (program > 0 && ::kill(program, 0) != 0 && errno == ESRCH)
                QDir(base + QLatin1Char('/') + name).removeRecursively();
        }
    });
    const QString folder =
        QStringLiteral("%1/%2-%3").arg(base).arg(QCoreApplication::applicationPid()).arg(++made);
    QDir().mkpath(folder);
    return folder;
}

void removeServerTemporary(const QString &folder) {
    if (!folder.isEmpty())
        QThreadPool::globalInstance()->start([folder] { QDir(folder).removeRecursively(); });
}

} // namespace warpwright
