// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/finding/workspace_files.h"

#include "toolchain/workspace/candidate_texts.h"

#include <QDir>
#include <QFileInfo>

namespace warpwright {
namespace {

constexpr int mostFiles = 2000;
constexpr int mostFolders = 4;
constexpr qint64 mostBytes = 1 << 20;

bool isText(const QFileInfo &file) {
    static const QStringList suffixes{
        QStringLiteral("cu"),   QStringLiteral("cuh"),  QStringLiteral("c"),    QStringLiteral("cc"),
        QStringLiteral("cpp"),  QStringLiteral("h"),    QStringLiteral("hpp"),  QStringLiteral("inl"),
        QStringLiteral("py"),   QStringLiteral("md"),   QStringLiteral("txt"),  QStringLiteral("json"),
        QStringLiteral("toml"), QStringLiteral("yaml"), QStringLiteral("yml"),  QStringLiteral("cfg"),
        QStringLiteral("ini"),  QStringLiteral("sh"),   QStringLiteral("csv"),  QStringLiteral("diff"),
        QStringLiteral("ptx"),  QStringLiteral("sass"), QStringLiteral("patch")};
    return suffixes.contains(file.suffix().toLower()) || file.fileName() == QLatin1String("Makefile") ||
           file.fileName() == QLatin1String("LICENSE");
}

void collect(const QDir &root, const QString &below, int depth, QStringList &files) {
    const QDir folder(root.filePath(below));
    for (const QFileInfo &entry : folder.entryInfoList(
             QDir::Files | QDir::Dirs | QDir::NoDotAndDotDot | QDir::NoSymLinks, QDir::Name)) {
        const QString name = below.isEmpty() ? entry.fileName() : below + QLatin1Char('/') + entry.fileName();
        if (files.size() == mostFiles || isMadeFile(name))
            continue;
        if (entry.isDir() && depth < mostFolders)
            collect(root, name, depth + 1, files);
        else if (entry.isFile() && entry.size() <= mostBytes && isText(entry))
            files << name;
    }
}

} // namespace

QStringList workspaceFiles(const Workspace &workspace) {
    QStringList files;
    if (workspace.isLoneFile) {
        files << QFileInfo(workspace.modelFile).fileName();
        return files;
    }
    collect(QDir(workspace.folder), {}, 0, files);
    const QString task = QStringLiteral(".warpwright/task.json");
    if (QFileInfo::exists(workspace.folder + QLatin1Char('/') + task))
        files << task;
    files.sort();
    return files;
}

} // namespace warpwright
