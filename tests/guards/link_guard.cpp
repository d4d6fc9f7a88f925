// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/guards/link_guard.h"

#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QFileInfo>
#include <QRegularExpression>

namespace warpwright {

QStringList deadLinks(const QString &root) {
    static const QRegularExpression link("\\]\\(([^)#\\s]+)[^)]*\\)");
    static const QRegularExpression elsewhere("^[a-z]+:");
    QStringList dead;
    QDirIterator files(root, {"*.md"}, QDir::Files, QDirIterator::Subdirectories);
    while (files.hasNext()) {
        QFile file(files.next());
        if (!file.open(QIODevice::ReadOnly))
            continue;
        const QDir folder = QFileInfo(file).dir();
        const QStringList lines = QString::fromUtf8(file.readAll()).split('\n');
        for (qsizetype at = 0; at < lines.size(); ++at)
            for (auto found = link.globalMatch(lines[at]); found.hasNext();) {
                const QString target = found.next().captured(1);
                if (!elsewhere.match(target).hasMatch() && !folder.exists(target))
                    dead << QString("%1:%2: %3")
                                .arg(QDir(root).relativeFilePath(file.fileName()))
                                .arg(at + 1)
                                .arg(target);
            }
    }
    dead.sort();
    return dead;
}

} // namespace warpwright
