// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/workspace/text_refusal.h"

#include "toolchain/base/text_file.h"
#include "toolchain/text/python_text.h"
#include "toolchain/workspace/python_registrations.h"
#include "toolchain/workspace/task_files.h"

#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QFileInfo>
#include <QRegularExpression>

#include <algorithm>
#include <utility>

namespace warpwright {
namespace {

/// How a solution in one file makes its kernels, and how it is taken apart.
struct OneFile {
    QString what;
    QString remedy;
};

/// Whether what is built here is used: then the judge sees what else is compiled while it runs.
bool usesKernels(const PythonText &text) {
    return text.imports.contains(QLatin1String("cuda_extension"));
}

/// `file`: the text's name where it is a neighbour of the solution.
std::optional<OneFile> oneFileOf(const PythonText &text, const QString &file = {}) {
    if (usesKernels(text))
        return std::nullopt;
    const QString place = file.isEmpty() ? QStringLiteral("line %1") : file + QStringLiteral(", line %1");
    const int inlined = text.lineOf(QStringLiteral("\\bload_inline\\s*\\("));
    const int loaded = text.lineOf(QStringLiteral("\\bcpp_extension\\.load\\s*\\("));
    if (inlined > 0 || loaded > 0)
        return OneFile{
            QStringLiteral("a solution in one file, whose C++ or CUDA is compiled by %1 (%2) while it is "
                           "imported, and what is compiled while it runs cannot be checked yet")
                .arg(inlined > 0 ? QStringLiteral("load_inline") : QStringLiteral("cpp_extension.load"),
                     place.arg(inlined > 0 ? inlined : loaded)),
            QStringLiteral(
                "Split it: the text of cuda_sources becomes kernels/NAME.cu, its version for the CPU "
                "kernels/NAME.cpp, the functions that Python calls kernels/NAME_binding.cpp with "
                "REGISTER_FUNCTION for each; in model_new.py \"import cuda_extension\" takes the "
                "place of what was loaded")};
    const QString imported = QStringLiteral("^[ \\t]*(?:import|from)[ \\t]+triton\\b");
    // A neighbour may import it for somebody else's sake.
    const QString kernel = QStringLiteral("^[ \\t]*@(?:\\w+\\.)*(?:jit|autotune|heuristics)\\b");
    const int first = text.lineOf(imported);
    if (const int line = first == 0 || file.isEmpty() ? first : text.lineOf(kernel); line > 0)
        return OneFile{
            QStringLiteral("a solution in Triton (%1), whose kernels are compiled for a GPU when they are "
                           "first called, and such kernels cannot be checked yet")
                .arg(place.arg(line)),
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

/// The same of what a solution imports from beside itself.
std::optional<OneFile> oneFileAround(const QString &solution) {
    std::optional<OneFile> found;
    for (const TaskFile &beside : neighboursOf(solution)) {
        const std::optional<PythonText> text =
            beside.name.endsWith(QLatin1String(".py")) ? textOf(beside.path) : std::nullopt;
        if (!text)
            continue;
        if (usesKernels(*text))
            return std::nullopt;
        if (!found)
            found = oneFileOf(*text, beside.name);
    }
    return found;
}

TextRefusal notRun(const QString &path, const QString &why, const QString &advice) {
    return {Verdict::NotRun, {QStringLiteral("Cannot check"), path, why, advice, {}}, {}};
}

bool isUtf16(const QByteArray &bytes) {
    return bytes.startsWith("\xff\xfe") || bytes.startsWith("\xfe\xff");
}

const QString notUtf8 = QStringLiteral("it is UTF-16 text, and Python and compilers read UTF-8");
const QString saveIt =
    QStringLiteral("Save it as UTF-8: in the editor, or with iconv -f UTF-16 -t UTF-8 FILE > NEW.");

std::optional<TextRefusal> whyUnreadable(const Workspace &workspace) {
    std::vector<std::pair<QString, Verdict>> files{{workspace.modelFile, Verdict::TaskFailed},
                                                   {workspace.modelNewFile, Verdict::RunFailed}};
    for (const SourceFile &source : workspace.sources)
        files.emplace_back(workspace.pathOf(source), Verdict::BuildFailed);
    for (const auto &[path, verdict] : files)
        if (QFile file(path); !path.isEmpty() && file.open(QIODevice::ReadOnly) && isUtf16(file.read(2)))
            return TextRefusal{verdict, {QStringLiteral("Cannot check"), path, notUtf8, saveIt, {}}, {}};
    return std::nullopt;
}

const QString aTask =
    QStringLiteral("A task is a Python file with a class Model and the functions get_inputs() and, "
                   "where Model needs arguments, get_init_inputs().");

/// A reason, and what to do.
using WhyAndAdvice = std::pair<QString, QString>;

/// What there is in the place of a Model, and how it becomes one.
WhyAndAdvice insteadOfModel(const PythonText &text) {
    QStringList modules;
    const PythonText::Definition *function = nullptr;
    const std::vector<PythonText::Definition> definitions = text.definitions();
    for (const PythonText::Definition &one : definitions) {
        static const QRegularExpression other(QStringLiteral("^(?:get_|_|main$|test_)"));
        if (one.isClass && one.arguments.contains(QLatin1String("Module")))
            modules << one.name;
        else if (!one.isClass && !other.match(one.name).hasMatch() &&
                 (function == nullptr || function->name != QLatin1String("forward_fn")))
            function = &one;
    }
    if (!modules.isEmpty())
        return {
            QStringLiteral("; its modules are %1").arg(modules.join(QStringLiteral(", "))),
            QStringLiteral("Say which of them is the task by a last line, Model = %1.").arg(modules.back())};
    if (function != nullptr)
        return {
            QStringLiteral(", but the function %1(%2) in line %3: a functional reference, whose parameters "
                           "are arguments")
                .arg(function->name, function->arguments)
                .arg(function->line),
            QStringLiteral("Add a class Model(nn.Module) that holds what is learnt as nn.Parameter and whose "
                           "forward calls %1; get_inputs() returns the other arguments.")
                .arg(function->name)};
    return {{}, aTask};
}

std::optional<WhyAndAdvice> whyNoTask(const QString &path, const QByteArray &bytes, const PythonText &text) {
    const QStringList missing = missingTaskNames(bytes);
    if (missing.isEmpty())
        return std::nullopt;
    auto [instead, advice] =
        missing.contains(QLatin1String("Model")) ? insteadOfModel(text) : WhyAndAdvice({}, aTask);
    for (const QString &name : unreadConfigs(path))
        advice += QStringLiteral(" %1 beside it is not read: write the sizes that it gives as defaults of "
                                 "get_inputs() and of Model's constructor.")
                      .arg(name);
    return WhyAndAdvice(
        QStringLiteral("the file does not define %1%2").arg(missing.join(QStringLiteral(", ")), instead),
        advice);
}

/// Sources that nobody compiles.
QStringList sourcesLeftOut(const Workspace &workspace) {
    constexpr qsizetype mostFiles = 1000;
    static const QStringList endings = {QStringLiteral("*.cu"), QStringLiteral("*.cpp"),
                                        QStringLiteral("*.cc"), QStringLiteral("*.cxx"),
                                        QStringLiteral("*.c++")};
    static const QStringList headers = {QStringLiteral("*.h"), QStringLiteral("*.cuh"),
                                        QStringLiteral("*.hpp"), QStringLiteral("*.inl")};
    QStringList found;
    QByteArray texts;
    const auto take = [&](const QString &place, QDirIterator::IteratorFlags depth) {
        QDirIterator entries(workspace.folder + place, QDir::Files, depth);
        for (qsizetype count = 0; entries.hasNext() && count < mostFiles; ++count) {
            const QString name = QDir(workspace.folder).relativeFilePath(entries.next());
            const bool isSource = QDir::match(endings, entries.fileName());
            const bool isBuilt =
                std::any_of(workspace.sources.begin(), workspace.sources.end(),
                            [&name](const SourceFile &source) { return source.name == name; });
            if (isSource && !isBuilt)
                found << name;
            if (isBuilt || QDir::match(headers, entries.fileName()))
                if (const auto text =
                        readTextFile(workspace.folder + QLatin1Char('/') + name, TaskFile::mostTextBytes);
                    text.hasValue())
                    texts += text.value();
        }
    };
    take(QString(), QDirIterator::NoIteratorFlags);
    for (const char *place : {"/kernels", "/csrc", "/src", "/cuda", "/cpp"})
        take(QLatin1String(place), QDirIterator::Subdirectories);
    // What is included is built with the one that does so.
    found.removeIf(
        [&texts](const QString &name) { return texts.contains(QFileInfo(name).fileName().toUtf8()); });
    return found;
}

} // namespace

std::optional<TextRefusal> whyNotCheckable(const Workspace &workspace, bool isCuda) {
    if (auto unreadable = whyUnreadable(workspace))
        return unreadable;
    const QString file = workspace.isLoneFile ? workspace.modelFile : workspace.modelNewFile;
    if (file.isEmpty())
        return std::nullopt;
    const std::optional<PythonText> text = textOf(file);
    if (text && text->defines(QStringLiteral("ModelNew"))) {
        std::optional<OneFile> one = oneFileOf(*text);
        if (!one && !usesKernels(*text))
            one = oneFileAround(file);
        if (one)
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
    const auto refused = [&](const QString &why, const QString &advice) {
        return EvaluationMessage{QStringLiteral("Cannot %1").arg(doing), path, why, advice, {}};
    };
    if (isUtf16(bytes))
        return refused(notUtf8, saveIt);
    if (path.endsWith(QLatin1String(".ipynb")))
        return refused(QStringLiteral("it is a notebook, and a task is a Python file"),
                       QStringLiteral("Export it as one: jupyter nbconvert --to script FILE."));
    const PythonText text = readPythonText(bytes);
    if (!text.defines(QStringLiteral("ModelNew")) || text.defines(QStringLiteral("Model"))) {
        const std::optional<WhyAndAdvice> why = whyNoTask(path, bytes, text);
        return why ? std::optional(refused(why->first, why->second)) : std::nullopt;
    }
    std::optional<OneFile> one = oneFileOf(text);
    if (!one && !usesKernels(text))
        one = oneFileAround(path);
    const QString alone = QStringLiteral("it defines ModelNew and no reference to hold it against");
    const QString reference =
        QStringLiteral("The reference (Model, get_inputs, get_init_inputs) belongs into a file of its own");
    return refused(
        one ? QStringLiteral("it is %1; %2").arg(one->what, alone)
            : QStringLiteral("it is a candidate: %1").arg(alone),
        one ? QStringLiteral("%1. %2%3").arg(reference, one->remedy, layOut)
            : QStringLiteral("%1, model.py beside model_new.py and kernels/%2").arg(reference, layOut));
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
    if (const QStringList left = workspace.isLoneFile ? QStringList() : sourcesLeftOut(workspace);
        !left.isEmpty())
        doubts << QStringLiteral("%1 %2 not compiled: what is built are *.cu and *.cpp of the folder itself "
                                 "and of kernels/, "
                                 "not deeper. Move what belongs to the candidate there, under such a name.")
                      .arg(left.mid(0, 3).join(QStringLiteral(", ")) +
                               (left.size() > 3 ? QStringLiteral(" and %1 more").arg(left.size() - 3)
                                                : QString()),
                           left.size() == 1 ? QStringLiteral("is") : QStringLiteral("are"));
    for (const QString &name : unreadConfigs(workspace.modelFile))
        doubts << QStringLiteral("%1 beside %2 is not read: the task is checked as get_inputs() and "
                                 "get_init_inputs() give it, and in no other configuration.")
                      .arg(name, file);
    return doubts;
}

} // namespace warpwright
