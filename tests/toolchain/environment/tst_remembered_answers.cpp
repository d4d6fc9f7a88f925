// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/toolchain/places.h"
#include "tests/toolchain/run_test_classes.h"
#include "tests/toolchain/scratch.h"
#include "toolchain/environment/python_environment.h"
#include "toolchain/environment/remembered_answers.h"

#include <QDir>
#include <QProcess>
#include <QTest>

#include <unistd.h>

using namespace warpwright;

namespace {

constexpr const char *machineCode = "\x7f"
                                    "ELF and more";

/// Long after the test wrote its files.
QDateTime later() {
    return QDateTime::currentDateTimeUtc().addSecs(60);
}

ProcessRequest question(const QString &program, const QStringList &arguments = {"--version"}) {
    ProcessRequest request;
    request.program = program;
    request.arguments = arguments;
    request.environment = {};
    return request;
}

} // namespace

class TestRememberedAnswers : public QObject {
    Q_OBJECT

private slots:
    void init() { RememberedAnswers::forgetAll(); }
    void cleanupTestCase() { RememberedAnswers::forgetAll(); }

    void knowsWhatItWasTold() {
        const Scratch scratch;
        const QString tool = scratch.write("g++", machineCode);
        QVERIFY(!RememberedAnswers::find(question(tool)));
        RememberedAnswers::keep(question(tool), "version 1", later());
        QCOMPARE(RememberedAnswers::find(question(tool)), QByteArray("version 1"));
        QVERIFY(!RememberedAnswers::find(question(tool, {"--help"})));
        ProcessRequest other = question(tool);
        other.environment.insert("CUDA_HOME", "/elsewhere");
        QVERIFY(!RememberedAnswers::find(other));
    }

    void forgetsWhatChanged_data() {
        QTest::addColumn<QString>("change");
        for (const char *change :
             {"the program's text", "another program in its place", "the program is gone", "a watched file",
              "a watched file is there now", "a name in a watched folder", "a link leads elsewhere"})
            QTest::newRow(change) << QString(change);
    }

    void forgetsWhatChanged() {
        QFETCH(QString, change);
        const Scratch scratch;
        const QString tool = scratch.write("g++", machineCode);
        const QString file = scratch.write("folder/version.py", "1");
        const QString link = scratch.path("link");
        QVERIFY(QFile::link(scratch.path("folder"), link));
        QDir().mkpath(scratch.path("other"));
        const QStringList watched = {file, scratch.path("folder"), scratch.path("pyvenv.cfg"), link};
        RememberedAnswers::keep(question(tool), "version 1", later(), watched);
        QVERIFY(RememberedAnswers::find(question(tool)));
        if (change == "the program's text") {
            scratch.write("g++", QByteArray(machineCode) + '!');
        } else if (change == "another program in its place") {
            QVERIFY(QFile::rename(scratch.write("new", machineCode), scratch.path("newer")));
            QCOMPARE(::rename(qPrintable(scratch.path("newer")), qPrintable(tool)), 0);
        } else if (change == "the program is gone") {
            QVERIFY(QFile::remove(tool));
        } else if (change == "a watched file") {
            QTest::qWait(20); // a clock of the file system that ticks every 4 ms
            scratch.write("folder/version.py", "2");
        } else if (change == "a watched file is there now") {
            scratch.write("pyvenv.cfg", "home = /\n");
        } else if (change == "a name in a watched folder") {
            QTest::qWait(20);
            scratch.write("folder/torch-2.12.dist-info", "");
        } else {
            QVERIFY(QFile::remove(link));
            QVERIFY(QFile::link(scratch.path("other"), link));
        }
        QVERIFY(!RememberedAnswers::find(question(tool)));
    }

    void knowsOnlyTheToolsThemselves_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<bool>("isKept");
        const QByteArray code = machineCode;
        for (const char *name :
             {"g++", "g++-12", "x86_64-linux-gnu-g++-12", "c++", "nvcc", "clang++-14", "python3.11"})
            QTest::newRow(name) << QString(name) << code << true;
        for (const char *name : {"ccache", "distcc", "tool", "g++wrapper"})
            QTest::newRow(name) << QString(name) << code << false;
        QTest::newRow("a script") << QString("g++") << QByteArray("#!/bin/sh\ndate\n") << false;
    }

    void knowsOnlyTheToolsThemselves() {
        QFETCH(QString, name);
        QFETCH(QByteArray, text);
        QFETCH(bool, isKept);
        const Scratch scratch;
        const QString tool = scratch.write(name, text);
        RememberedAnswers::keep(question(tool), "today", later());
        QCOMPARE(RememberedAnswers::find(question(tool)).has_value(), isKept);
        // By another name it is what it is.
        const QString link = scratch.path("links/g++-99");
        QDir().mkpath(scratch.path("links"));
        QVERIFY(QFile::link(tool, link));
        RememberedAnswers::keep(question(link), "today", later());
        QCOMPARE(RememberedAnswers::find(question(link)).has_value(), isKept);
    }

    /// Then the answer may be of what was there before.
    void doesNotKeepWhatChangedMeanwhile() {
        const Scratch scratch;
        const QString tool = scratch.write("g++", machineCode);
        RememberedAnswers::keep(question(tool), "of yesterday", QDateTime::currentDateTimeUtc());
        QVERIFY(!RememberedAnswers::find(question(tool)));
        RememberedAnswers::keep(question(tool), "of today", later());
        QVERIFY(RememberedAnswers::find(question(tool)));
    }

    void pythonsAnswerSaysWhatToWatch() {
        QCOMPARE(pythonFilesToWatch("hello\n{\"watched\": [\"/a\", \"/b/c.pth\"]}\n"),
                 QStringList({"/a", "/b/c.pth"}));
        QVERIFY(pythonFilesToWatch("{\"version\": \"3.11.2\"}").isEmpty());
        QVERIFY(pythonFilesToWatch("no JSON").isEmpty());
    }

    /// The real one names its own folders, so that an exchanged torch is seen.
    void theProbeNamesWhereTorchLies() {
        QProcess python;
        const QString interpreter = qEnvironmentVariable("WARPWRIGHT_TEST_PYTHON");
        NEED_TOOL(!interpreter.isEmpty(), "a Python environment with torch");
        python.start(interpreter, {sourceFolder("/resources/probe_python.py")});
        QVERIFY(python.waitForFinished());
        const QByteArray answer = python.readAllStandardOutput();
        const auto environment = readPythonFacts(answer, {interpreter, "a test"});
        QVERIFY2(environment.hasValue(), qPrintable(environment.message()));
        const QStringList watched = pythonFilesToWatch(answer);
        const QString torch = environment.value().torchFolder;
        QProcess site;
        site.start(interpreter, {"-c", "import site; print(site.getusersitepackages())"});
        QVERIFY(site.waitForFinished());
        const QString ofUser = QString::fromUtf8(site.readAllStandardOutput().trimmed());
        for (const QString &path :
             {torch, torch + "/version.py", torch + "/lib", QDir::cleanPath(torch + "/.."), ofUser})
            QVERIFY2(watched.contains(path), qPrintable(path + " is not among " + watched.join(' ')));
    }
};

QObject *makeTestRememberedAnswers() {
    return new TestRememberedAnswers;
}

#include "tst_remembered_answers.moc"
