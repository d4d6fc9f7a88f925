// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/toolchain/places.h"
#include "tests/toolchain/real_toolchain.h"
#include "tests/toolchain/run_test_classes.h"
#include "toolchain/process/processes_below.h"

#include <QDir>
#include <QProcess>
#include <QTest>

using namespace warpwright;

namespace {

/// What Python prints in the run folder, where a worker would import model_new.
QString pythonSays(const QString &folder, const QString &code) {
    QProcess python;
    python.setWorkingDirectory(folder);
    python.start(realToolchain().python->interpreter, {"-c", "import sys; sys.path.insert(0, '.'); " + code});
    python.waitForFinished(120000);
    return QString::fromUtf8(python.readAllStandardOutput() + python.readAllStandardError()).trimmed();
}

QStringList filesIn(const QString &folder) {
    return QDir(folder).entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot, QDir::Name);
}

} // namespace

class TestCompileRun : public QObject {
    Q_OBJECT

private slots:
    void init() { NEED_TOOL(missingTools(false).isEmpty(), missingTools(false)); }

    void makesAFolderThatPythonCanImportFrom() {
        const SmallWorkspace small;
        small.scratch.write("helper.py", "WHO = 'helper'\n");
        const RunResult result = runCompile(small.plan(), small.cache());
        QCOMPARE(result.answers, 1);
        QVERIFY2(result.outcome && result.outcome->status == CompileStatus::Passed,
                 qPrintable(result.message + (result.outcome ? result.outcome->log : QString())));
        QCOMPARE(filesIn(result.outcome->runFolder),
                 (QStringList{"cuda_extension.so", "helper.py", "model_new.py"}));
        QCOMPARE(
            pythonSays(result.outcome->runFolder, "import cuda_extension; print(cuda_extension.answer(41))"),
            QStringLiteral("42"));
        QCOMPARE(result.outcome->cachedObjects, 0);
        QVERIFY(result.outcome->diagnostics.empty());
        QVERIFY(result.steps.last().startsWith("install 1/1"));
        QVERIFY(result.outcome->log.contains("kernels/answer.cpp"));
        QCOMPARE(filesIn(small.scratch.path(".warpwright/build")).size(), 1); // nothing temporary is left
        if (realToolchain().cuda) {
            QCOMPARE(result.outcome->kernels.size(), std::size_t(1));
            QCOMPARE(result.outcome->kernels[0].name, QStringLiteral("addOne(float const*, float*, int)"));
            QCOMPARE(result.outcome->kernels[0].staticSharedBytes, 1024);
        }
    }

    void startsNoProcessForTheSameText() {
        const SmallWorkspace small;
        small.scratch.write("kernels/answer.cpp",
                            "extern \"C\" int answer(int x) { return x + 1; }\n#warning \"remember me\"\n");
        const CompileOutcome first = runCompile(small.plan(), small.cache()).outcome.value();
        const CompileOutcome second = runCompile(small.plan(), small.cache()).outcome.value();
        QCOMPARE(second.cachedObjects, second.objects);
        QCOMPARE(second.runFolder, first.runFolder);
        QCOMPARE(second.diagnostics, first.diagnostics);
        QCOMPARE(second.diagnostics.size(), std::size_t(1));
        QCOMPARE(second.kernels, first.kernels);
        QVERIFY(!second.log.contains("$ ")); // no command was run
        QVERIFY2(second.seconds < 0.1, qPrintable(QString::number(second.seconds)));

        // Another candidate, the same objects: only the folder is new.
        small.scratch.write("model_new.py", "import cuda_extension # again\n");
        const CompileOutcome third = runCompile(small.plan(), small.cache()).outcome.value();
        QCOMPARE(third.cachedObjects, third.objects);
        QVERIFY(third.runFolder != first.runFolder);
        QCOMPARE(filesIn(first.runFolder), filesIn(third.runFolder));
    }

    void tellsWhatIsWrongWithTheText_data() {
        QTest::addColumn<QString>("file");
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("place");
        QTest::addColumn<QString>("words");
        QTest::newRow("an error") << "kernels/answer.cpp"
                                  << QByteArray("extern \"C\" int answer(int x)\n{\n    return y;\n}\n")
                                  << "kernels/answer.cpp:3"
                                  << "‘y’ was not declared";
        QTest::newRow("a missing header")
            << "kernels/answer.cpp" << QByteArray("#include \"none.h\"\n") << "kernels/answer.cpp:1"
            << "none.h: No such file or directory";
        QTest::newRow("a missing launcher")
            << "kernels/answer.cpp" << QByteArray("int answer(int x) { return x; }\n") << "binding.cpp:0"
            << "undefined reference to \"answer\"";
        QTest::newRow("a launcher that is there twice")
            << "kernels/again.cpp" << QByteArray("extern \"C\" int answer(int x) { return x; }\n")
            << "answer.cpp:0"
            << "multiple definition of \"answer\"";
        QTest::newRow("a name of another language")
            << "kernels/größe.cpp" << QByteArray("int f() { return größe; }\n") << "kernels/größe.cpp:1"
            << "größe";
    }

    void tellsWhatIsWrongWithTheText() {
        QFETCH(QString, file);
        QFETCH(QByteArray, text);
        QFETCH(QString, place);
        QFETCH(QString, words);
        const SmallWorkspace small;
        small.scratch.write(file, text);
        const RunResult result = runCompile(small.plan(), small.cache());
        QVERIFY2(result.outcome.has_value(), qPrintable(result.message));
        QCOMPARE(result.outcome->status, CompileStatus::Failed);
        QVERIFY(result.outcome->runFolder.isEmpty());
        QVERIFY2(countErrors(result.outcome->diagnostics) >= 1, qPrintable(result.outcome->log));
        const Diagnostic &first = result.outcome->diagnostics.front();
        QVERIFY2(QStringLiteral("%1:%2").arg(first.file).arg(first.line).endsWith(place),
                 qPrintable(first.file + first.message));
        QVERIFY2(first.message.contains(words), qPrintable(first.message));
        QCOMPARE(filesIn(small.scratch.path(".warpwright/build")), QStringList());
    }

