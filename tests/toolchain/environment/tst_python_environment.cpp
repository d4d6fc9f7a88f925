// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/toolchain/scratch.h"
#include "toolchain/environment/python_environment.h"
#include "toolchain/environment/python_probe.h"

#include <QSignalSpy>
#include <QTest>

using namespace warpwright;

namespace {

/// What a healthy interpreter says, with a Python.h that exists.
Json healthy(const Scratch &scratch) {
    scratch.write("include/Python.h", "");
    return {{"version", "3.11.2"},
            {"includeFolder", toJson(scratch.path("include"))},
            {"extensionSuffix", ".so"},
            {"torchFolder", "/e/torch"},
            {"torchVersion", "2.11.0+cu130"},
            {"torchCuda", "13.0"},
            {"usesCxx11Abi", true},
            {"torchLibraries",
             {"libc10.so", "libc10_cuda.so", "libtorch.so", "libtorch_cpu.so", "libtorch_cuda.so",
              "libtorch_python.so"}},
            {"nvidiaRoot", "/e/nvidia/cu13"},
            {"cudnnRoot", ""},
            {"hasTriton", true}};
}

const PythonChoice choice{QStringLiteral("/e/bin/python"), QStringLiteral("--python")};

} // namespace

class TestPythonEnvironment : public QObject {
    Q_OBJECT

private slots:
    void readsTheFacts() {
        const Scratch scratch;
        // A sitecustomize that prints comes first.
        const auto read = readPythonFacts("hello\n" + dumpJson(healthy(scratch)) + "\n", choice);
        QVERIFY2(read.hasValue(), qPrintable(read.message()));
        QCOMPARE(read.value().interpreter, choice.interpreter);
        QCOMPARE(read.value().torchVersion, QStringLiteral("2.11.0+cu130"));
        QVERIFY(read.value().hasTorchCuda() && read.value().hasTriton && read.value().usesCxx11Abi);
        QVERIFY(whyNoTorchCuda(read.value()).isEmpty());
        QCOMPARE(read.value().torchIncludeFolders().first(), QStringLiteral("/e/torch/include"));
    }

    void saysWhatIsMissing_data() {
        QTest::addColumn<QByteArray>("patch"); ///< merged into a healthy answer
        QTest::addColumn<QString>("words");
        QTest::addColumn<QString>("advice");
        const QString install = "-m pip install torch";
        QTest::newRow("no torch") << QByteArray(R"({"torchFolder": null})") << "it has no torch" << install;
        QTest::newRow("too old") << QByteArray(R"({"torchVersion": "2.5.1"})")
                                 << "its torch is 2.5.1, and Warpwright builds against 2.6 or newer"
                                 << install;
        QTest::newRow("far too old") << QByteArray(R"({"torchVersion": "1.13.1+cu117"})")
                                     << "its torch is 1.13.1+cu117" << install;
        QTest::newRow("broken") << QByteArray(R"({"importError": "OSError: libcudart.so.13"})")
                                << "does not import: OSError: libcudart.so.13"
                                << "Install torch again";
        QTest::newRow("without a library")
            << QByteArray(R"({"torchLibraries": ["libc10.so", "libtorch.so"]})")
            << "lacks \"/e/torch/lib/libtorch_cpu.so\""
            << "Install torch again";
        QTest::newRow("without headers")
            << QByteArray(R"({"includeFolder": "/no/such"})") << "there is no \"/no/such/Python.h\""
            << "sudo apt-get install python3.11-dev";
    }

    void saysWhatIsMissing() {
        QFETCH(QByteArray, patch);
        QFETCH(QString, words);
        QFETCH(QString, advice);
        const Scratch scratch;
        Json facts = healthy(scratch);
        facts.merge_patch(Json::parse(patch.toStdString()));
        const auto read = readPythonFacts(dumpJson(facts), choice);
        QVERIFY(!read.hasValue());
        QVERIFY2(read.message().startsWith("Cannot use the Python \"/e/bin/python\" (from --python): "),
                 qPrintable(read.message()));
        QVERIFY2(read.message().contains(words) && read.message().contains(advice),
                 qPrintable(read.message()));
    }

