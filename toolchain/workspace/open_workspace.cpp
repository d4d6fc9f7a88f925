// SPDX-License-Identifier: GPL-3.0-or-later
// Workspace::open(), apart from the value: it reads texts and says what is wrong with them, and those who
// read and judge texts stand on the value.
#include "toolchain/base/text_file.h"
#include "toolchain/text/python_text.h"
#include "toolchain/workspace/python_registrations.h"
#include "toolchain/workspace/text_refusal.h"
#include "toolchain/workspace/workspace.h"

#include <QDir>
#include <QFileInfo>

namespace warpwright {

namespace {

using Answer = Result<Workspace>;

Answer cannotOpen(const QString &path, const QString &why, const QString &advice) {
    return Answer::error(QStringLiteral("Cannot open the workspace \"%1\": %2. %3").arg(path, why, advice));
}

/// *.cu and *.cpp of the root and of kernels/, not deeper: as CUDA-Agent's compile.py does.
std::vector<SourceFile> findSources(const QString &folder) {
    std::vector<SourceFile> sources;
    for (const QString &place : {QString(), QStringLiteral("kernels/")}) {
        const QDir dir(folder + QLatin1Char('/') + place);
        // With links that lead nowhere: they are to be missed, not passed over.
        for (const QString &name : dir.entryList({QStringLiteral("*.cu"), QStringLiteral("*.cpp")},
                                                 QDir::Files | QDir::System, QDir::Name)) {
            SourceKind kind = SourceKind::Cuda;
            if (name.endsWith(QLatin1String(".cpp"))) {
                const QString kernel = name.chopped(4) + QStringLiteral(".cu");
                const bool isTwin =
                    dir.exists(kernel) && !bindingBesideKernel(dir.filePath(name), dir.filePath(kernel));
                kind = isTwin ? SourceKind::Twin : SourceKind::Cpp;
            }
            sources.push_back({place + name, kind});
        }
    }
    return sources;
}

QString whyNoPythonFile(const QString &path) {
    const QString suffix = QFileInfo(path).suffix();
    if (suffix == QLatin1String("py"))
        return {};
    if (suffix == QLatin1String("ipynb"))
        return plainText(*whyNoReference(QStringLiteral("open the workspace"), path, {}));
    return cannotOpen(path, QStringLiteral("it is neither a folder nor a Python file"),
                      path.contains(QLatin1String(".py"))
                          ? QStringLiteral("Python files end in .py: give it such a name.")
                          : QStringLiteral("Name a folder with a model.py, or a Python file with a Model."))
        .message();
}

Answer openLoneFile(const QFileInfo &info, const DataFolders &folders) {
    const auto text = readTextFile(info.absoluteFilePath());
    if (!text.hasValue())
        return Answer::error(text.message());
    if (const auto why =
            whyNoReference(QStringLiteral("open the workspace"), info.absoluteFilePath(), text.value()))
        return Answer::error(plainText(*why));
    Workspace workspace;
    workspace.isLoneFile = true;
    workspace.folder = info.absolutePath();
    workspace.name = info.completeBaseName();
    workspace.modelFile = info.absoluteFilePath();
    workspace.state = stateFolderFor(workspace.folder, workspace.modelFile, folders.data);
    return Answer::ok(std::move(workspace));
}

/// As missingTaskNames(), of a file; Model, where it cannot be read.
QStringList missingNames(const QString &path) {
    const auto text = readTextFile(path);
    return text.hasValue() ? missingTaskNames(text.value()) : QStringList{QStringLiteral("Model")};
}

bool hasModelNew(const QString &path) {
    const auto text = readTextFile(path);
    return text.hasValue() && readPythonText(text.value()).defines(QStringLiteral("ModelNew"));
}

/// What in a folder without a model.py may have been meant for it.
QString adviceWithoutModel(const QString &folder) {
    const QDir dir(folder);
    for (const QString &name : dir.entryList({QStringLiteral("model.py*")}, QDir::Files, QDir::Name))
        if (!name.endsWith(QLatin1String(".pyc")))
            return QStringLiteral("\"%1\" is there: give it the name model.py.").arg(name);
    QStringList below;
    for (const QString &name : dir.entryList(QDir::Dirs | QDir::NoDotAndDotDot, QDir::Name))
        if (dir.exists(name + QStringLiteral("/model.py")))
            below << dir.filePath(name);
    if (!below.isEmpty())
        return QStringLiteral("One lies in \"%1\": open that folder.")
            .arg(below.join(QStringLiteral("\", in \"")));
    for (const QString &name : dir.entryList({QStringLiteral("*.py")}, QDir::Files, QDir::Name))
        if (missingNames(dir.filePath(name)).isEmpty())
            return QStringLiteral(
                       "\"%1\" defines a Model: give it the name model.py, or lay out a folder around it "
                       "with wright new DIR --from \"%2\".")
                .arg(name, dir.filePath(name));
    return QStringLiteral(
        "model.py holds the reference: a class Model and the functions get_inputs() and "
        "get_init_inputs(). \"wright new DIR --from FILE\" makes a workspace around such a file.");
}

} // namespace

Result<Workspace> Workspace::open(const QString &path, const DataFolders &folders) {
    // A trailing slash would make the name empty; links stay as the person wrote them.
    const QFileInfo info(QDir::cleanPath(QDir::current().absoluteFilePath(path)));
    if (!info.exists())
        return cannotOpen(info.filePath(), QStringLiteral("there is no such file or folder"),
                          QStringLiteral("Name a folder with a model.py, or a Python file with a Model."));
    const QString model = QStringLiteral("/model.py");
    const QString candidate = QStringLiteral("/model_new.py");
    if (!info.isDir()) {
        const QDir around = info.dir();
        const bool isReference =
            info.fileName() == QLatin1String("model.py") &&
            (around.exists(QStringLiteral("model_new.py")) || around.exists(QStringLiteral("kernels")));
        const bool isCandidate =
            info.fileName() == QLatin1String("model_new.py") && around.exists(QStringLiteral("model.py"));
        if (isReference || isCandidate)
            return open(info.path(), folders);
        if (const QString why = whyNoPythonFile(info.filePath()); !why.isEmpty())
            return Answer::error(why);
        return openLoneFile(info, folders);
    }
    if (!QFileInfo(info.filePath()).isReadable() || !QFileInfo(info.filePath()).isExecutable())
        return cannotOpen(info.filePath(), QStringLiteral("the folder may not be read"),
                          QStringLiteral("Change its permissions, or copy it to a folder of your own."));
    Workspace workspace;
    workspace.folder = info.filePath();
    workspace.name = info.fileName();
    if (QFileInfo(workspace.folder + candidate).isFile())
        workspace.modelNewFile = workspace.folder + candidate;
    workspace.modelFile = workspace.folder + model;
    // Both in one file.
    if (!QFileInfo(workspace.modelFile).isFile() && !workspace.modelNewFile.isEmpty() &&
        missingNames(workspace.modelNewFile).isEmpty())
        workspace.modelFile = workspace.modelNewFile;
    else if (workspace.modelNewFile.isEmpty() && hasModelNew(workspace.modelFile))
        workspace.modelNewFile = workspace.modelFile;
    if (!QFileInfo(workspace.modelFile).isFile())
        return cannotOpen(workspace.folder, QStringLiteral("it holds no model.py"),
                          adviceWithoutModel(workspace.folder));
    workspace.hasUtils = QFileInfo(workspace.folder + QStringLiteral("/utils/compile.py")).isFile();
    workspace.sources = findSources(workspace.folder);
    workspace.state = stateFolderFor(workspace.folder, {}, folders.data);
    auto task = readTaskSettings(workspace.folder);
    if (!task.hasValue())
        return Answer::error(task.message());
    workspace.task = std::move(task).value();
    return Answer::ok(std::move(workspace));
}

} // namespace warpwright
