// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/language/format_style.h"

#include "toolchain/base/text_file.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>

namespace warpwright {

bool hasFormatStyle(const QString &file) {
    QDir folder = QFileInfo(file).absoluteDir();
    do {
        // The names that clang-format looks for.
        for (const char *name : {".clang-format", "_clang-format"})
            if (QFileInfo(folder.filePath(QString::fromLatin1(name))).isFile())
                return true;
    } while (folder.cdUp());
    return false;
}

Result<QString> writeFormatStyle(const QString &folder, const QString &resources) {
    const QString file = folder + QStringLiteral("/.clang-format");
    if (QFileInfo::exists(file))
        return Result<QString>::error(
            QCoreApplication::translate("TextFormat", "\"%1\" is there already. Edit it.").arg(file));
    const Result<QByteArray> style = readTextFile(resources + QStringLiteral("/language/format_style.yaml"));
    if (!style.hasValue())
        return Result<QString>::error(style.message());
    if (const Result<void> written = writeFileAtomically(file, style.value()); !written.hasValue())
        return Result<QString>::error(written.message());
    return Result<QString>::ok(file);
}

} // namespace warpwright
