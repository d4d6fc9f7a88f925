// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/text_refusal.h"

#include "toolchain/python_registrations.h"
#include "toolchain/python_text.h"
#include "toolchain/task_files.h"
#include "toolchain/text_file.h"

#include <QFileInfo>

namespace warpwright {
namespace {

/// How a solution in one file makes its kernels, and how it is taken apart.
struct OneFile {
    QString what;
    QString remedy;
};

std::optional<OneFile> oneFileOf(const PythonText &text) {
    // What is built here is used: then the judge sees what else is compiled while it runs.
    if (text.imports.contains(QLatin1String("cuda_extension")))
        return std::nullopt;
    const int inlined = text.lineOf(QStringLiteral("\\bload_inline\\s*\\("));
    const int loaded = text.lineOf(QStringLiteral("\\bcpp_extension\\.load\\s*\\("));
    if (inlined > 0 || loaded > 0)
        return OneFile{
            QStringLiteral(
                "a solution in one file, whose C++ or CUDA is compiled by %1 (line %2) while it is "
                "imported, and what is compiled while it runs cannot be checked yet")
                .arg(inlined > 0 ? QStringLiteral("load_inline") : QStringLiteral("cpp_extension.load"))
                .arg(inlined > 0 ? inlined : loaded),
            QStringLiteral(
                "Split it: the text of cuda_sources becomes kernels/NAME.cu, its version for the CPU "
                "kernels/NAME.cpp, the functions that Python calls kernels/NAME_binding.cpp with "
                "REGISTER_FUNCTION for each; in model_new.py \"import cuda_extension\" takes the "
                "place of what was loaded")};
    if (const int line = text.lineOf(QStringLiteral("^[ \\t]*(?:import|from)[ \\t]+triton\\b")); line > 0)
        return OneFile{
            QStringLiteral(
                "a solution in Triton (line %1), whose kernels are compiled for a GPU when they are "
                "first called, and such kernels cannot be checked yet")
                .arg(line),
            QStringLiteral("Write each @triton.jit kernel in CUDA: kernels/NAME.cu with a launcher, "
                           "kernels/NAME_binding.cpp with REGISTER_FUNCTION for it; in model_new.py "
                           "\"import cuda_extension\" takes the place of triton")};
    return std::nullopt;
}

const QString layOut =
    QStringLiteral("; \"wright new DIR --from MODEL.py\" lays out such a folder around the "
                   "reference.");

std::optional<PythonText> textOf(const QString &path) {
    const auto text = readTextFile(path, TaskFile::mostTextBytes);
    return text.hasValue() ? std::optional(readPythonText(text.value())) : std::nullopt;
}

TextRefusal notRun(const QString &path, const QString &why, const QString &advice) {
    return {Verdict::NotRun, {QStringLiteral("Cannot check"), path, why, advice, {}}, {}};
}

} // namespace

std::optional<TextRefusal> whyNotCheckable(const Workspace &workspace, bool isCuda) {
    const QString file = workspace.isLoneFile ? workspace.modelFile : workspace.modelNewFile;
    if (file.isEmpty())
        return std::nullopt;
    const std::optional<PythonText> text = textOf(file);
    if (text && text->defines(QStringLiteral("ModelNew"))) {
        if (const std::optional<OneFile> one = oneFileOf(*text))
            return notRun(file, QStringLiteral("it is %1").arg(one->what), one->remedy + layOut);
        if (workspace.isLoneFile)
            return notRun(
                file,
                QStringLiteral(
                    "it holds Model and ModelNew, and a lone file has no kernels that ModelNew could "
                    "call"),
                QStringLiteral("Lay out a folder with wright new DIR --from \"%1\", and put the kernels into "
                               "DIR/kernels and ModelNew into DIR/model_new.py.")
                    .arg(file));
    }
    PythonModules modules = pythonModulesOf(workspace, isCuda);
    if (modules.conflicts.empty())
        return std::nullopt;
    const Diagnostic &first = modules.conflicts.front();
    const QString place = QStringLiteral("%1/%2:%3").arg(workspace.folder, first.file).arg(first.line);
    const qsizetype end = first.message.indexOf(QLatin1String(". "));
    const EvaluationMessage message{QStringLiteral("Cannot compile"),
                                    place,
                                    first.message.left(end),
                                    first.message.mid(end + 2) + QLatin1Char('.'),
                                    {}};
    return TextRefusal{Verdict::BuildFailed, message, std::move(modules.conflicts)};
}

std::optional<EvaluationMessage> whyNoReference(const QString &doing, const QString &path,
                                                const QByteArray &bytes) {
    const PythonText text = readPythonText(bytes);
    if (!text.defines(QStringLiteral("ModelNew")) || text.defines(QStringLiteral("Model")))
        return std::nullopt;
    const std::optional<OneFile> one = oneFileOf(text);
    const QString alone = QStringLiteral("it defines ModelNew and no reference to hold it against");
    const QString reference =
        QStringLiteral("The reference (Model, get_inputs, get_init_inputs) belongs into a file of its own");
    return EvaluationMessage{
        QStringLiteral("Cannot %1").arg(doing),
        path,
        one ? QStringLiteral("it is %1; %2").arg(one->what, alone)
            : QStringLiteral("it is a candidate: %1").arg(alone),
        one ? QStringLiteral("%1. %2%3").arg(reference, one->remedy, layOut)
            : QStringLiteral("%1, model.py beside model_new.py and kernels/%2").arg(reference, layOut),
        {}};
}

QString adviceForTwin(const Workspace &workspace, const QString &source) {
    const QString stem = source.chopped(3);
    const QString twin = stem + QStringLiteral(".cpp");
    const QString folder = workspace.folder + QLatin1Char('/');
    const auto binding = QFileInfo(folder + twin).isFile()
                             ? bindingBesideKernel(folder + twin, folder + source)
                             : std::nullopt;
    if (!binding)
        return QStringLiteral("Check on a machine with an NVIDIA GPU, or write its CPU twin \"%1\".")
            .arg(twin);
    return QStringLiteral(
               "%1 is its binding (%2 in line %3) and no CPU twin. Check on a machine with an NVIDIA GPU; or "
               "call the binding %4_binding.cpp, and write the twin, the same launchers for the CPU, as %1.")
        .arg(twin, binding->macro)
        .arg(binding->line)
        .arg(stem);
}

QStringList doubtsOfFiles(const Workspace &workspace) {
    QStringList doubts;
    const QString file = QFileInfo(workspace.modelFile).fileName();
    if (workspace.modelFile == workspace.modelNewFile)
        doubts << QStringLiteral(
                      "Model and ModelNew stand in one file, %1: who may edit the candidate may edit "
                      "the reference. Put %2 into a file of its own.")
                      .arg(file, file == QLatin1String("model.py") ? QStringLiteral("ModelNew (model_new.py)")
                                                                   : QStringLiteral("Model (model.py)"));
    for (const QString &name : unreadConfigs(workspace.modelFile))
        doubts << QStringLiteral("%1 beside %2 is not read: the task is checked as get_inputs() and "
                                 "get_init_inputs() give it, and in no other configuration.")
                      .arg(name, file);
    return doubts;
}

} // namespace warpwright
