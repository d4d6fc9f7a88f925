// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/cli/cli_world.h"
#include "tests/toolchain/places.h"

#include <QDir>
#include <QDirIterator>
#include <QElapsedTimer>
#include <QFile>
#include <QFileInfo>
#include <QProcess>

#include <csignal>

using namespace warpwright;

namespace {

CliOutcome outcomeOf(QProcess &process, const QByteArray &errors) {
    CliOutcome outcome;
    outcome.exitCode =
        process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -process.exitCode();
    const QByteArray output = process.readAllStandardOutput();
    outcome.output = QString::fromUtf8(output);
    outcome.errors = QString::fromUtf8(errors + process.readAllStandardError());
    if (output.trimmed().startsWith('{')) {
        const Result<OrderedJson> parsed = parseJson<OrderedJson>(output);
        if (parsed.hasValue())
            outcome.document = parsed.value();
    }
    return outcome;
}

} // namespace

void copyFolder(const QString &from, const QString &to) {
    QDirIterator files(from, QDir::Files | QDir::Hidden, QDirIterator::Subdirectories);
    while (files.hasNext()) {
        const QString file = files.next();
        const QString target = to + QLatin1Char('/') + QDir(from).relativeFilePath(file);
        QDir().mkpath(QFileInfo(target).path());
        QFile::remove(target);
        QFile::copy(file, target);
    }
}

QByteArray CliOutcome::words() const {
    return "exit " + QByteArray::number(exitCode) + "\n--- stdout\n" + output.right(3000).toUtf8() +
           "\n--- stderr\n" + errors.right(3000).toUtf8();
}

CliWorld::CliWorld() : environment(QProcessEnvironment::systemEnvironment()), folder(m_folder.path()) {
    const QString kept = testState();
    const QString home =
        QProcessEnvironment::systemEnvironment().value("WARPWRIGHT_ENV", python().section('/', 0, -3));
    for (const char *name : {"NO_COLOR", "WARPWRIGHT_JUDGE", "FAKE_JUDGE", "CXX", "CUDA_VISIBLE_DEVICES"})
        environment.remove(name);
    environment.insert("WARPWRIGHT_ENV", home);
    environment.insert("WARPWRIGHT_HEADERS", "0"); // Nothing is to go on when a test has ended.
    environment.insert("WARPWRIGHT_DATA", kept + "/data");
    environment.insert("WARPWRIGHT_RESOURCES", sourceFolder("/resources"));
    environment.insert("XDG_CACHE_HOME", kept + "/cache");
    environment.insert("XDG_CONFIG_HOME", m_folder.filePath("config"));
}

QString CliWorld::python() {
    const QProcessEnvironment system = QProcessEnvironment::systemEnvironment();
    QStringList places{system.value("WARPWRIGHT_ENV")};
    places << system.value("XDG_DATA_HOME", QDir::homePath() + "/.local/share") + "/warpwright/env";
    for (const QString &place : places) {
        if (!place.isEmpty() && QFileInfo(place + "/bin/python").isExecutable())
            return place + "/bin/python";
    }
    return {};
}

QString CliWorld::workspace(const QString &name, const QString &as) const {
    const QString data = sourceFolder("/tests/data/workspaces/");
    // The same folder in each run, because with -lineinfo an object belongs to its folder: nvcc's are kept,
    // too.
    const QString target = testState("/work/") + (as.isEmpty() ? QStringLiteral("one") : as);
    QDir(target).removeRecursively();
    if (!QFileInfo::exists(data + name + "/binding.cpp"))
        copyFolder(data + "base", target);
    copyFolder(data + name, target);
    return target;
}

QString CliWorld::write(const QString &name, const QByteArray &text, bool isProgram) const {
    const QString target = QDir::isAbsolutePath(name) ? name : m_folder.filePath(name);
    QDir().mkpath(QFileInfo(target).path());
    QFile file(target);
    if (!file.open(QIODevice::WriteOnly))
        qFatal("cannot write %s", qPrintable(target));
    file.write(text);
    file.close();
    if (isProgram)
        file.setPermissions(file.permissions() | QFile::ExeOwner | QFile::ExeUser);
    return target;
}

QString CliWorld::pythonWithTorch(const QString &version, const QString &cuda) const {
    const QString home = m_folder.filePath("python-" + version + cuda);
    QProcess::execute("/usr/bin/python3", {"-m", "venv", "--without-pip", home});
    const QString site = QDir(home + "/lib").entryList({"python3*"}, QDir::Dirs).value(0);
    const QString torch = QString("python-%1%2/lib/%3/site-packages/torch/").arg(version, cuda, site);
    write(torch + "__init__.py", "from .version import __version__\n");
    const QByteArray cudaText = cuda.isEmpty() ? "None" : "\"" + cuda.toUtf8() + "\"";
    write(torch + "version.py", "__version__ = \"" + version.toUtf8() + "\"\ncuda = " + cudaText + "\n");
    for (const char *library : {"libc10.so", "libtorch.so", "libtorch_cpu.so", "libtorch_python.so"})
        write(torch + "lib/" + library, "");
    write(torch + "share/cmake/Torch/TorchConfig.cmake", "");
    return home + "/bin/python";
}

