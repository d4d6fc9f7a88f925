// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/workspace/workspace.h"

#include "toolchain/text/python_text.h"

#include <QCryptographicHash>
#include <QFileInfo>

#include <algorithm>

namespace warpwright {

QStringList missingTaskNames(const QByteArray &text) {
    const PythonText read = readPythonText(text);
    QStringList missing;
    const bool takesAll = read.lineOf(QStringLiteral("\\bimport\\s*\\*")) > 0;
    if (!takesAll && !read.defines(QStringLiteral("Model")))
        missing << QStringLiteral("Model");
    if (!takesAll && !read.code.contains(QLatin1String("get_inputs")))
        missing << QStringLiteral("get_inputs");
    return missing;
}

QString stateFolderFor(const QString &folder, const QString &loneFile, const QString &data) {
    const QFileInfo own(folder + QStringLiteral("/.warpwright"));
    const bool canWrite = own.exists() ? own.isDir() && own.isWritable() : QFileInfo(folder).isWritable();
    if (loneFile.isEmpty() && canWrite)
        return own.filePath();
    const QString identity = loneFile.isEmpty() ? folder : loneFile;
    const QByteArray hash =
        QCryptographicHash::hash(identity.toUtf8(), QCryptographicHash::Sha256).toHex().left(16);
    const QString elsewhere = data + QStringLiteral("/workspaces/") + QString::fromLatin1(hash);
    // What was found before it became read-only is read where it lies, until something is kept elsewhere.
    const QString history = QStringLiteral("/history.git");
    const bool isReadHere = loneFile.isEmpty() && own.isDir() &&
                            QFileInfo(own.filePath() + history).isReadable() &&
                            !QFileInfo::exists(elsewhere + history);
    return isReadHere ? own.filePath() : elsewhere;
}

bool Workspace::hasCudaSources() const {
    return std::any_of(sources.begin(), sources.end(),
                       [](const SourceFile &source) { return source.kind == SourceKind::Cuda; });
}

QStringList Workspace::cudaSourcesWithoutTwin() const {
    QStringList lone;
    for (const SourceFile &source : sources) {
        if (source.kind != SourceKind::Cuda)
            continue;
        const SourceFile twin{source.name.chopped(2) + QStringLiteral("cpp"), SourceKind::Twin};
        if (std::find(sources.begin(), sources.end(), twin) == sources.end())
            lone << source.name;
    }
    return lone;
}

QString Workspace::whyNotTuned() const {
    if (isLoneFile || modelNewFile.isEmpty())
        return QStringLiteral(
                   "Cannot tune \"%1\": it holds no candidate (model_new.py). Make a workspace with wright "
                   "new DIR --from FILE.")
            .arg(isLoneFile ? modelFile : folder);
    if (modelNewFile == modelFile)
        return QStringLiteral(
                   "Cannot tune \"%1\": Model and ModelNew stand in one file, and an agent that may "
                   "edit the candidate must not edit the reference. Put them into model.py and "
                   "model_new.py.")
            .arg(modelFile);
    return {};
}

bool isCandidatePath(const QString &path) {
    return path == QLatin1String("model_new.py") || path.startsWith(QLatin1String("kernels/"));
}

} // namespace warpwright
