// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/base/folder_copy.h"

#include "toolchain/base/text_file.h"

#include <QDir>
#include <QDirIterator>
#include <QFileInfo>
#include <QTemporaryDir>

namespace warpwright {

Result<void> copyWorkspace(const QString &from, const QString &to) {
    if (QFileInfo::exists(to))
        return Result<void>::error(
            QStringLiteral("Cannot copy \"%1\" to \"%2\": it is there already. Name another folder.")
                .arg(from, to));
    if (const Result<void> made = makeFolder(QFileInfo(to).path()); !made.hasValue())
        return made;
    QTemporaryDir fresh(to + QStringLiteral(".new-XXXXXX"));
    const QDir source(from);
    QDirIterator entries(from, QDir::Files | QDir::Hidden,
                         QDirIterator::Subdirectories | QDirIterator::FollowSymlinks);
    while (entries.hasNext()) {
        const QString name = source.relativeFilePath(entries.next());
        const QString first = name.section(QLatin1Char('/'), 0, 0);
        if (name.contains(QLatin1String("__pycache__/")) ||
            (first == QLatin1String(".warpwright") && name != QLatin1String(".warpwright/task.json")))
            continue;
        const Result<QByteArray> text = readTextFile(source.filePath(name));
        if (!text.hasValue())
            return Result<void>::error(text.message());
        if (const Result<void> done = writeFileAtomically(fresh.filePath(name), text.value());
            !done.hasValue())
            return done;
    }
    // As a folder that a person has made, not as a temporary one.
    QFile::setPermissions(fresh.path(), QFile::permissions(QFileInfo(to).path()) | QFileDevice::ReadOwner |
                                            QFileDevice::WriteOwner | QFileDevice::ExeOwner);
    if (!QDir().rename(fresh.path(), to))
        return Result<void>::error(
            QStringLiteral("Cannot copy \"%1\" to \"%2\": the folder cannot be renamed into place.")
                .arg(from, to));
    fresh.setAutoRemove(false);
    return Result<void>::ok();
}

} // namespace warpwright
