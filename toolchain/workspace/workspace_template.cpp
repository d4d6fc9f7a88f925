// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/workspace/workspace_template.h"

#include "toolchain/base/text_file.h"
#include "toolchain/workspace/task_files.h"
#include "toolchain/workspace/text_refusal.h"

#include <QDir>
#include <QDirIterator>
#include <QFileInfo>

#include <algorithm>
#include <vector>

namespace warpwright {

namespace {

using Answer = Result<QStringList>;

constexpr qint64 mostNeighbourBytes = 1024LL * 1024 * 1024;

struct NewFile {
    QString name; ///< relative to the workspace
    QByteArray text;
    bool isNeighbour = false; ///< of the reference
};

/// Takes away what a failed attempt has written, the files first and then the folders that are empty again.
void undo(const QString &folder, const QStringList &written, bool hadFolder) {
    for (const QString &name : written)
        QFile::remove(folder + QLatin1Char('/') + name);
    for (const QString &name : written)
        QDir().rmdir(QFileInfo(folder + QLatin1Char('/') + name).path());
    if (!hadFolder)
        QDir().rmdir(folder);
}

Answer cannotMake(const QString &root, const QString &why, const QString &advice) {
    return Answer::error(QStringLiteral("Cannot make the workspace \"%1\": %2. %3").arg(root, why, advice));
}

} // namespace

Result<QStringList> writeNewFiles(const QString &folder, const std::map<QString, QByteArray> &files) {
    const QString root = QDir::cleanPath(QDir::current().absoluteFilePath(folder));
    if (QFileInfo::exists(root) && !QFileInfo(root).isDir())
        return cannotMake(root, QStringLiteral("a file of that name is in the way"),
                          QStringLiteral("Name another folder."));
    for (const auto &[name, text] : files)
        if (QFileInfo(root + QLatin1Char('/') + name).exists())
            return cannotMake(
                root, QStringLiteral("\"%1\" is there already").arg(name),
                QStringLiteral("Nothing was written. Name another folder, or move that file away."));
    const bool hadFolder = QFileInfo::exists(root);
    QStringList written;
    for (const auto &[name, text] : files) {
        if (const auto done = writeFileAtomically(root + QLatin1Char('/') + name, text); !done.hasValue()) {
            undo(root, written, hadFolder);
            return Answer::error(done.message());
        }
        written << name;
    }
    return Answer::ok(written);
}

Result<QStringList> createWorkspace(const QString &folder, const QString &modelFile,
                                    const QString &resources) {
    const QString root = QDir::cleanPath(QDir::current().absoluteFilePath(folder));
    const QString templates = resources + QStringLiteral("/templates/workspace");
    std::vector<NewFile> files;
    QDirIterator entries(templates, QDir::Files | QDir::Hidden, QDirIterator::Subdirectories);
    while (entries.hasNext()) {
        const QString path = entries.next();
        auto text = readTextFile(path);
        if (!text.hasValue())
            return Answer::error(text.message());
        files.push_back({QDir(templates).relativeFilePath(path), std::move(text).value(), false});
    }
    if (files.empty())
        return cannotMake(
            root, QStringLiteral("the template \"%1\" is missing").arg(templates),
            QStringLiteral("Install Warpwright again, or set WARPWRIGHT_RESOURCES to its resources."));

    if (!modelFile.isEmpty()) {
        auto model = readTextFile(modelFile);
        if (!model.hasValue())
            return Answer::error(model.message());
        if (const auto why =
                whyNoReference(QStringLiteral("make a workspace from"), modelFile, model.value()))
            return Answer::error(plainText(*why));
        std::erase_if(files, [](const NewFile &file) { return file.name == QLatin1String("model.py"); });
        files.push_back({QStringLiteral("model.py"), std::move(model).value(), false});
        for (const TaskFile &beside : neighboursOf(modelFile)) {
            if (std::any_of(files.begin(), files.end(),
                            [&beside](const NewFile &file) { return file.name == beside.name; }))
                return cannotMake(root,
                                  QStringLiteral("\"%1\" takes \"%2\" from beside it, and a workspace has a "
                                                 "file of that name for itself")
                                      .arg(modelFile, beside.name),
                                  QStringLiteral("Give that file another name."));
            auto text = readTextFile(beside.path, mostNeighbourBytes);
            if (!text.hasValue())
                return Answer::error(text.message());
            files.push_back({beside.name, std::move(text).value(), true});
        }
    }

    // «wright new .» in the folder of the model: the file that is there already is the one we would write.
    const QString origin = QFileInfo(modelFile).path();
    const QString here = QFileInfo(root).canonicalFilePath();
    const bool isHere =
        !modelFile.isEmpty() && !here.isEmpty() && here == QFileInfo(origin).canonicalFilePath();
    const bool isItsModel = QFileInfo(root + QStringLiteral("/model.py")).canonicalFilePath() ==
                            QFileInfo(modelFile).canonicalFilePath();
    std::erase_if(files, [&](const NewFile &file) {
        // What a project says of itself is not ours to replace, and no reason to make no workspace.
        if (isHere && file.name == QLatin1String("README.md"))
            return QFileInfo::exists(root + QStringLiteral("/README.md"));
        return isHere && (file.name == QLatin1String("model.py") ? isItsModel : file.isNeighbour);
    });
    std::map<QString, QByteArray> texts;
    for (NewFile &file : files)
        texts[file.name] = std::move(file.text);
    return writeNewFiles(root, texts);
}

} // namespace warpwright