CliOutcome CliWorld::run(const QStringList &arguments, int timeoutMs) const {
    QProcess process;
    process.setProcessEnvironment(environment);
    process.setWorkingDirectory(folder);
    QElapsedTimer clock;
    clock.start();
    process.start(wrightProgram(), arguments);
    if (!process.waitForFinished(timeoutMs)) {
        const QByteArray errors = process.readAllStandardError();
        process.terminate();
        process.waitForFinished(15000);
        return outcomeOf(process, errors + "\n(the test lost its patience)\n");
    }
    CliOutcome outcome = outcomeOf(process, {});
    outcome.seconds = static_cast<double>(clock.elapsed()) / 1000;
    return outcome;
}

CliOutcome CliWorld::interrupt(const QStringList &arguments, const QString &sign, int signal,
                               int times) const {
    QElapsedTimer clock;
    QByteArray errors;
    QProcess process;
    process.setProcessEnvironment(environment);
    process.setWorkingDirectory(folder);
    process.start(wrightProgram(), arguments);
    const auto waitFor = [&](const QByteArray &words) {
        QElapsedTimer patience;
        patience.start();
        while (!errors.contains(words) && patience.elapsed() < 400000 &&
               (process.state() != QProcess::NotRunning || process.bytesAvailable() > 0)) {
            process.waitForReadyRead(5);
            errors += process.readAllStandardError();
        }
        return errors.contains(words);
    };
    process.setReadChannel(QProcess::StandardError);
    CliOutcome early;
    if (waitFor(sign.toUtf8())) {
        clock.start();
        ::kill(static_cast<pid_t>(process.processId()), signal);
        if (waitFor("stopping"))
            early.acknowledgedSeconds = static_cast<double>(clock.elapsed()) / 1000;
        for (int i = 1; i < times; ++i)
            ::kill(static_cast<pid_t>(process.processId()), signal);
    }
    process.waitForFinished(60000);
    CliOutcome outcome = outcomeOf(process, errors);
    outcome.acknowledgedSeconds = early.acknowledgedSeconds;
    outcome.endedSeconds = clock.isValid() ? static_cast<double>(clock.elapsed()) / 1000 : -1;
    return outcome;
}

CliOutcome CliWorld::runAnd(const QStringList &arguments, const QString &sign,
                            const std::function<void(qint64)> &act) const {
    QByteArray errors;
    QProcess process;
    process.setProcessEnvironment(environment);
    process.setWorkingDirectory(folder);
    process.setReadChannel(QProcess::StandardError);
    process.start(wrightProgram(), arguments);
    QElapsedTimer patience;
    patience.start();
    while (!errors.contains(sign.toUtf8()) && patience.elapsed() < 400000 &&
           process.state() != QProcess::NotRunning) {
        process.waitForReadyRead(20);
        errors += process.readAllStandardError();
    }
    if (process.state() != QProcess::NotRunning)
        act(process.processId());
    if (!process.waitForFinished(400000)) { // it may have to build the judge first
        errors += process.readAllStandardError() + "\n(the test lost its patience)\n";
        process.terminate();
        process.waitForFinished(15000);
    }
    return outcomeOf(process, errors);
}

Toolchain CliWorld::toolchain() const {
    ToolchainProbe probe(
        {{}, {}, DataFolders::find(environment, QCoreApplication::applicationDirPath()), environment, false});
    Toolchain found;
    QEventLoop loop;
    QObject::connect(&probe, &ToolchainProbe::finished, &loop, [&](const Toolchain &toolchain) {
        found = toolchain;
        loop.quit();
    });
    probe.start();
    loop.exec();
    return found;
}

QString CliWorld::schemaComplaints(const OrderedJson &document, const QString &schema) {
    QProcess process;
    process.start(python(), {sourceFolder("/tests/cli/validate.py"),
                             sourceFolder("/resources/schemas/%1.schema.json").arg(schema)});
    process.write(dumpJson(document));
    process.closeWriteChannel();
    if (!process.waitForFinished(30000))
        return "the validator does not end";
    const QByteArray words = process.readAllStandardOutput() + process.readAllStandardError();
    return process.exitCode() == 0 ? QString() : QString::fromUtf8(words);
}
