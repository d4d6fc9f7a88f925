// SPDX-License-Identifier: GPL-3.0-or-later
// What compute-sanitizer prints, what is made of it, and a tool that hangs, floods or is missing.
#include "tests/toolchain/places.h"
#include "toolchain/check/sanitizer_run.h"
#include "toolchain/compile/build_sandbox.h"
#include "toolchain/evaluation/evidence_lines.h"

#include <QCoreApplication>
#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>

using namespace warpwright;

namespace {

QByteArray recorded(const char *name) {
    QFile file(testData("/compute-sanitizer/%1-2025.3.1.txt").arg(QLatin1String(name)));
    if (!file.open(QIODevice::ReadOnly))
        qFatal("no %s", qPrintable(file.fileName()));
    return file.readAll();
}

KernelResources kernel(const char *mangled, const char *name) {
    KernelResources resources;
    resources.mangled = QString::fromLatin1(mangled);
    resources.name = QString::fromLatin1(name);
    return resources;
}

ProcessOutcome ended(const QByteArray &output, bool isDone, int exitCode = 0) {
    ProcessOutcome outcome;
    outcome.standardOutput = output;
    outcome.standardError = isDone ? QByteArray(sanitizedMark) + "\n" : QByteArray("RuntimeError: no\n");
    outcome.exitCode = exitCode;
    outcome.seconds = 4;
    return outcome;
}

/// A plan whose tool is a shell script of the test's, in the real sandbox.
struct FakeTool {
    QTemporaryDir folder;
    SanitizerPlan plan;

    explicit FakeTool(const QByteArray &script) {
        const QString program = folder.filePath(QStringLiteral("compute-sanitizer"));
        QFile file(program);
        if (file.open(QIODevice::WriteOnly))
            file.write("#!/bin/bash\n" + script);
        file.close();
        file.setPermissions(file.permissions() | QFile::ExeOwner | QFile::ExeOther | QFile::ReadOther);
        QFile::setPermissions(folder.path(),
                              QFile::permissions(folder.path()) | QFile::ReadOther | QFile::ExeOther);
        plan.program = program;
        plan.sandboxProgram = findSandboxProgram(QCoreApplication::applicationDirPath());
        plan.sandboxWords = {QStringLiteral("--kind"), QStringLiteral("namespaces")};
        for (const char *path : {"/usr", "/bin", "/lib", "/lib64"})
            plan.sandboxWords << QStringLiteral("--read") << QLatin1String(path);
        plan.interpreter = QStringLiteral("/usr/bin/python3");
        plan.script = folder.filePath(QStringLiteral("sanitize.py"));
        plan.inputs = plan.runFolder = plan.toolkit = plan.workspace = folder.path();
        plan.scratch = folder.filePath(QStringLiteral("scratch"));
        QDir().mkpath(plan.scratch);
        plan.kernels = {kernel("_Z5scalePfi", "scale(float*, int)")};
    }
};

SanitizerSection runAll(SanitizerRun &run) {
    QSignalSpy finished(&run, &SanitizerRun::finished);
    run.start();
    if (finished.isEmpty() && !finished.wait(60000))
        qFatal("it does not end");
    return finished.first().first().value<SanitizerSection>();
}

} // namespace

class TestSanitizers : public QObject {
    Q_OBJECT

private slots:
    void readsPlaces_data() {
        QTest::addColumn<QByteArray>("line");
        QTest::addColumn<QString>("function");
        QTest::addColumn<QString>("file");
        QTest::addColumn<int>("number");
        const auto row = [](const char *name, const char *line, const char *function, const char *file,
                            int number) {
            QTest::newRow(name) << QByteArray(line) << QString(function) << QString(file) << number;
        };
        row("with a line", "at _Z5scalePfi+0x90 in /w/kernels/scale.cu:7", "_Z5scalePfi",
            "/w/kernels/scale.cu", 7);
        row("without", "at _Z5scalePfi+0x90", "_Z5scalePfi", "", 0);
        row("demangled", "at void scale<float>(T1 *, int)+0x1a0 in a b.cu:12", "void scale<float>(T1 *, int)",
            "a b.cu", 12);
        row("of 2022", "at scale(float*,int):0x90 in /w/scale.cu:7", "scale(float*,int)", "/w/scale.cu", 7);
        row("of 2021", "at 0x90 in /w/scale.cu:7:scale(float*,int)", "scale(float*,int)", "/w/scale.cu", 7);
    }
    void readsPlaces() {
        QFETCH(QByteArray, line);
        QFETCH(QString, function);
        QFETCH(QString, file);
        QFETCH(int, number);
        const SanitizerReport report = parseSanitizerReport(
            "========= Invalid __global__ read of size 4 bytes\n=========     " + line + "\n");
        QCOMPARE(report.records.size(), std::size_t(1));
        QCOMPARE(report.records[0].places.size(), std::size_t(1));
        const SanitizerPlace &place = report.records[0].places[0];
        QCOMPARE(place.function, function);
        QCOMPARE(place.file, file);
        QCOMPARE(place.line, number);
    }

