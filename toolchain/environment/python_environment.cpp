// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/environment/python_environment.h"

#include <QDir>
#include <QFileInfo>
#include <QStandardPaths>

namespace warpwright {

namespace {

using Read = Result<PythonEnvironment>;

QString aboutTorch(const PythonChoice &choice, const QString &what, const QString &advice) {
    return QStringLiteral("Cannot use the Python \"%1\" (from %2): %3. %4")
        .arg(choice.interpreter, choice.source, what, advice);
}

QString installAdvice(const PythonChoice &choice) {
    return QStringLiteral("Install one into it: \"%1\" -m pip install torch, or name another interpreter "
                          "with --python (in the window: Settings > Python).")
        .arg(choice.interpreter);
}

bool isOlderThanOurs(const QString &version) {
    const int major = version.section(QLatin1Char('.'), 0, 0).toInt();
    const int minor = version.section(QLatin1Char('.'), 1, 1).toInt();
    return major < oldestTorchMajor || (major == oldestTorchMajor && minor < oldestTorchMinor);
}

} // namespace

QStringList PythonEnvironment::torchIncludeFolders() const {
    return {torchFolder + QStringLiteral("/include"),
            torchFolder + QStringLiteral("/include/torch/csrc/api/include")};
}

Result<PythonChoice> choosePython(const QString &fromCommandLine, const Settings &settings,
                                  const DataFolders &folders, const QProcessEnvironment &environment) {
    using Answer = Result<PythonChoice>;
    const QStringList path =
        environment.value(QStringLiteral("PATH")).split(QLatin1Char(':'), Qt::SkipEmptyParts);
    const auto named = [&path](const QString &name, const QString &source, const QString &remedy) {
        // A link is kept as it is: the interpreter finds its virtual environment by the name it was started
        // with.
        QString found = name.contains(QLatin1Char('/'))
                            ? QDir::cleanPath(QDir::current().absoluteFilePath(name))
                        : path.isEmpty() ? QString()
                                         : QStandardPaths::findExecutable(name, path);
        if (found.isEmpty() || !QFileInfo(found).isFile())
            return Answer::error(
                QStringLiteral("Cannot find the Python \"%1\" (from %2). %3").arg(name, source, remedy));
        if (!QFileInfo(found).isExecutable())
            return Answer::error(
                QStringLiteral("Cannot start the Python \"%1\" (from %2): Permission denied. %3")
                    .arg(found, source, remedy));
        return Answer::ok({found, source});
    };
    if (!fromCommandLine.isEmpty())
        return named(fromCommandLine, QStringLiteral("--python"),
                     QStringLiteral("Name an interpreter that has torch."));
    if (!settings.python.isEmpty())
        return named(settings.python, QStringLiteral("the settings file"),
                     QStringLiteral("Change \"python\" in %1.").arg(folders.settingsFile()));

    const QString own = folders.pythonEnvironment + QStringLiteral("/bin/python");
    const bool isMoved = !environment.value(QStringLiteral("WARPWRIGHT_ENV")).isEmpty();
    const QString source =
        isMoved ? QStringLiteral("WARPWRIGHT_ENV") : QStringLiteral("the environment of Warpwright");
    if (isMoved || QFileInfo::exists(own))
        return named(own, source,
                     QStringLiteral("\"packaging/start\" makes the environment; --python (in the window: "
                                    "Settings > Python) names another interpreter."));
    auto system = named(QStringLiteral("python3"), QStringLiteral("PATH"), {});
    if (system.hasValue())
        return system;
    return Answer::error(
        QStringLiteral("Cannot find a Python with torch: \"%1\" is not there, and PATH has no python3. "
                       "\"packaging/start\" makes the environment; --python (in the window: Settings > "
                       "Python) names another interpreter.")
            .arg(own));
}

QStringList pythonFilesToWatch(const QByteArray &json) {
    const auto parsed = parseJson(json.trimmed().split('\n').last());
    const bool isTold = parsed.hasValue() && parsed.value().is_object() && parsed.value().contains("watched");
    return isTold ? stringsIn(parsed.value()["watched"]) : QStringList();
}

Result<PythonEnvironment> readPythonFacts(const QByteArray &json, const PythonChoice &choice) {
    // A sitecustomize or a .pth file may print something first; ours is the last line.
    const QByteArray lastLine = json.trimmed().split('\n').last();
    const auto parsed = parseJson(lastLine);
    if (!parsed.hasValue() || !parsed.value().is_object())
        return Read::error(aboutTorch(
            choice,
            QStringLiteral("its answer is not what a Python says: \"%1\"")
                .arg(QString::fromUtf8(lastLine.left(200))),
            QStringLiteral("Name another interpreter with --python (in the window: Settings > Python).")));
    const Json &facts = parsed.value();
    PythonEnvironment python;
    python.interpreter = choice.interpreter;
    python.version = stringIn(facts, "version");
    python.includeFolder = stringIn(facts, "includeFolder");
    python.extensionSuffix = stringIn(facts, "extensionSuffix");
    python.torchFolder = stringIn(facts, "torchFolder");
    python.torchVersion = stringIn(facts, "torchVersion");
    python.torchCuda = stringIn(facts, "torchCuda");
    python.nvidiaRoot = stringIn(facts, "nvidiaRoot");
    python.cudnnRoot = stringIn(facts, "cudnnRoot");
    if (facts.contains("nvidiaFolders"))
        python.nvidiaFolders = stringsIn(facts["nvidiaFolders"]);
    const auto isTrue = [&facts](const char *key) {
        return facts.contains(key) && facts[key].is_boolean() && facts[key].get<bool>();
    };
    python.usesCxx11Abi = isTrue("usesCxx11Abi");
    python.hasTriton = isTrue("hasTriton");

    if (python.torchFolder.isEmpty())
        return Read::error(aboutTorch(choice, QStringLiteral("it has no torch"), installAdvice(choice)));
    if (isOlderThanOurs(python.torchVersion))
        return Read::error(
            aboutTorch(choice,
                       QStringLiteral("its torch is %1, and Warpwright builds against %2.%3 or newer")
                           .arg(python.torchVersion)
                           .arg(oldestTorchMajor)
                           .arg(oldestTorchMinor),
                       installAdvice(choice)));
    if (const QString problem = stringIn(facts, "importError"); !problem.isEmpty())
        return Read::error(aboutTorch(
            choice, QStringLiteral("its torch %1 does not import: %2").arg(python.torchVersion, problem),
            QStringLiteral("Install torch again, or name another interpreter with --python (in the window: "
                           "Settings > Python).")));
    const QStringList present =
        facts.contains("torchLibraries") ? stringsIn(facts["torchLibraries"]) : QStringList();
    QStringList needed = {QStringLiteral("libc10.so"), QStringLiteral("libtorch.so"),
                          QStringLiteral("libtorch_cpu.so"), QStringLiteral("libtorch_python.so")};
    if (python.hasTorchCuda())
        needed << QStringLiteral("libtorch_cuda.so") << QStringLiteral("libc10_cuda.so");
    for (const QString &library : needed)
        if (!present.contains(library))
            return Read::error(aboutTorch(
                choice, QStringLiteral("its torch lacks \"%1/%2\"").arg(python.torchLibraryFolder(), library),
                QStringLiteral("Install torch again, or name another interpreter with --python (in the "
                               "window: Settings > Python).")));
    python.torchLibraries = needed;
    if (!QFileInfo(python.includeFolder + QStringLiteral("/Python.h")).isFile()) {
        const QString release = python.version.section(QLatin1Char('.'), 0, 1);
        return Read::error(aboutTorch(
            choice,
            QStringLiteral("its headers are missing: there is no \"%1/Python.h\"").arg(python.includeFolder),
            QStringLiteral("Install them: sudo apt-get install python%1-dev").arg(release)));
    }
    return Read::ok(std::move(python));
}

QString whyNoTorchCuda(const PythonEnvironment &python) {
    if (python.hasTorchCuda())
        return {};
    return QStringLiteral(
               "Cannot use a CUDA device: the torch %1 of \"%2\" is built without CUDA. Install one with "
               "CUDA "
               "(\"%2\" -m pip install torch), name another interpreter with --python (in the window: "
               "Settings > Python), or use --device cpu.")
        .arg(python.torchVersion, python.interpreter);
}

} // namespace warpwright
