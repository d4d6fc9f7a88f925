// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/gpu/gpu_world.h"
#include "tests/toolchain/places.h"

#include <QCoreApplication>
#include <QCryptographicHash>
#include <QDir>
#include <QDirIterator>
#include <QElapsedTimer>
#include <QFile>
#include <QProcess>
#include <QTest>

#include <cstdio>
#include <dlfcn.h>
#include <utility>

namespace warpwright {

namespace {

QString device() {
    return qEnvironmentVariable("WARPWRIGHT_TEST_DEVICE", QStringLiteral("cuda:0"));
}

QString program() {
    if (qEnvironmentVariableIsSet("WARPWRIGHT_PROGRAM"))
        return qEnvironmentVariable("WARPWRIGHT_PROGRAM");
    const QDir here(QCoreApplication::applicationDirPath());
    const QString beside = here.filePath(QStringLiteral("wright"));
    return QFile::exists(beside) ? beside : here.filePath(QStringLiteral("../../bin/wright"));
}

} // namespace

QString workspaces() {
    const QString packaged =
        QDir(QCoreApplication::applicationDirPath()).filePath(QStringLiteral("data/workspaces"));
    return QFile::exists(packaged) ? packaged : sourceFolder("/tests/data/workspaces");
}

void copyOver(const QString &from, const QString &to) {
    QDirIterator files(from, QDir::Files, QDirIterator::Subdirectories);
    while (files.hasNext()) {
        const QString source = files.next();
        const QString target = to + QLatin1Char('/') + QDir(from).relativeFilePath(source);
        QDir().mkpath(QFileInfo(target).absolutePath());
        QFile::remove(target);
        QVERIFY2(QFile::copy(source, target), qPrintable(target));
    }
}

QByteArray hashOfFiles(const QString &folder) {
    QStringList names;
    QDirIterator files(folder, QDir::Files, QDirIterator::Subdirectories);
    while (files.hasNext()) {
        const QString file = files.next();
        if (!file.contains(QLatin1String("/.warpwright/")))
            names.append(file);
    }
    names.sort();
    QCryptographicHash hash(QCryptographicHash::Sha256);
    for (const QString &name : std::as_const(names)) {
        QFile file(name);
        if (file.open(QIODevice::ReadOnly)) {
            hash.addData(QDir(folder).relativeFilePath(name).toUtf8());
            hash.addData(file.readAll());
        }
    }
    return hash.result();
}

Check check(const QString &folder, const QStringList &more) {
    QStringList arguments{QStringLiteral("check"), folder, QStringLiteral("--device"), device(),
                          QStringLiteral("--json")};
    if (qEnvironmentVariableIsSet("WARPWRIGHT_TEST_PYTHON"))
        arguments << QStringLiteral("--python") << qEnvironmentVariable("WARPWRIGHT_TEST_PYTHON");
    QProcess process;
    process.start(program(), arguments + more);
    Check result;
    if (!process.waitForFinished(400000))
        return result;
    result.exitCode = process.exitCode();
    result.document = Json::parse(process.readAllStandardOutput().toStdString(), nullptr, false);
    result.words = QString::fromUtf8(process.readAllStandardError());
    return result;
}

QString measureHunksApart(const QString &folder, const QString &script) {
    QStringList arguments{QStringLiteral("tune"),     folder,  QStringLiteral("--script"), script,
                          QStringLiteral("--device"), device()};
    if (qEnvironmentVariableIsSet("WARPWRIGHT_TEST_PYTHON"))
        arguments << QStringLiteral("--python") << qEnvironmentVariable("WARPWRIGHT_TEST_PYTHON");
    QProcess process;
    process.setProcessChannelMode(QProcess::MergedChannels);
    process.start(program(), arguments);
    QByteArray said;
    const auto waitFor = [&](const QByteArray &words) {
        QElapsedTimer patience;
        patience.start();
        while (!said.contains(words) && patience.elapsed() < 200000 &&
               process.state() != QProcess::NotRunning) {
            process.waitForReadyRead(50);
            said += process.readAll();
        }
    };
    waitFor("[h]unks measured apart");
    process.write("h\n");
    waitFor("\nHunk ");
    process.write("q\n");
    process.waitForFinished(60000);
    return QString::fromUtf8(said + process.readAll());
}

bool hasGpu() {
    void *driver = dlopen("libcuda.so.1", RTLD_NOW);
    if (driver == nullptr)
        return false;
    const auto init = reinterpret_cast<int (*)(unsigned)>(dlsym(driver, "cuInit"));
    const auto count = reinterpret_cast<int (*)(int *)>(dlsym(driver, "cuDeviceGetCount"));
    int devices = 0;
    return init != nullptr && count != nullptr && init(0) == 0 && count(&devices) == 0 && devices > 0;
}

int runOnGpu(QObject &test, int argc, char **argv) {
    if (!hasGpu()) {
        std::puts("SKIP   : no CUDA device on this machine");
        return qEnvironmentVariableIntValue("REQUIRE_GPU") != 0 ? 1 : 77;
    }
    return QTest::qExec(&test, argc, argv);
}

} // namespace warpwright