    void readsAMemoryError() {
        const SanitizerReport report = parseSanitizerReport(
            "chatter without an end========= COMPUTE-SANITIZER\n"
            "========= Invalid __global__ write of size 4 bytes\n"
            "=========     at _Z4pokePf+0x20 in /w/kernels/scale.cuh:3\n"
            "=========     by thread (32,1,0) in block (7,0,2)\n"
            "=========     Access to 0x7f00 is out of bounds\n"
            "=========     and is 1 bytes after the nearest allocation at 0x7e00 of size 256 bytes\n"
            "=========         Device Frame:_Z5scalePfi+0x90 in /w/kernels/scale.cu:9\n"
            "========= \n"
            "========= Program hit cudaErrorLaunchFailure (error 719) due to \"x\" on CUDA API call to y.\n"
            "=========     Saved host backtrace up to driver entry point at error\n"
            "========= \n"
            "========= Target application returned an error\n"
            "========= ERROR SUMMARY: 1002 errors\n"
            "========= ERROR SUMMARY: 1000 errors were not printed. Use --print-limit option to adjust\n");
        QVERIFY(report.hasSummary);
        QCOMPARE(report.unprinted, qint64(1000));
        QCOMPARE(report.records.size(), std::size_t(2));
        const SanitizerRecord &record = report.records[0];
        QCOMPARE(
            record.what,
            QString("Invalid __global__ write of size 4 bytes: Access to 0x7f00 is out of bounds and is 1 "
                    "bytes after the nearest allocation at 0x7e00 of size 256 bytes"));
        QCOMPARE(record.thread, QString("(32,1,0)"));
        QCOMPARE(record.block, QString("(7,0,2)"));
        QCOMPARE(record.places.size(), std::size_t(2));
        QCOMPARE(record.places[1].function, QString("_Z5scalePfi"));
    }

    void readsARace() {
        const SanitizerReport report = parseSanitizerReport(
            "========= Error: Race reported between Write access at _Z5scalePfi+0x440 in "
            "/w/kernels/scale.cu:11\n"
            "=========     and Read access at _Z5scalePfi+0x450 in /w/kernels/scale.cu:13 [124 hazards]\n"
            "========= \n"
            "========= Warning: Race reported between Read access at _Z5scalePfi+0x10\n"
            "=========     and Write access at _Z5scalePfi+0x20 [1 hazards]\n"
            "========= RACECHECK SUMMARY: 2 hazards displayed (1 error, 1 warning)\n");
        QVERIFY(report.hasSummary && report.problem.isEmpty());
        QCOMPARE(report.records.size(), std::size_t(2));
        QCOMPARE(report.records[0].what, QString("race between write and read of line 13 (124 hazards)"));
        QVERIFY(!report.records[0].isWarning && report.records[1].isWarning);
    }

    void readsWhatTheRealToolSaid() {
        SanitizerPlan plan;
        plan.workspace = "/tmp/w/gpu-race";
        plan.kernels = {kernel("_Z10gateKernelPKfS0_Pfii",
                               "gateKernel(const float *, const float *, float *, int, int)")};
        SanitizerOutcome outcome = sanitizerOutcome(plan, "memcheck", ended(recorded("clean"), true));
        QCOMPARE(outcome.status, StageStatus::Passed);

        outcome = sanitizerOutcome(plan, "racecheck", ended(recorded("racecheck"), true));
        QCOMPARE(outcome.status, StageStatus::Failed);
        QCOMPARE(outcome.errors, qint64(1));
        QVERIFY(outcome.first[0] ==
                (SanitizerFinding{"race between write and read of line 9 (1048576 hazards)",
                                  "gateKernel",
                                  "kernels/gate.cu",
                                  7,
                                  {},
                                  {}}));

        outcome = sanitizerOutcome(plan, "initcheck", ended(recorded("initcheck"), true));
        QCOMPARE(outcome.status, StageStatus::Failed);
        QCOMPARE(outcome.errors, qint64(4 + 261144));
        QCOMPARE(outcome.first.size(), std::size_t(1));
        QVERIFY(outcome.first[0] ==
                (SanitizerFinding{"Uninitialized __global__ memory read of size 4 bytes", "gateKernel",
                                  "kernels/gate.cu", 11, "(64,0,0)", "(8,0,0)"}));
    }

