// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/toolchain/real_toolchain.h"
#include "tests/toolchain/run_test_classes.h"
#include "tests/toolchain/scratch.h"
#include "tests/toolchain/tiny_disk.h"

#include <QDir>
#include <QFileInfo>
#include <QTest>

#include <unistd.h>

using namespace warpwright;

class TestCompileFaults : public QObject {
    Q_OBJECT

private slots:
    void init() { NEED_TOOL(missingTools(false).isEmpty(), missingTools(false)); }

    void isNotTheTextsFaultWhenACompilerIsBroken_data() {
        QTest::addColumn<QString>("tool");
        QTest::addColumn<QByteArray>("script"); ///< empty: there is no such program
        QTest::addColumn<QString>("words");
        QTest::newRow("nvcc is gone")
            << "nvcc" << QByteArray() << "No such file or directory. Install the CUDA toolkit again";
        QTest::newRow("nvcc says odd words")
            << "nvcc" << QByteArray("#!/bin/sh\necho 'nvcc: cannot find cicc' >&2\nexit 1\n")
            << "ended with exit code 1, and it said \"nvcc: cannot find cicc\". Install the CUDA toolkit "
               "again";
        QTest::newRow("nvcc crashes")
            << "nvcc" << QByteArray("#!/bin/sh\nkill -SEGV $$\n") << "was ended by signal 11";
        QTest::newRow("nvcc does nothing")
            << "nvcc" << QByteArray("#!/bin/sh\nexit 0\n") << "wrote no object";
        QTest::newRow("nvcc is no program") << "nvcc" << QByteArray("hello\n") << "Cannot start";
        QTest::newRow("g++ is gone") << "g++" << QByteArray()
                                     << "No such file or directory. Install g++ again";
        QTest::newRow("g++ lacks its parts")
            << "g++"
            << QByteArray("#!/bin/sh\necho \"g++: fatal error: cannot execute 'cc1plus': execvp: No such "
                          "file or directory\" >&2\nexit 1\n")
            << "cannot execute 'cc1plus'";
        QTest::newRow("g++ was killed")
            << "g++" << QByteArray("#!/bin/sh\nkill -KILL $$\n") << "ran out of memory";
    }

    void isNotTheTextsFaultWhenACompilerIsBroken() {
        QFETCH(QString, tool);
        QFETCH(QByteArray, script);
        QFETCH(QString, words);
        const SmallWorkspace small;
        const QString program = small.scratch.path("bin/" + tool);
        if (!script.isEmpty())
            small.scratch.writeProgram("bin/" + tool, script);
        Toolchain tools = realToolchain();
        if (tool == "nvcc") {
            if (!tools.cuda)
                tools.cuda = CudaToolkit{};
            tools.cuda->nvcc = program;
        } else {
            tools.hostCompiler->path = program;
            tools.cuda.reset();
        }
        const RunResult result = runCompile(small.plan(TargetKind::Cpu, tools), small.cache());
        QCOMPARE(result.answers, 1);
        QVERIFY2(!result.outcome, "a broken compiler is not a build that failed");
        QVERIFY2(result.message.contains(words) && result.message.contains(program),
                 qPrintable(result.message));
    }

    void survivesAFloodOfWords() {
        const SmallWorkspace small;
        Toolchain tools = realToolchain();
        tools.cuda.reset();
        tools.hostCompiler->path =
            small.scratch.writeProgram("bin/g++", "#!/bin/sh\necho 'x.cpp:1:1: error: the first'\n" +
                                                      fakeTool().toUtf8() + " --flood 64\nexit 1\n");
        const RunResult result = runCompile(small.plan(TargetKind::Cpu, tools), small.cache());
        QVERIFY2(result.outcome.has_value(), qPrintable(result.message));
        QCOMPARE(result.outcome->status, CompileStatus::Failed);
        QCOMPARE(result.outcome->diagnostics.front().message, QStringLiteral("the first"));
        QVERIFY(result.outcome->log.size() < 40 * 1024 * 1024);
    }

    void endsACompilerThatHangs() {
        const SmallWorkspace small;
        Toolchain tools = realToolchain();
        tools.cuda.reset();
        tools.hostCompiler->path = small.scratch.writeProgram(
            "bin/g++", "#!/bin/sh\nexec " + fakeTool().toUtf8() + " --ignore-term --hang\n");
        CompileRun::Options options;
        options.cacheFolder = small.cache();
        options.timeLimitMs = 300;
        CompileRun run(small.plan(TargetKind::Cpu, tools), options);
        QSignalSpy finished(&run, &CompileRun::finished);
        run.start();
        QTRY_COMPARE_WITH_TIMEOUT(finished.count(), 1, 10000);
        const auto outcome = finished[0][0].value<CompileOutcome>();
        QCOMPARE(outcome.status, CompileStatus::Failed);
        QVERIFY2(outcome.diagnostics.at(0).message.contains("did not end within"), qPrintable(outcome.log));
    }

    void saysWhichDiskIsFull_data() {
        QTest::addColumn<QString>("place");
        QTest::addColumn<int>("kilobytes");
        QTest::newRow("no room for an object") << "cache" << 8;
        QTest::newRow("room for some objects") << "cache" << 96;
        QTest::newRow("no room for the extension") << ".warpwright" << 8;
        QTest::newRow("no room for the candidate") << ".warpwright" << 0;
    }

    void saysWhichDiskIsFull() {
        QFETCH(QString, place);
        QFETCH(int, kilobytes);
        if (geteuid() != 0)
            QSKIP("only root may mount a small disk");
        const SmallWorkspace small;
        if (kilobytes == 0) {
            // The extension fits, the text beside it does not.
            small.scratch.write("model_new.py", QByteArray(600 * 1024, '#'));
            kilobytes = 512;
        }
        const TinyDisk disk(small.scratch.path(place), kilobytes);
        if (!disk.isMounted())
            QSKIP("this place does not let root mount a disk");
        const RunResult result = runCompile(small.plan(), small.cache());
        QCOMPARE(result.answers, 1);
        QVERIFY2(!result.outcome, qPrintable(result.outcome ? result.outcome->log : QString()));
        QVERIFY2(result.message.contains("No space left on device") &&
                     result.message.contains("Free some space") &&
                     result.message.contains(small.scratch.path(place)),
                 qPrintable(result.message));
    }
};

QObject *makeTestCompileFaults() {
    return new TestCompileFaults;
}

#include "tst_compile_faults.moc"
