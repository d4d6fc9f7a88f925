// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/compile/compile_plan.h"

#include "toolchain/compile/compile_flags.h"
#include "toolchain/compile/opening_headers.h"
#include "toolchain/compile/source_hash.h"
#include "toolchain/workspace/python_registrations.h"
#include "toolchain/workspace/task_files.h"

#include <QCryptographicHash>
#include <QDir>
#include <QFileInfo>
#include <QProcessEnvironment>

#include <algorithm>

namespace warpwright {

namespace {

using Answer = Result<CompilePlan>;

/// Changes when the way objects are made changes in a manner that the arguments do not show.
constexpr auto keyVersion = "warpwright.object/2";

QString keyOf(const QByteArray &text) {
    return QString::fromLatin1(QCryptographicHash::hash(text, QCryptographicHash::Sha256).toHex().left(32));
}

/// Variables that GCC and nvcc obey without being told.
QByteArray compilerVariables() {
    const QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    QByteArray text;
    for (const char *name : {"CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH", "LIBRARY_PATH", "COMPILER_PATH",
                             "GCC_EXEC_PREFIX", "NVCC_PREPEND_FLAGS", "NVCC_APPEND_FLAGS", "NVCC_CCBIN"})
        if (const QString value = environment.value(QLatin1String(name)); !value.isEmpty())
            text += QByteArray(name) + '=' + value.toUtf8() + '\n';
    return text;
}

bool mayIncludeAnything(const QStringList &flags) {
    return std::any_of(flags.begin(), flags.end(), [](const QString &flag) {
        return flag.startsWith(QLatin1String("-I")) || flag.contains(QLatin1String("include")) ||
               flag.startsWith(QLatin1String("-i")) || flag.contains(QLatin1String("@"));
    });
}

/// GCC reads a comment in one place: -Wimplicit-fallthrough, which other warnings switch on and -Werror turns
/// into an error.
bool mayReadComments(const TaskSettings &task) {
    const QStringList flags = task.nvccFlags + task.cxxFlags;
    return std::any_of(flags.begin(), flags.end(),
                       [](const QString &flag) { return flag.contains(QLatin1String("-W")); });
}

/// What every object depends on.
QByteArray commonText(const Toolchain &toolchain) {
    return toolchain.python ? QByteArray(keyVersion) + '\n' + toolchain.python->torchVersion.toUtf8() + '\n' +
                                  toolchain.python->version.toUtf8() + '\n' + compilerVariables()
                            : QByteArray();
}

struct Planner {
    const Workspace &workspace;
    const Toolchain &toolchain;
    CompileTarget target;
    SourceHash hashes;
    CompilePlan plan;
    QByteArray common;

    [[nodiscard]] QByteArray toolText(bool isNvcc) const {
        QByteArray text = common + '\n' + toolchain.hostCompiler->description.toUtf8() + '\n' +
                          toolchain.hostCompiler->path.toUtf8();
        if (isNvcc)
            text += '\n' + toolchain.cuda->nvcc.toUtf8() + '\n' + toolchain.cuda->version.toUtf8();
        else if (target.kind == TargetKind::Cpu)
            text += '\n' + toolchain.hostCompiler->processor.toUtf8();
        // The bindings of a Cuda build include CUDA's headers.
        else if (toolchain.cuda)
            text += '\n' + toolchain.cuda->version.toUtf8();
        return text;
    }

    [[nodiscard]] bool isGcc() const { return toolchain.hostCompiler->isGcc(); }

    [[nodiscard]] HeaderRequest headerRequest(const QStringList &arguments,
                                              const QStringList &headers) const {
        return makeHeaderRequest(toolchain.hostCompiler->path, arguments, headers,
                                 toolText(false) + '\n' + toolchain.hostCompiler->processor.toUtf8());
    }

