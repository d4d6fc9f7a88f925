// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/base/scratch_folders.h"

#include <QDir>
#include <QFileInfo>

namespace warpwright {

QString scratchFolder(const QString &cache, const QString &name) {
    return QStringLiteral("%1/scratch/%2").arg(cache, name);
}

void removeForgottenScratch(const QString &cache, const QDateTime &now) {
    const QDateTime oldest = now.addDays(-1);
    const QDir all(QStringLiteral("%1/scratch").arg(cache));
    for (const QFileInfo &one : all.entryInfoList(QDir::Dirs | QDir::NoDotAndDotDot | QDir::NoSymLinks))
        if (one.lastModified() < oldest)
            QDir(one.filePath()).removeRecursively();
}

} // namespace warpwright
