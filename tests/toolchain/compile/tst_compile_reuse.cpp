// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/toolchain/real_toolchain.h"
#include "tests/toolchain/run_test_classes.h"

#include <QDir>
#include <QProcess>
#include <QTest>

using namespace warpwright;

namespace {

/// What the extension of a run answers; the text of the failure where there is none.
QString answerOf(const CompileOutcome &outcome) {
    if (outcome.status != CompileStatus::Passed)
        return outcome.log;
    QProcess python;
    python.setWorkingDirectory(outcome.runFolder);
    python.start(
        realToolchain().python->interpreter,
        {"-c", "import sys; sys.path.insert(0, '.'); import cuda_extension as c; print(c.answer(41))"});
    python.waitForFinished(60000);
    return QString::fromUtf8(python.readAllStandardOutput() + python.readAllStandardError()).trimmed();
}

/// How many objects of the plan were compiled, and not found.
int compiled(const CompileOutcome &outcome) {
    return outcome.objects - outcome.cachedObjects;
}

} // namespace

/// What is built again after an edit: no less than has to be, and no more.
class TestCompileReuse : public QObject {
    Q_OBJECT

private slots:
    void init() { NEED_TOOL(missingTools(false).isEmpty(), missingTools(false)); }

    void neverGivesAnOldObject_data() {
        QTest::addColumn<QString>("what");
        QTest::addColumn<QString>("answer");
        QTest::newRow("a source") << "source"
                                  << "43";
        QTest::newRow("a header") << "header"
                                  << "51";
        QTest::newRow("a header of a header") << "deep header"
                                              << "51";
        QTest::newRow("a flag") << "flag"
                                << "61";
        QTest::newRow("another torch") << "torch"
                                       << "42";
        QTest::newRow("another compiler") << "compiler"
                                          << "42";
        QTest::newRow("another processor") << "processor"
                                           << "42";
        QTest::newRow("code in the place of a comment") << "uncommented"
                                                        << "71";
    }

    void neverGivesAnOldObject() {
        QFETCH(QString, what);
        const SmallWorkspace small;
        small.scratch.write("kernels/deep.h", "#pragma once\n#define STEP 1\n");
        small.scratch.write("kernels/step.h", "#pragma once\n#include \"deep.h\"\n");
        small.scratch.write("kernels/answer.cpp",
                            "#include \"step.h\"\n#ifdef OTHER\n#undef STEP\n#define STEP 20\n"
                            "#endif\nextern \"C\" int answer(int x) {\n    // x += 29;\n    "
                            "return x + STEP;\n}\n");
        const CompileOutcome before = runCompile(small.plan(), small.cache()).outcome.value();
        QCOMPARE(answerOf(before), QStringLiteral("42"));
        const auto edit = [&small](const QString &name, const QByteArray &from, const QByteArray &to) {
            QByteArray text = textOf(small.scratch.path(name));
            QVERIFY(text.contains(from));
            small.scratch.write(name, text.replace(from, to));
        };
        Toolchain tools = realToolchain();
        if (what == "source")
            edit("kernels/answer.cpp", "return x", "return 1 + x");
        else if (what == "header")
            edit("kernels/step.h", "\"deep.h\"\n", "\"deep.h\"\n#undef STEP\n#define STEP 10\n");
        else if (what == "deep header")
            edit("kernels/deep.h", "STEP 1", "STEP 10");
        else if (what == "flag")
            small.scratch.write(".warpwright/task.json", R"({"flags": {"cxx": ["-DOTHER"]}})");
        else if (what == "torch")
            tools.python->torchVersion += ".1";
        else if (what == "compiler")
            tools.hostCompiler->description += " (another build)";
        else if (what == "processor")
            tools.hostCompiler->processor += " (another)";
        else
            edit("kernels/answer.cpp", "// x +=", "x +=");
        const CompileOutcome after =
            runCompile(small.plan(TargetKind::Cpu, tools), small.cache()).outcome.value();
        QTEST(answerOf(after), "answer");
        QVERIFY(compiled(after) > 0);
        QVERIFY(after.runFolder != before.runFolder);
    }

