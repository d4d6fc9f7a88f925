// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/guards/guard_file.h"

#include <QDir>
#include <QFile>
#include <algorithm>

namespace warpwright {

namespace {

// Not QDirIterator: it would walk through build/, which is larger than everything else together.
void collect(const QDir &root, const QString &folder, bool (*isWanted)(const QString &),
             QVector<GuardFile> &found) {
    const QDir dir(root.filePath(folder));
    for (const QFileInfo &entry :
         dir.entryInfoList(QDir::Files | QDir::Dirs | QDir::NoDotAndDotDot | QDir::Hidden)) {
        const QString path = folder.isEmpty() ? entry.fileName() : folder + "/" + entry.fileName();
        if (entry.isSymLink())
            continue;
        if (entry.isDir()) {
            static const QStringList closed{".git",        ".warpwright", ".cache",       "build",
                                            "__pycache__", "tests/data",  "tests/cheats", "tests/cases"};
            const bool isHidden = entry.fileName().startsWith('.') && path != ".ci";
            if (!isHidden && !closed.contains(path) && !closed.contains(entry.fileName()))
                collect(root, path, isWanted, found);
            continue;
        }
        if (!isWanted(path))
            continue;
        QFile file(entry.filePath());
        if (!file.open(QIODevice::ReadOnly))
            continue;
        QString text = QString::fromUtf8(file.readAll());
        if (text.endsWith('\n'))
            text.chop(1);
        found.append({path, text.split('\n')});
    }
}

} // namespace

QVector<GuardFile> GuardFile::readAll(const QString &root, bool (*isWanted)(const QString &path)) {
    QVector<GuardFile> found;
    collect(QDir(root), {}, isWanted, found);
    std::sort(found.begin(), found.end(),
              [](const GuardFile &left, const GuardFile &right) { return left.path < right.path; });
    return found;
}

} // namespace warpwright