    Result<void> add(const SourceFile &source) {
        const bool isNvcc = source.kind == SourceKind::Cuda;
        CompileStep step;
        step.source = source.name;
        step.tool = isNvcc ? toolchain.cuda->nvcc : toolchain.hostCompiler->path;
        step.arguments = isNvcc ? nvccArguments(workspace, toolchain, target.architecture)
                                : cxxArguments(workspace, toolchain, target.kind);
        step.arguments << (isNvcc ? workspace.task.nvccFlags : workspace.task.cxxFlags) << source.name;
        step.isLinked = !isNvcc || target.kind == TargetKind::Cuda;
        const QStringList &flags = isNvcc ? workspace.task.nvccFlags : workspace.task.cxxFlags;
        step.countsAllHeaders = mayIncludeAnything(flags);
        const auto hash = hashes.of(source.name, step.countsAllHeaders);
        if (!hash.hasValue())
            return Result<void>::error(hash.message());
        step.textHash = hash.value();
        const QByteArray text =
            toolText(isNvcc) + '\n' + step.arguments.join(QLatin1Char('\n')).toUtf8() + '\n';
        // -lineinfo writes the absolute path into the object: it belongs to this folder. Flags may name
        // relative paths.
        const QByteArray folder =
            isNvcc || !flags.isEmpty() ? '\n' + workspace.folder.toUtf8() : QByteArray();
        step.objectKey = keyOf(text + hash.value() + folder);
        if (isNvcc) {
            step.ptxKey = keyOf("ptx\n" + step.objectKey.toLatin1());
            step.moduleKey = keyOf("module\n" + text + folder);
        }
        // g++ writes no line tables here: an object of plain C++ stays the same when its lines move.
        if (!isNvcc && flags.isEmpty())
            if (const auto lineless = hashes.withoutLines(source.name)) {
                step.linesKey = step.objectKey;
                step.objectKey = keyOf(text + *lineless);
            }
        // Not in the key: with precompiled headers and without, the object is the same.
        if (!isNvcc && !step.countsAllHeaders && isGcc())
            if (const QStringList opening = openingHeaders(workspace.folder, source.name); !opening.isEmpty())
                step.headers = headerRequest(step.arguments.mid(0, step.arguments.size() - 1), opening);
        plan.steps.push_back(std::move(step));
        return Result<void>::ok();
    }
};

/// Whether these flags may bring in a source, and not only tell where headers lie.
bool mayNameSources(const QStringList &flags) {
    return std::any_of(flags.begin(), flags.end(), [](const QString &flag) {
        return flag.startsWith(QLatin1String("-include")) || flag.startsWith(QLatin1String("--include")) ||
               flag.startsWith(QLatin1String("--pre-include")) || flag.contains(QLatin1Char('@'));
    });
}

/// What becomes of each source and of the headers that it includes. One that is included by what runs, runs;
/// a header that nobody is known to include is left out, and so counts as run.
ExercisedFiles filesOf(Planner &planner) {
    ExercisedFiles files;
    const std::vector<SourceFile> &sources = planner.workspace.sources;
    const std::vector<CompileStep> &steps = planner.plan.steps;
    const QString root = QDir::cleanPath(planner.workspace.folder) + QLatin1Char('/');
    const auto add = [&](const SourceFile &source, const CompileStep *step, bool isRun) {
        const TaskSettings &task = planner.workspace.task;
        const bool countsAll = step != nullptr && step->countsAllHeaders;
        const bool countsSources =
            mayNameSources(source.kind == SourceKind::Cuda ? task.nvccFlags : task.cxxFlags);
        const auto opened = planner.hashes.filesOf(source.name, countsAll);
        const auto named = planner.hashes.filesOf(source.name, countsAll && countsSources);
        if (!opened.hasValue() || !named.hasValue())
            return;
        for (const QString &path : opened.value()) {
            const QString name = path.startsWith(root) ? path.mid(root.size()) : QString();
            const auto own = std::find_if(sources.begin(), sources.end(),
                                          [&name](const SourceFile &one) { return one.name == name; });
            const bool isSource = own != sources.end();
            if (name.isEmpty() || (isSource && !named.value().contains(path)))
                continue;
            const auto known = std::find_if(files.begin(), files.end(),
                                            [&name](const ExercisedFile &one) { return one.file == name; });
            if (known == files.end())
                files.push_back({name, isSource ? own->kind : source.kind, step != nullptr, isRun,
                                 planner.hashes.ofBytes(path)});
            else
                known->isCompiled = known->isCompiled || step != nullptr;
        }
    };
    for (const bool isRun : {true, false})
        for (const SourceFile &source : sources) {
            const auto step = std::find_if(steps.begin(), steps.end(), [&source](const CompileStep &one) {
                return one.source == source.name;
            });
            if ((step != steps.end() && step->isLinked) == isRun)
                add(source, step == steps.end() ? nullptr : &*step, isRun);
        }
    std::sort(files.begin(), files.end(),
              [](const ExercisedFile &one, const ExercisedFile &other) { return one.file < other.file; });
    return files;
}

/// Root *.py and what the reference takes from beside it, which a candidate may share; never model.py.
QStringList pythonFilesOf(const Workspace &workspace) {
    const QDir folder(workspace.folder);
    QStringList names = folder.entryList({QStringLiteral("*.py")}, QDir::Files, QDir::Name);
    names.removeAll(QStringLiteral("model.py"));
    if (workspace.modelNewFile == workspace.modelFile && !names.contains(QLatin1String("model_new.py")))
        names << QStringLiteral("model_new.py");
    for (const TaskFile &file : neighboursOf(workspace.modelFile))
        if (file.isText() && !names.contains(file.name) && QFileInfo::exists(folder.filePath(file.name)))
            names << file.name;
    return names;
}

/// Which parts of the toolchain this target cannot do without; the sentence of the first that is missing.
QString whatIsMissing(const Toolchain &toolchain, TargetKind kind, bool needsNvcc) {
    if (!toolchain.hostCompiler)
        return toolchain.hostCompilerMessage;
    if (!toolchain.python)
        return toolchain.pythonMessage;
    if (needsNvcc && !toolchain.cuda)
        return toolchain.cudaMessage;
    if (kind == TargetKind::Cuda)
        return whyNoTorchCuda(*toolchain.python);
    return {};
}

QString whyNotCompilable(const CudaToolkit &cuda, const QString &architecture) {
    // --list-gpu-code names sm_90 but not sm_90a, which it compiles as well.
    QString plain = architecture;
    if (plain.endsWith(QLatin1Char('a')) || plain.endsWith(QLatin1Char('f')))
        plain.chop(1);
    if (cuda.architectures.isEmpty() || cuda.architectures.contains(plain) ||
        cuda.architectures.contains(architecture))
        return {};
    return QStringLiteral("Cannot compile for %1: nvcc %2 (\"%3\") knows only %4. Use a CUDA toolkit that "
                          "knows the device, or set \"architecture\" in "
                          ".warpwright/task.json.")
        .arg(architecture, cuda.version, cuda.nvcc, cuda.architectures.join(QStringLiteral(", ")));
}

StandInLibrary standInFor(const Toolchain &toolchain, TargetKind kind) {
    StandInLibrary standIn{QStringLiteral("libtorch_python.so"), {}, {}};
    standIn.key = keyOf("stand-in 1\n" + toolchain.hostCompiler->path.toUtf8() + '\n' +
                        toolchain.hostCompiler->version.toUtf8() + '\n' + standIn.name.toUtf8());
    for (const QString &library : torchLibraries(kind))
        standIn.libraries << toolchain.python->torchLibraryFolder() + QStringLiteral("/lib") + library +
                                 QStringLiteral(".so");
    return standIn;
}

} // namespace

QString chooseArchitecture(const Workspace &workspace, const Settings &settings, const GpuDevice *device) {
    if (!workspace.task.architecture.isEmpty())
        return workspace.task.architecture;
    if (device)
        return device->architecture();
    if (!settings.architecture.isEmpty())
        return settings.architecture;
    return QStringLiteral("sm_90a");
}

QList<HeaderRequest> usualHeaders(const Toolchain &toolchain, TargetKind kind) {
    const Workspace none;
    const Planner planner{none, toolchain, {kind, {}}, SourceHash({}), {}, commonText(toolchain)};
    if (!toolchain.python || !toolchain.hostCompiler || !planner.isGcc())
        return {};
    QList<HeaderRequest> requests;
    for (const QStringList &opening : usualOpenings())
        requests << planner.headerRequest(cxxArguments(none, toolchain, kind), opening);
    return requests;
}

Result<CompilePlan> makeCompilePlan(const Workspace &workspace, const Toolchain &toolchain,
                                    const CompileTarget &wanted) {
    const bool countsComments = mayReadComments(workspace.task);
    Planner planner{workspace, toolchain, wanted, SourceHash(workspace.folder, !countsComments), {}, {}};
    CompilePlan &plan = planner.plan;
    plan.countsComments = countsComments;
    const QStringList lone = workspace.cudaSourcesWithoutTwin();
    if (wanted.kind == TargetKind::Cpu && !lone.isEmpty()) {
        QString twin = lone.first();
        twin.replace(twin.size() - 2, 2, QStringLiteral("cpp"));
        plan.notRunnable = QStringLiteral("%1 has no CPU twin (%2), so it runs only on a CUDA device.")
                               .arg(lone.join(QStringLiteral(", ")), twin);
        planner.target.kind = TargetKind::Cuda;
    }
    const TargetKind kind = planner.target.kind;
    // Bindings need CUDA's part of torch. Without it the kernels still tell whether they compile and what
    // they take.
    const bool onlyKernels =
        !plan.notRunnable.isEmpty() && toolchain.python && !toolchain.python->hasTorchCuda();
    if (planner.target.architecture.isEmpty())
        planner.target.architecture = QStringLiteral("sm_90a");
    const bool hasSources = !workspace.sources.empty();
    const QString missing =
        hasSources ? whatIsMissing(toolchain, onlyKernels ? TargetKind::Cpu : kind, kind == TargetKind::Cuda)
                   : QString();
    if (!missing.isEmpty())
        return Answer::error(missing);
    if (workspace.hasCudaSources() && toolchain.cuda)
        if (const QString why = whyNotCompilable(*toolchain.cuda, planner.target.architecture);
            !why.isEmpty())
            return Answer::error(why);

    plan.workspace = workspace.folder;
    plan.target = planner.target;
    plan.hasUserFlags = !workspace.task.nvccFlags.isEmpty() || !workspace.task.cxxFlags.isEmpty();
    planner.common = commonText(toolchain);
    const QString leftOut = pythonModulesOf(workspace, kind == TargetKind::Cuda).leftOut;
    for (const SourceFile &source : workspace.sources) {
        if (source.kind == SourceKind::Twin && kind == TargetKind::Cuda)
            continue;
        if (source.name == leftOut) {
            plan.skipped
                << QStringLiteral("%1 was left out: a kernel's file brings the Python module.").arg(leftOut);
            continue;
        }
        if (source.kind == SourceKind::Cpp && onlyKernels) {
            plan.skipped << QStringLiteral("%1 was not compiled: torch %2 is built without CUDA.")
                                .arg(source.name, toolchain.python->torchVersion);
            continue;
        }
        if (source.kind == SourceKind::Cuda && !toolchain.cuda) {
            plan.skipped << QStringLiteral("%1 was not compiled. %2").arg(source.name, toolchain.cudaMessage);
            continue;
        }
        if (const auto added = planner.add(source); !added.hasValue())
            return Answer::error(added.message());
    }
    // nvcc's files first: they are quick to compile and likeliest to be wrong.
    std::stable_partition(plan.steps.begin(), plan.steps.end(), [&toolchain](const CompileStep &step) {
        return toolchain.cuda && step.tool == toolchain.cuda->nvcc;
    });
    if (hasSources && !onlyKernels) {
        plan.linker = toolchain.hostCompiler->path;
        plan.linkArguments = linkArguments(toolchain, kind);
        if (linksWithStandIn(toolchain))
            plan.standIn = standInFor(toolchain, kind);
    }
    // A lone file lies among files that are none of its business.
    if (!workspace.isLoneFile)
        plan.pythonFiles = pythonFilesOf(workspace);
    QByteArray all = plan.linker.toUtf8() + '\n';
    if (!plan.linker.isEmpty())
        all += toolchain.hostCompiler->linkerIdentity.toUtf8() + '\n';
    all += (QStringList{plan.standIn.key} + plan.linkArguments).join(QLatin1Char('\n')).toUtf8();
    for (const CompileStep &step : plan.steps)
        all += '\n' + step.objectKey.toLatin1();
    for (const QString &name : plan.pythonFiles) {
        // Its imports are other Python files, and all of them are here.
        const auto hash = planner.hashes.of(
            QDir(workspace.folder).relativeFilePath(sourceOfPython(workspace.folder, name)), false);
        if (!hash.hasValue())
            return Answer::error(hash.message());
        all += '\n' + name.toUtf8() + '\n' + hash.value();
        plan.pythonHashes << hash.value();
    }
    plan.key = keyOf(all);
    plan.files = filesOf(planner);
    plan.buildFolder = workspace.state + QStringLiteral("/build/") + plan.key;
    return Answer::ok(std::move(plan));
}

} // namespace warpwright