    void saysThatTorchHasNoCuda() {
        const Scratch scratch;
        Json facts = healthy(scratch);
        facts["torchCuda"] = "";
        const PythonEnvironment python = readPythonFacts(dumpJson(facts), choice).value();
        QVERIFY(whyNoTorchCuda(python).contains("is built without CUDA"));
        QCOMPARE(python.torchLibraries.contains("libtorch_cuda.so"), false);
    }

    void choosesTheFirstThatIsSet() {
        const Scratch scratch;
        const QString own = scratch.writeProgram("data/env/bin/python", "");
        const QString other = scratch.writeProgram("other/python3", "");
        QProcessEnvironment environment;
        environment.insert("PATH", scratch.path("other"));
        Settings settings;
        const DataFolders folders = scratch.folders();
        QCOMPARE(choosePython({}, settings, folders, environment).value(),
                 (PythonChoice{own, "the environment of Warpwright"}));
        settings.python = other;
        QCOMPARE(choosePython({}, settings, folders, environment).value(),
                 (PythonChoice{other, "the settings file"}));
        QCOMPARE(choosePython("python3", settings, folders, environment).value(),
                 (PythonChoice{other, "--python"}));
        QFile::remove(own);
        QCOMPARE(choosePython({}, {}, folders, environment).value(), (PythonChoice{other, "PATH"}));
        environment.insert("WARPWRIGHT_ENV", scratch.path("data/env"));
        QVERIFY(choosePython({}, {}, folders, environment).message().contains("from WARPWRIGHT_ENV"));
        QVERIFY(choosePython({}, {}, folders, {}).message().contains("packaging/start"));
        QVERIFY(choosePython("/no/python", settings, folders, environment)
                    .message()
                    .startsWith("Cannot find the Python \"/no/python\" (from --python)"));
        const QString plain = scratch.write("plain", "");
        QVERIFY(choosePython(plain, settings, folders, environment).message().contains("Permission denied"));
    }

    void tellsHowAnInterpreterBreaks_data() {
        QTest::addColumn<QByteArray>("script");
        QTest::addColumn<QString>("words");
        QTest::newRow("an exit code")
            << QByteArray("#!/bin/sh\necho 'Traceback' >&2; echo 'ImportError: no encodings' >&2; exit 1\n")
            << "it ended with exit code 1: ImportError: no encodings";
        QTest::newRow("a crash") << QByteArray("#!/bin/sh\nkill -SEGV $$\n") << "it was ended by signal 11";
        QTest::newRow("other words") << QByteArray("#!/bin/sh\necho hello\n")
                                     << "its answer is not what a Python says: \"hello\"";
        QTest::newRow("silence") << QByteArray("#!/bin/sh\n") << "its answer is not what a Python says: \"\"";
        QTest::newRow("no interpreter for it")
            << QByteArray("#!/no/such/shell\n") << "No such file or directory";
    }

    void tellsHowAnInterpreterBreaks() {
        QFETCH(QByteArray, script);
        QFETCH(QString, words);
        const Scratch scratch;
        PythonProbe probe({scratch.writeProgram("python", script), "--python"}, scratch.folders().resources);
        QSignalSpy finished(&probe, &PythonProbe::finished);
        QSignalSpy failed(&probe, &PythonProbe::failed);
        probe.start();
        QTRY_COMPARE(failed.count(), 1);
        QVERIFY2(failed[0][0].toString().contains(words), qPrintable(failed[0][0].toString()));
        QVERIFY(failed[0][0].toString().contains("--python"));
        QCOMPARE(finished.count(), 0);
    }

    void canBeCancelled() {
        const Scratch scratch;
        PythonProbe probe({scratch.writeProgram("python", "#!/bin/sh\nsleep 60\n"), "--python"},
                          scratch.folders().resources);
        QSignalSpy failed(&probe, &PythonProbe::failed);
        probe.start();
        probe.cancel();
        QTRY_COMPARE(failed.count(), 1);
    }
};

QObject *makeTestPythonEnvironment() {
    return new TestPythonEnvironment;
}

#include "tst_python_environment.moc"
