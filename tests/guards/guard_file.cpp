// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/guards/guard_file.h"

#include <QDir>
#include <QFile>
#include <algorithm>
#include <functional>

namespace warpwright {

namespace {

bool isClosed(const QString &path, const QString &name) {
    static const QStringList everywhere{".git", ".warpwright", "__pycache__"};
    static const QStringList atTheRoot{"build", "tests/data", "tests/cheats", "tests/cases"};
    const bool isHidden = path == name && path.startsWith('.') && path != ".ci";
    return isHidden || atTheRoot.contains(path) || everywhere.contains(name);
}

// Not QDirIterator: it would walk through build/, which is larger than everything else together.
void walk(const QDir &root, const QString &folder,
          const std::function<void(const QFileInfo &, const QString &)> &take) {
    const QDir dir(root.filePath(folder));
    for (const QFileInfo &entry :
         dir.entryInfoList(QDir::Files | QDir::Dirs | QDir::NoDotAndDotDot | QDir::Hidden | QDir::System)) {
        const QString path = folder.isEmpty() ? entry.fileName() : folder + "/" + entry.fileName();
        if (!entry.isDir() || entry.isSymLink())
            take(entry, path);
        else if (!isClosed(path, entry.fileName()))
            walk(root, path, take);
    }
}

} // namespace

QVector<GuardFile> GuardFile::readAll(const QString &root, bool (*isWanted)(const QString &path)) {
    QVector<GuardFile> found;
    walk(QDir(root), {}, [&](const QFileInfo &entry, const QString &path) {
        QFile file(entry.filePath());
        if (entry.isSymLink() || !isWanted(path) || !file.open(QIODevice::ReadOnly))
            return;
        QString text = QString::fromUtf8(file.readAll());
        if (text.endsWith('\n'))
            text.chop(1);
        found.append({path, text.split('\n')});
    });
    std::sort(found.begin(), found.end(),
              [](const GuardFile &left, const GuardFile &right) { return left.path < right.path; });
    return found;
}

QStringList GuardFile::linkComplaints(const QString &root) {
    QStringList complaints;
    walk(QDir(root), {}, [&](const QFileInfo &entry, const QString &path) {
        if (entry.isSymLink() && path.contains('/'))
            complaints.append(path + ": a symbolic link, behind which no guard looks");
    });
    complaints.sort();
    return complaints;
}

} // namespace warpwright
