// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/workspace_template.h"

#include "toolchain/text_file.h"

#include <QDir>
#include <QDirIterator>
#include <QFileInfo>

#include <algorithm>
#include <vector>

namespace warpwright {

namespace {

using Answer = Result<QStringList>;

struct NewFile {
    QString name; ///< relative to the workspace
    QByteArray text;
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
        files.push_back({QDir(templates).relativeFilePath(path), std::move(text).value()});
    }
    if (files.empty())
        return cannotMake(
            root, QStringLiteral("the template \"%1\" is missing").arg(templates),
            QStringLiteral("Install Warpwright again, or set WARPWRIGHT_RESOURCES to its resources."));

    if (!modelFile.isEmpty()) {
        auto model = readTextFile(modelFile);
        if (!model.hasValue())
            return Answer::error(model.message());
        std::erase_if(files, [](const NewFile &file) { return file.name == QLatin1String("model.py"); });
        files.push_back({QStringLiteral("model.py"), std::move(model).value()});
    }

    // «wright new .» in the folder of the model: the file that is there already is the one we would write.
    std::erase_if(files, [&](const NewFile &file) {
        return file.name == QLatin1String("model.py") && !modelFile.isEmpty() &&
               QFileInfo(root + QStringLiteral("/model.py")).canonicalFilePath() ==
                   QFileInfo(modelFile).canonicalFilePath();
    });
    std::map<QString, QByteArray> texts;
    for (NewFile &file : files)
        texts[file.name] = std::move(file.text);
    return writeNewFiles(root, texts);
}

} // namespace warpwright