    void compilesNothingForAComment() {
        const SmallWorkspace small;
        small.scratch.write("kernels/shared.cuh", "#pragma once\nconstexpr int THREADS = 256; // one\n");
        small.scratch.write("kernels/answer.cpp",
                            "// one\nextern \"C\" int answer(int x) { return x + 1; }\n");
        const CompileOutcome before = runCompile(small.plan(), small.cache()).outcome.value();
        small.scratch.write("kernels/shared.cuh", "#pragma once\nconstexpr int THREADS = 256; // another\n");
        small.scratch.write("kernels/answer.cpp",
                            "// another\nextern \"C\" int answer(int x) { return x + 1; } /* more */\n");
        const CompileOutcome after = runCompile(small.plan(), small.cache()).outcome.value();
        QCOMPARE(compiled(after), 0);
        QCOMPARE(after.runFolder, before.runFolder);
        QVERIFY(!after.log.contains("$ ")); // no command was run
    }

    void compilesOnlyLineTablesWhenLinesMove() {
        const SmallWorkspace small;
        const CompileOutcome before = runCompile(small.plan(), small.cache()).outcome.value();
        for (const char *name : {"kernels/answer.cpp", "kernels/shared.cuh"})
            small.scratch.write(name, "// one line more\n" + textOf(small.scratch.path(name)));
        const CompileOutcome after = runCompile(small.plan(), small.cache()).outcome.value();
        // nvcc writes the places of lines into its object; g++ does not.
        QCOMPARE(compiled(after), realToolchain().cuda ? 1 : 0);
        QVERIFY(!after.log.contains("answer.cpp -o"));
        QCOMPARE(answerOf(after), answerOf(before));
    }

    void makesNoObjectTwiceAtOnce() {
        const SmallWorkspace small;
        const CompilePlan plan = small.plan();
        CompileRun::Options options;
        options.cacheFolder = small.cache();
        std::vector<std::unique_ptr<CompileRun>> runs;
        std::vector<CompileOutcome> outcomes;
        for (int i = 0; i < 3; ++i) {
            runs.push_back(std::make_unique<CompileRun>(plan, options));
            connect(runs.back().get(), &CompileRun::finished, this,
                    [&outcomes](const CompileOutcome &outcome) { outcomes.push_back(outcome); });
            runs.back()->start();
        }
        QTRY_COMPARE_WITH_TIMEOUT(outcomes.size(), std::size_t(3), 60000);
        int made = 0;
        for (const CompileOutcome &outcome : outcomes) {
            QCOMPARE(outcome.status, CompileStatus::Passed);
            QCOMPARE(answerOf(outcome), QStringLiteral("42"));
            made += compiled(outcome);
        }
        QCOMPARE(made, outcomes[0].objects);
        QCOMPARE(QDir(small.cache() + "/objects").entryList({"*.lock"}), QStringList());
    }

    void takesOverWhatACancelledRunBegan() {
        const SmallWorkspace small;
        const CompilePlan plan = small.plan();
        CompileRun::Options options;
        options.cacheFolder = small.cache();
        CompileRun first(plan, options), second(plan, options);
        const QSignalSpy firstEnded(&first, &CompileRun::finished),
            secondEnded(&second, &CompileRun::finished);
        first.start();
        second.start();
        connect(&first, &CompileRun::progress, &first, &CompileRun::cancel, Qt::QueuedConnection);
        QTRY_COMPARE_WITH_TIMEOUT(secondEnded.size(), 1, 60000);
        QTRY_COMPARE(firstEnded.size(), 1);
        QCOMPARE(firstEnded[0][0].value<CompileOutcome>().status, CompileStatus::Cancelled);
        QCOMPARE(answerOf(secondEnded[0][0].value<CompileOutcome>()), QStringLiteral("42"));
    }