    void saysWhatTheToolCouldNotDo_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("problem");
        QTest::newRow("nothing") << QByteArray() << QString();
        QTest::newRow("garbage") << QByteArray("\xff\xfe=\n=========\n========= \nabc") << QString();
        QTest::newRow("the device is refused")
            << QByteArray(
                   "========= COMPUTE-SANITIZER\n========= Error: Device not supported. Please refer\n")
            << "Device not supported. Please refer";
        QTest::newRow("it lost the program")
            << QByteArray("========= Error: No attachable process found. compute-sanitizer timed-out.\n")
            << "No attachable process found. compute-sanitizer timed-out.";
    }
    void saysWhatTheToolCouldNotDo() {
        QFETCH(QByteArray, text);
        QFETCH(QString, problem);
        const SanitizerReport report = parseSanitizerReport(text);
        QVERIFY(report.records.empty() && !report.hasSummary);
        QCOMPARE(report.problem, problem);
    }

    void countsOnlyTheCandidatesOwnKernels() {
        SanitizerPlan plan;
        plan.workspace = "/w";
        plan.kernels = {kernel("_Z5scalePfi", "scale(float*, int)")};
        const QByteArray own = "========= Uninitialized __global__ memory read of size 4 bytes\n"
                               "=========     at _Z5scalePfi+0x90 in /w/kernels/scale.cu:9\n"
                               "=========     by thread (0,0,0) in block (0,0,0)\n";
        const QByteArray strange = "========= Uninitialized __global__ memory read of size 4 bytes\n"
                                   "=========     at _ZN2at6native4fillEPf+0x90\n"
                                   "=========     by thread (0,0,0) in block (0,0,0)\n";
        const QByteArray summary = "========= ERROR SUMMARY: 3 errors\n";
        SanitizerOutcome outcome =
            sanitizerOutcome(plan, "initcheck", ended(own + own + strange + summary, true));
        QCOMPARE(outcome.status, StageStatus::Failed);
        QCOMPARE(outcome.errors, qint64(2));
        QCOMPARE(outcome.leftOut, qint64(1));
        QCOMPARE(outcome.first.size(), std::size_t(1)); // the same place twice
        QCOMPARE(outcome.first[0].kernel, QString("scale"));
        QCOMPARE(placeText(outcome.first[0]), QString("kernels/scale.cu:9"));
        outcome = sanitizerOutcome(plan, "initcheck", ended(strange + summary, true));
        QCOMPARE(outcome.status, StageStatus::Passed);
        QCOMPARE(outcome.leftOut, qint64(1));
    }

    void isNeverPassedWithoutItsEnd_data() {
        QTest::addColumn<ProcessOutcome>("outcome");
        QTest::addColumn<QString>("reason");
        const QByteArray clean = "========= COMPUTE-SANITIZER\n========= ERROR SUMMARY: 0 errors\n";
        QTest::newRow("no summary") << ended("", true) << "the forward is done";
        QTest::newRow("the script failed") << ended(clean, false, 1) << "RuntimeError: no";
        ProcessOutcome outcome = ended(clean, true);
        outcome.timedOut = true;
        QTest::newRow("time passed") << outcome << "did not finish in 4.00 s";
        outcome = ended(clean, true);
        outcome.cancelled = true;
        QTest::newRow("stopped") << outcome << "cancelled by you";
        QTest::newRow("refused") << ended("========= Error: Device not supported. Please\n", false)
                                 << "the tool says: Device not supported";
    }
    void isNeverPassedWithoutItsEnd() {
        QFETCH(ProcessOutcome, outcome);
        QFETCH(QString, reason);
        const SanitizerOutcome answer = sanitizerOutcome({}, "memcheck", outcome);
        QCOMPARE(answer.status, StageStatus::NotRun);
        QVERIFY2(answer.reason.contains(reason), qPrintable(answer.reason));
    }

    void sumsUp() {
        SanitizerSection section;
        section.sumUp();
        QCOMPARE(section.status, StageStatus::NotRun);
        for (const QString &name : sanitizerNames())
            section.tools.push_back({name, StageStatus::Passed, 1.0, 0, 0, {}, {}});
        section.sumUp();
        QCOMPARE(section.status, StageStatus::Passed);
        section.tools[2].status = StageStatus::NotRun;
        section.tools[2].reason = "no time";
        section.sumUp();
        QCOMPARE(section.status, StageStatus::NotRun);
        QCOMPARE(section.reason, QString("initcheck: no time"));
        section.tools[1].status = StageStatus::Failed;
        section.tools[1].errors = 2;
        section.tools[1].first = {{"race", "scale", "kernels/scale.cu", 9, {}, {}}};
        section.sumUp();
        QCOMPARE(section.status, StageStatus::Failed);
        QCOMPARE(doubtsOf(section),
                 QStringList("racecheck found an error in scale (kernels/scale.cu:9): race."));
        QVERIFY(memoryErrorText(section).isEmpty());
        QVERIFY(sanitizersFromJson(toJson(section)) == section);
        const std::vector<Diagnostic> lines = sanitizerLines(section);
        QCOMPARE(lines.size(), std::size_t(3));
        QCOMPARE(lines[1].file, QString("kernels/scale.cu"));
        QCOMPARE(lines[2].message, QString("Not run: no time"));
        section.tools[0] = section.tools[1];
        section.tools[0].tool = "memcheck";
        QVERIFY(memoryErrorText(section).startsWith("scale (kernels/scale.cu:9): race (2 in all)"));
    }

    void readsFindingsWithAndWithoutAPlace() {
        const OrderedJson integrity = OrderedJson::parse(
            R"({"findings": [1, {"kind": "a", "evidence": "e"}, {"kind": "b", "rule": "torch-operators",
                "evidence": "aten::mm", "place": {"file": "model_new.py", "line": 12}}]})");
        const std::vector<Diagnostic> lines = findingLines(integrity);
        QCOMPARE(lines.size(), std::size_t(2));
        QCOMPARE(lines[0].message, QString("a: e"));
        QCOMPARE(lines[1].message, QString("torch-operators: aten::mm"));
        QCOMPARE(lines[1].file, QString("model_new.py"));
        QCOMPARE(lines[1].line, 12);
    }

    // ---- the worker, with a shell script in the tool's place

    void runsAllThreeInTheSandbox() {
        FakeTool fake(
            "echo '========= COMPUTE-SANITIZER'\n"
            "echo \"$2 \" >> $TMPDIR/ran\n"
            "if [ $2 = racecheck ]; then echo '========= Error: Race reported between Write access at "
            "_Z5scalePfi+0x1'; echo '=========     and Read access at _Z5scalePfi+0x2 [9 hazards]'; fi\n"
            "echo '========= ERROR SUMMARY: 0 errors'\n"
            "echo 'warpwright: the forward is done' >&2\n");
        SanitizerRun run(fake.plan);
        QSignalSpy steps(&run, &SanitizerRun::progress);
        const SanitizerSection section = runAll(run);
        QCOMPARE(section.tools.size(), std::size_t(3));
        for (const SanitizerOutcome &outcome : section.tools)
            QVERIFY2(outcome.status ==
                         (outcome.tool == "racecheck" ? StageStatus::Failed : StageStatus::Passed),
                     qPrintable(outcome.tool + ": " + outcome.reason));
        QVERIFY2(QStringList({"namespaces", "landlock", "none"}).contains(section.sandbox),
                 qPrintable(section.sandbox));
        QCOMPARE(steps.size(), 3);
        QCOMPARE(steps[2].at(0).toString(), QString("initcheck"));
    }

    void whatHangsIsNotRun() {
        FakeTool fake("sleep 100 & sleep 100\n");
        SanitizerRun run(fake.plan);
        run.setLimits(500, 900);
        const SanitizerSection section = runAll(run);
        QCOMPARE(section.status, StageStatus::NotRun);
        QVERIFY2(section.tools[0].reason.contains("did not finish"), qPrintable(section.tools[0].reason));
        QVERIFY2(section.tools[2].reason.contains("took all the time"), qPrintable(section.tools[2].reason));
    }

    void stopsWhenAsked() {
        FakeTool fake("sleep 100\n");
        SanitizerRun run(fake.plan);
        connect(&run, &SanitizerRun::progress, &run,
                [&run] { QTimer::singleShot(200, &run, &SanitizerRun::cancel); });
        QElapsedTimer clock;
        clock.start();
        const SanitizerSection section = runAll(run);
        QVERIFY(clock.elapsed() < 10000);
        for (const SanitizerOutcome &outcome : section.tools)
            QCOMPARE(outcome.reason, QString("cancelled by you"));
    }

    void aToolThatSaysNonsenseIsNotRun() {
        FakeTool fake("head -c 12000000 /dev/zero | tr '\\0' 'x'; echo; exit 3\n");
        SanitizerRun run(fake.plan);
        const SanitizerSection section = runAll(run);
        QCOMPARE(section.status, StageStatus::NotRun);
        QVERIFY2(section.reason.contains("exit code 3"), qPrintable(section.reason));
    }

    void aMissingToolIsNotRun() {
        FakeTool fake("");
        QFile::remove(fake.plan.program);
        SanitizerRun run(fake.plan);
        const SanitizerSection section = runAll(run);
        QCOMPARE(section.status, StageStatus::NotRun);
        QVERIFY2(section.reason.contains("Cannot start"), qPrintable(section.reason));
        fake.plan.sandboxProgram = "/nowhere/warpwright-sandbox";
        SanitizerRun unsandboxed(fake.plan);
        QVERIFY(runAll(unsandboxed).tools[0].reason.contains("/nowhere/warpwright-sandbox"));
    }
};

QObject *makeTestSanitizers() {
    return new TestSanitizers;
}

#include "tst_sanitizers.moc"
