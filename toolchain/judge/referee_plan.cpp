// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/judge/referee_plan.h"

#include "toolchain/base/json.h"
#include "toolchain/base/text_file.h"
#include "toolchain/workspace/inputs_hash.h"

#include <QDir>
#include <QDirIterator>
#include <QFileInfo>

namespace warpwright {
namespace {

/// The texts that the compiler may read. Worker scripts are run from where they lie, so they are not in the
/// key.
Result<void> addSources(HashedInputs &inputs, const QString &folder) {
    QDirIterator files(folder,
                       {QStringLiteral("*.cpp"), QStringLiteral("*.h"), QStringLiteral("*.hpp"),
                        QStringLiteral("build.json")},
                       QDir::Files, QDirIterator::Subdirectories);
    while (files.hasNext()) {
        const QString path = files.next();
        const Result<QByteArray> text = readTextFile(path);
        if (!text.hasValue())
            return Result<void>::error(text.message());
        inputs.add(QStringLiteral("source ") + QDir(folder).relativeFilePath(path), text.value());
    }
    return Result<void>::ok();
}

/// CUDA's headers, those of torch's own wheels first: they have the version that torch was built with.
QString cudaIncludeFolder(const PythonEnvironment &python, const CudaToolkit *cuda) {
    QStringList folders;
    if (!python.nvidiaRoot.isEmpty())
        folders.append(python.nvidiaRoot + QStringLiteral("/include"));
    for (const QString &wheel : python.nvidiaFolders)
        folders.append(wheel + QStringLiteral("/include"));
    if (cuda != nullptr)
        folders.append(cuda->includeFolder);
    for (const QString &folder : folders) {
        if (QFileInfo::exists(folder + QStringLiteral("/cuda.h")))
            return folder;
    }
    return {};
}

QString objectName(const QString &program, const QString &source) {
    QString name = program + QLatin1Char('-') + source + QStringLiteral(".o");
    name.replace(QLatin1Char('/'), QLatin1Char('_'));
    return name;
}

QStringList compileArguments(const PythonEnvironment &python, const QString &sources) {
    QStringList arguments{QStringLiteral("-std=c++20"), QStringLiteral("-O2"), QStringLiteral("-fPIC"),
                          QStringLiteral("-pthread"),
                          // torch's headers name the operators that a source uses, not all two thousand.
                          QStringLiteral("-DAT_PER_OPERATOR_HEADERS"),
                          QStringLiteral("-D_GLIBCXX_USE_CXX11_ABI=%1").arg(python.usesCxx11Abi ? 1 : 0),
                          // The sources say #include "referee/…".
                          QStringLiteral("-I") + QFileInfo(sources).absolutePath()};
    QStringList system = python.torchIncludeFolders();
    system.append(python.includeFolder);
    for (const QString &folder : system)
        arguments << QStringLiteral("-isystem") << folder;
    return arguments;
}

/// What the processor is called: what torch executes is another function on another one.
QByteArray processorName() {
    const Result<QByteArray> facts = readTextFile(QStringLiteral("/proc/cpuinfo"));
    const QByteArray text = facts.hasValue() ? facts.value() : QByteArray();
    const qsizetype at = text.indexOf("model name");
    return at < 0 ? QByteArray() : text.mid(at, text.indexOf('\n', at) - at);
}

Result<void> planAmputation(RefereePlan &plan, const PythonEnvironment &python) {
    const QFileInfo library(python.torchLibraryFolder() + QStringLiteral("/libtorch_cpu.so"));
    if (!library.exists())
        return Result<void>::ok();
    HashedInputs inputs;
    const QDir tools(plan.sources + QStringLiteral("/amputate"));
    const QStringList kinds{QStringLiteral("*.cpp"), QStringLiteral("*.h"), QStringLiteral("*.py")};
    for (const QString &name : tools.entryList(kinds, QDir::Files, QDir::Name)) {
        const Result<QByteArray> text = readTextFile(tools.filePath(name));
        if (!text.hasValue())
            return Result<void>::error(text.message());
        inputs.add(QStringLiteral("source ") + name, text.value());
    }
    const auto addFile = [&inputs](const QString &what, const QFileInfo &file) {
        inputs.add(what, QStringLiteral("%1 %2 %3")
                             .arg(file.filePath())
                             .arg(file.size())
                             .arg(file.lastModified().toMSecsSinceEpoch()));
    };
    addFile(QStringLiteral("library"), library);
    const QDir packages = QFileInfo(python.torchFolder).dir();
    for (const char *folder : {"numpy/_core", "numpy/core", "numpy.libs"}) {
        const QDir place(packages.filePath(QLatin1String(folder)));
        for (const QFileInfo &file : place.entryInfoList({QStringLiteral("*.so*")}, QDir::Files, QDir::Name))
            addFile(QStringLiteral("numpy"), file);
    }
    inputs.add(QStringLiteral("python"), python.interpreter + python.version + python.torchVersion);
    inputs.add(QStringLiteral("processor"), QString::fromUtf8(processorName()));
    plan.amputationArguments = {
        QStringLiteral("--python"),    python.interpreter,
        QStringLiteral("--torch"),     python.torchFolder,
        QStringLiteral("--rehearsal"), tools.filePath(QStringLiteral("rehearsal.py"))};
    // Asked for until it has been seen to work on cards of several kinds.
    if (qEnvironmentVariable("WARPWRIGHT_AMPUTATION") == QLatin1String("cuda")) {
        plan.amputationArguments << QStringLiteral("--registrar")
                                 << QStringLiteral("libwarpwright_registrar.so");
        inputs.add(QStringLiteral("devices"), QStringLiteral("cpu cuda"));
    }
    plan.amputationKey = inputsHash(std::move(inputs)).left(16);
    return Result<void>::ok();
}

} // namespace

Result<RefereePlan> makeRefereePlan(const QString &sources, const PythonEnvironment &python,
                                    const HostCompiler &compiler, const CudaToolkit *cuda) {
    using Answer = Result<RefereePlan>;
    const QString file = sources + QStringLiteral("/build.json");
    const auto broken = [&file](const QString &why) {
        return Answer::error(
            QStringLiteral("Cannot read the judge's build plan \"%1\": %2. Install Warpwright again, "
                           "or set WARPWRIGHT_RESOURCES to its resources.")
                .arg(file, why));
    };
    const Result<QByteArray> text = readTextFile(file);
    if (!text.hasValue())
        return broken(text.message());
    const Result<Json> json = parseJson(text.value());
    if (!json.hasValue())
        return broken(json.message());
    if (!json.value().is_object() || !json.value().contains("programs") ||
        !json.value()["programs"].is_array())
        return broken(QStringLiteral("it has no list \"programs\""));

    const QString cudaFolder = python.hasTorchCuda() ? cudaIncludeFolder(python, cuda) : QString();
    QStringList common = compileArguments(python, sources);
    for (const QString &folder : stringsIn(json.value().value("includes", Json::array())))
        common << QStringLiteral("-isystem") << QDir(sources).absoluteFilePath(folder);
    common.append(QStringLiteral("-DWARPWRIGHT_CUDA=%1").arg(cudaFolder.isEmpty() ? 0 : 1));
    if (!cudaFolder.isEmpty())
        common << QStringLiteral("-isystem") << cudaFolder;

    RefereePlan plan;
    plan.sources = sources;
    plan.compiler = compiler.path;
    HashedInputs inputs;
    for (const Json &entry : json.value()["programs"]) {
        RefereeProgram program;
        program.output = stringIn(entry, "output");
        const QStringList names =
            stringsIn(entry.is_object() ? entry.value("sources", Json::array()) : Json());
        if (program.output.isEmpty() || program.output.contains(QLatin1Char('/')) || names.isEmpty())
            return broken(QStringLiteral("a program has no output name or no sources"));
        const bool isShared = stringIn(entry, "kind") == QLatin1String("shared");
        if (isShared)
            program.linkArguments.append(QStringLiteral("-shared"));
        for (const QString &name : names) {
            const RefereeObject object{name, objectName(program.output, name), common};
            program.linkArguments.append(object.object);
            plan.objects.push_back(object);
        }
        program.linkArguments
            << QStringLiteral("-o") << program.output << QStringLiteral("-pthread")
            << QStringLiteral("-L") + python.torchLibraryFolder()
            << QStringLiteral("-Wl,-rpath,") + python.torchLibraryFolder()
            // What torch's libraries need in turn is found through their own rpath, at run time only.
            << QStringLiteral("-Wl,--allow-shlib-undefined");
        for (const char *list : {"libraries", "cudaLibraries", "systemLibraries"}) {
            if (!cudaFolder.isEmpty() || QLatin1String(list) != QLatin1String("cudaLibraries")) {
                for (const QString &library : stringsIn(entry.value(list, Json::array())))
                    program.linkArguments.append(QStringLiteral("-l") + library);
            }
        }
        // A copy of the sources elsewhere makes the same judge: their texts are in the key, their place is
        // not.
        QString arguments = common.join(QLatin1Char('\n')) + program.linkArguments.join(QLatin1Char('\n'));
        arguments.replace(QFileInfo(sources).absolutePath(), QStringLiteral("SOURCES"));
        inputs.add(program.output, arguments);
        plan.outputs.append(program.output);
        plan.programs.push_back(std::move(program));
    }

    const Result<void> added = addSources(inputs, sources);
    if (!added.hasValue())
        return broken(added.message());
    inputs.add(QStringLiteral("compiler"), compiler.path + compiler.description);
    inputs.add(QStringLiteral("python"), python.version + python.includeFolder);
    inputs.add(QStringLiteral("torch"), python.torchVersion + python.torchFolder);
    plan.key = inputsHash(std::move(inputs)).left(16);
    if (const Result<void> planned = planAmputation(plan, python); !planned.hasValue())
        return broken(planned.message());
    return Answer::ok(std::move(plan));
}

} // namespace warpwright
