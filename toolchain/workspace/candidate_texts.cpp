// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/workspace/candidate_texts.h"

#include "toolchain/base/text_file.h"
#include "toolchain/workspace/inputs_hash.h"
#include "toolchain/workspace/task_files.h"

#include <QDir>
#include <QDirIterator>
#include <QFileInfo>

namespace warpwright {
namespace {

constexpr int mostFiles = 2000;

QStringList ownPathsOf(const Workspace &workspace) {
    const QDir root(workspace.folder);
    if (workspace.isLoneFile)
        return {root.relativeFilePath(workspace.modelFile)};
    QStringList paths =
        root.entryList({QStringLiteral("*.py"), QStringLiteral("*.h"), QStringLiteral("*.hpp"),
                        QStringLiteral("*.cuh"), QStringLiteral("*.cu"), QStringLiteral("*.cpp")},
                       QDir::Files);
    QDirIterator entries(root.filePath(QStringLiteral("kernels")), QDir::Files, QDirIterator::Subdirectories);
    while (entries.hasNext() && paths.size() < mostFiles) {
        const QString path = root.relativeFilePath(entries.next());
        if (!isMadeFile(path))
            paths << path;
    }
    const QString task = QStringLiteral(".warpwright/task.json");
    if (root.exists(task))
        paths << task;
    return paths;
}

/// Absolute paths by the names that they have in the workspace.
std::map<QString, QString> pathsOf(const Workspace &workspace) {
    std::map<QString, QString> paths;
    for (const QString &path : ownPathsOf(workspace))
        paths.emplace(path, workspace.folder + QLatin1Char('/') + path);
    for (const TaskFile &file : neighboursOf(workspace.modelFile))
        if (file.isText())
            paths.emplace(file.name, file.path);
    return paths;
}

} // namespace

Result<CandidateTexts> readCandidateTexts(const Workspace &workspace) {
    // A folder that went away while a window had it open has no text; it must not pass for an empty one.
    const QString gone = !QFileInfo(workspace.folder).isDir()       ? workspace.folder
                         : !QFileInfo(workspace.modelFile).isFile() ? workspace.modelFile
                                                                    : QString();
    if (!gone.isEmpty())
        return Result<CandidateTexts>::error(
            QStringLiteral(
                "Cannot read the workspace \"%1\": \"%2\" is not there any more. If it was moved, open it "
                "where it is now.")
                .arg(workspace.folder, gone));
    CandidateTexts texts;
    for (const auto &[name, path] : pathsOf(workspace)) {
        Result<QByteArray> text = readTextFile(path);
        if (!text.hasValue())
            return Result<CandidateTexts>::error(text.message());
        texts.emplace(name, std::move(text).value());
    }
    return Result<CandidateTexts>::ok(std::move(texts));
}

QString textHashOf(const CandidateTexts &texts) {
    HashedInputs inputs;
    for (const auto &[path, text] : texts)
        inputs.add(path, text);
    return inputsHash(std::move(inputs));
}

QStringList changedFiles(const CandidateTexts &before, const CandidateTexts &after) {
    QStringList files;
    for (const auto &[path, text] : after)
        if (const auto found = before.find(path); found == before.end() || found->second != text)
            files << path;
    for (const auto &[path, text] : before)
        if (after.count(path) == 0)
            files << path;
    return files;
}

QString workspacePathOf(const CandidateTexts &texts, const QString &file) {
    QString found;
    for (const auto &[path, text] : texts) {
        if (file == path || file.endsWith(QLatin1Char('/') + path))
            return path;
        // A build that lays sources out elsewhere keeps their names.
        if (file.section(QLatin1Char('/'), -1) == path.section(QLatin1Char('/'), -1))
            found = found.isEmpty() ? path : QStringLiteral("?");
    }
    return found == QLatin1String("?") ? QString() : found;
}

bool isMadeFile(const QString &path) {
    static const QStringList suffixes = {QStringLiteral("o"),     QStringLiteral("so"),
                                         QStringLiteral("a"),     QStringLiteral("pyc"),
                                         QStringLiteral("cubin"), QStringLiteral("fatbin")};
    return suffixes.contains(QFileInfo(path).suffix()) || path.contains(QLatin1String("__pycache__/")) ||
           path.endsWith(QLatin1Char('~'));
}

} // namespace warpwright
