// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/compile/build_folder.h"

#include "toolchain/base/text_file.h"

#include <QDateTime>
#include <QDir>
#include <QFile>
#include <QFileInfo>

#include <cerrno>
#include <cstdio>

namespace warpwright {

namespace {

constexpr int buildsToKeep = 16;
/// A build of another window may be running right now; nobody runs one for a day.
constexpr qint64 safeAgeSeconds = 24 * 3600;

void removeOldBuilds(const QString &folder) {
    int kept = 0;
    for (const QFileInfo &build : QDir(folder).entryInfoList(QDir::Dirs | QDir::NoDotAndDotDot, QDir::Time)) {
        const bool isOld = build.lastModified().secsTo(QDateTime::currentDateTime()) > safeAgeSeconds;
        const bool isLeftover = build.fileName().startsWith(QLatin1String("tmp-"));
        if (!isLeftover && ++kept <= buildsToKeep)
            continue;
        if (isOld)
            QDir(build.filePath()).removeRecursively();
    }
}

} // namespace

Result<void> publishBuild(const QString &made, const QString &place) {
    if (::rename(QFile::encodeName(made).constData(), QFile::encodeName(place).constData()) != 0) {
        if (QFileInfo::exists(place + QStringLiteral("/link.log")))
            return Result<void>::ok();
        const QString reason = qt_error_string(errno);
        return Result<void>::error(QStringLiteral("Cannot rename \"%1\" to \"%2\": %3. %4")
                                       .arg(made, place, reason, adviceForFullDisk(place, reason))
                                       .trimmed());
    }
    removeOldBuilds(QFileInfo(place).path());
    return Result<void>::ok();
}

} // namespace warpwright