    // Where an editor finds it: neither a tab's stops count, nor the bytes of a letter.
    void columnsAreThoseOfTheText() {
        const SmallWorkspace small;
        small.scratch.write("kernels/answer.cpp", "extern \"C\" int answer(int x) {\n"
                                                  "\t/* größe – */\treturn y;\n}\n");
        const RunResult result = runCompile(small.plan(), small.cache());
        QVERIFY(result.outcome && !result.outcome->diagnostics.empty());
        const Diagnostic &first = result.outcome->diagnostics.front();
        QCOMPARE(first.line, 2);
        QCOMPARE(first.column, static_cast<int>(QStringLiteral("\t/* größe – */\treturn y").size()));
    }

    void keepsGoodObjectsOfABadAttempt() {
        const SmallWorkspace small;
        const QByteArray good = textOf(small.scratch.path("kernels/answer.cpp"));
        small.scratch.write("kernels/answer.cpp", "oops\n");
        QCOMPARE(runCompile(small.plan(), small.cache(), -1, 8).outcome.value().status,
                 CompileStatus::Failed);
        small.scratch.write("kernels/answer.cpp", good);
        const CompileOutcome mended = runCompile(small.plan(), small.cache()).outcome.value();
        QCOMPARE(mended.status, CompileStatus::Passed);
        QCOMPARE(mended.cachedObjects, mended.objects - 1);
    }

    void canBeCancelledAtAnyTime_data() {
        QTest::addColumn<int>("afterMs");
        for (const int afterMs : {0, 1, 50, 200})
            QTest::newRow(qPrintable(QStringLiteral("after %1 ms").arg(afterMs))) << afterMs;
    }

    void canBeCancelledAtAnyTime() {
        QFETCH(int, afterMs);
        const SmallWorkspace small;
        // A compiler that is busy for a minute.
        small.scratch.write("kernels/answer.cpp",
                            "template <int A, int B> struct F { static constexpr int v = F<A - 1, B>::v + "
                            "F<A - 1, B + 1>::v; };\n"
                            "template <int B> struct F<0, B> { static constexpr int v = 1; };\n"
                            "extern \"C\" int answer(int x) { return x + F<850, 0>::v; }\n");
        const RunResult result = runCompile(small.plan(), small.cache(), afterMs);
        QCOMPARE(result.answers, 1);
        QVERIFY2(result.outcome.has_value(), qPrintable(result.message));
        QCOMPARE(result.outcome->status, CompileStatus::Cancelled);
        QVERIFY(result.outcome->seconds < 3);
        QTRY_VERIFY(processesBelow().empty());
        QCOMPARE(filesIn(small.scratch.path(".warpwright/build")), QStringList());
        QCOMPARE(filesIn(small.cache() + "/objects").filter("tmp").size(), 0);
    }

    void refusesATextThatChangesMeanwhile() {
        const SmallWorkspace small;
        const CompilePlan plan = small.plan();
        small.scratch.write("kernels/answer.cpp", "extern \"C\" int answer(int x) { return x + 2; }\n");
        const RunResult result = runCompile(plan, small.cache());
        QVERIFY(!result.outcome);
        QCOMPARE(result.message, QStringLiteral("Cannot compile \"kernels/answer.cpp\": it or a header was "
                                                "changed while it was compiled. Check again."));
        // And the new text is not found under the old key.
        QVERIFY(!ObjectCache(small.cache() + "/objects").find(plan.steps.back().objectKey));
    }

    void installsPythonAlone() {
        const Scratch scratch;
        scratch.writeModel();
        scratch.write("model_new.py", "class ModelNew: pass\n");
        const auto plan =
            makeCompilePlan(Workspace::open(scratch.path(), scratch.folders()).value(), realToolchain(), {});
        const RunResult result = runCompile(plan.value(), scratch.path("cache"));
        QCOMPARE(result.outcome.value().status, CompileStatus::Passed);
        QCOMPARE(filesIn(result.outcome->runFolder), QStringList{"model_new.py"});
    }

    void compilesTheSampleForTheCpu() {
        const Scratch scratch;
        QProcess::execute("cp", {"-r", sourceFolder("/resources/samples/softmax-rows"), scratch.path("ws")});
        const auto workspace = Workspace::open(scratch.path("ws"), scratch.folders());
        const auto plan = makeCompilePlan(workspace.value(), realToolchain(), {TargetKind::Cpu, "sm_90a"});
        QVERIFY2(plan.hasValue(), qPrintable(plan.message()));
        const RunResult result = runCompile(plan.value(), scratch.path("cache"));
        QVERIFY2(result.outcome && result.outcome->status == CompileStatus::Passed,
                 qPrintable(result.message + (result.outcome ? result.outcome->log : QString())));
        QCOMPARE(pythonSays(result.outcome->runFolder,
                            "import torch, cuda_extension as c; x = torch.rand(4, 64); b = torch.rand(64); "
                            "print(torch.allclose(c.softmax_rows(x, b, 2.0, 0), torch.softmax(x * 2 + b, 1), "
                            "atol=1e-6))"),
                 QStringLiteral("True"));
    }
};

QObject *makeTestCompileRun() {
    return new TestCompileRun;
}

#include "tst_compile_run.moc"
