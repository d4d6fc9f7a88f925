// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/workspace_template.h"

#include "toolchain/text_file.h"

#include <QDir>
#include <QDirIterator>
#include <QFileInfo>

#include <algorithm>

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

} // namespace

Result<QStringList> createWorkspace(const QString &folder, const QString &modelFile,
                                    const QString &resources) {
    const QString root = QDir::cleanPath(QDir::current().absoluteFilePath(folder));
    const auto cannot = [&root](const QString &why, const QString &advice) {
        return Answer::error(
            QStringLiteral("Cannot make the workspace \"%1\": %2. %3").arg(root, why, advice));
    };
    if (QFileInfo::exists(root) && !QFileInfo(root).isDir())
        return cannot(QStringLiteral("a file of that name is in the way"),
                      QStringLiteral("Name another folder."));

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
        return cannot(
            QStringLiteral("the template \"%1\" is missing").arg(templates),
            QStringLiteral("Install Warpwright again, or set WARPWRIGHT_RESOURCES to its resources."));

    if (!modelFile.isEmpty()) {
        auto model = readTextFile(modelFile);
        if (!model.hasValue())
            return Answer::error(model.message());
        std::erase_if(files, [](const NewFile &file) { return file.name == QLatin1String("model.py"); });
        files.push_back({QStringLiteral("model.py"), std::move(model).value()});
    }
    std::sort(files.begin(), files.end(), [](const NewFile &a, const NewFile &b) { return a.name < b.name; });

    // «wright new .» in the folder of the model: the file that is there already is the one we would write.
    std::erase_if(files, [&](const NewFile &file) {
        return file.name == QLatin1String("model.py") && !modelFile.isEmpty() &&
               QFileInfo(root + QStringLiteral("/model.py")).canonicalFilePath() ==
                   QFileInfo(modelFile).canonicalFilePath();
    });
    for (const NewFile &file : files)
        if (QFileInfo(root + QLatin1Char('/') + file.name).exists())
            return cannot(
                QStringLiteral("\"%1\" is there already").arg(file.name),
                QStringLiteral("Nothing was written. Name another folder, or move that file away."));

    const bool hadFolder = QFileInfo::exists(root);
    QStringList written;
    for (const NewFile &file : files) {
        if (const auto done = writeFileAtomically(root + QLatin1Char('/') + file.name, file.text);
            !done.hasValue()) {
            undo(root, written, hadFolder);
            return Answer::error(done.message());
        }
        written << file.name;
    }
    return Answer::ok(written);
}

} // namespace warpwright