    void movesTheWarningsOfAnObjectWithItsLines() {
        const SmallWorkspace small;
        small.scratch.write("kernels/answer.cpp",
                            "extern \"C\" int answer(int x) { return x + 1; }\n#warning \"remember me\"\n");
        const auto placeOf = [](const CompileOutcome &outcome) {
            return outcome.diagnostics.size() == 1 ? outcome.diagnostics[0].line : -1;
        };
        QCOMPARE(placeOf(runCompile(small.plan(), small.cache()).outcome.value()), 2);
        small.scratch.write("kernels/answer.cpp", "\n\n" + textOf(small.scratch.path("kernels/answer.cpp")));
        QCOMPARE(placeOf(runCompile(small.plan(), small.cache()).outcome.value()), 4);
        QCOMPARE(placeOf(runCompile(small.plan(), small.cache()).outcome.value()), 4);
    }

    void compilesOneOfEightKernels() {
        const SmallWorkspace small;
        for (int i = 1; i < 8; ++i)
            small.scratch.write(QStringLiteral("kernels/more%1.cpp").arg(i),
                                "int more" + QByteArray::number(i) + "(int x) { return x + 1; }\n");
        const CompileOutcome before = runCompile(small.plan(), small.cache()).outcome.value();
        QCOMPARE(compiled(before), before.objects);
        small.scratch.write("kernels/more3.cpp", "int more3(int x) { return x + 2; }\n");
        const CompileOutcome after = runCompile(small.plan(), small.cache()).outcome.value();
        QCOMPARE(compiled(after), 1);
        QVERIFY(after.log.contains("more3.cpp -o"));
    }

    void compilesForAnotherDeviceAgain() {
        NEED_TOOL(missingTools(true).isEmpty(), missingTools(true));
        const SmallWorkspace small;
        const auto runFor = [&small](const CompileTarget &target) {
            const auto workspace = Workspace::open(small.scratch.path(), small.scratch.folders());
            const auto plan = makeCompilePlan(workspace.value(), realToolchain(), target);
            return runCompile(plan.value(), small.cache()).outcome.value();
        };
        const CompileOutcome hopper = runFor({TargetKind::Cuda, "sm_90a"});
        const CompileOutcome ampere = runFor({TargetKind::Cuda, "sm_80"});
        QCOMPARE(hopper.status, CompileStatus::Passed);
        QCOMPARE(ampere.status, CompileStatus::Passed);
        QCOMPARE(compiled(ampere), 1); // the kernel
        QVERIFY(ampere.runFolder != hopper.runFolder);
        QVERIFY(textOf(ampere.runFolder + "/cuda_extension.so") !=
                textOf(hopper.runFolder + "/cuda_extension.so"));
        // The processor's twin and binding are others again; the kernel's report is known.
        QCOMPARE(compiled(runFor({TargetKind::Cpu, "sm_80"})), 2);
        QCOMPARE(compiled(runFor({TargetKind::Cuda, "sm_90a"})), 0);
    }

    void linksAsTheCompilersOwnLinkerDoes() {
        const SmallWorkspace small;
        Toolchain tools = realToolchain();
        for (const char *linker : {"", "lld"}) {
            tools.hostCompiler->linker = linker;
            if (*linker && !QFile::exists(QStringLiteral("/usr/bin/ld.") + linker))
                continue;
            const CompileOutcome good =
                runCompile(small.plan(TargetKind::Cpu, tools), small.cache()).outcome.value();
            QCOMPARE(answerOf(good), QStringLiteral("42"));
            QVERIFY(good.diagnostics.empty());
            const SmallWorkspace bad;
            bad.scratch.write("kernels/answer.cpp", "int answer(int x) { return x; }\n");
            const CompileOutcome failed =
                runCompile(bad.plan(TargetKind::Cpu, tools), small.cache()).outcome.value();
            QCOMPARE(failed.status, CompileStatus::Failed);
            QVERIFY2(!failed.diagnostics.empty() &&
                         failed.diagnostics[0].message.contains("undefined reference to \"answer\""),
                     qPrintable(failed.log));
            QCOMPARE(failed.diagnostics[0].file, QStringLiteral("binding.cpp"));
        }
    }
};

QObject *makeTestCompileReuse() {
    return new TestCompileReuse;
}

#include "tst_compile_reuse.moc"
