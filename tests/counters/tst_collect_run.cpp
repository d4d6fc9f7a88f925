// SPDX-License-Identifier: GPL-3.0-or-later
// The profiler around a call: what is started, what its words mean. On a GPU: tests/gpu/run --only counters.
#include "tests/toolchain/places.h"
#include "tests/toolchain/scratch.h"
#include "toolchain/compile/build_sandbox.h"
#include "toolchain/counters/collect_run.h"

#include <QCoreApplication>
#include <QDir>
#include <QEventLoop>
#include <QTest>
#include <QTimer>

using namespace warpwright;

namespace {

struct Collected {
    std::optional<Counters> counters;
    QString message;
    QStringList steps;
};

} // namespace

class TestCollectRun : public QObject {
    Q_OBJECT
    Scratch m_scratch;

    [[nodiscard]] CollectPlan plan(const char *fault = "") const {
        CollectPlan plan;
        plan.ncu = {sourceFolder("/tests/tools/fake_ncu/ncu"), sourceFolder("/tests/tools/fake_ncu"), {}, {}};
        plan.interpreter = QStringLiteral("/usr/bin/python3");
        plan.script = sourceFolder("/toolchain/referee/worker/one_call.py");
        plan.inputs = m_scratch.path();
        plan.scratch = m_scratch.path();
        plan.environment = QProcessEnvironment::systemEnvironment();
        plan.environment.insert(QStringLiteral("FAKE_NCU"), QLatin1String(fault));
        plan.environment.insert(QStringLiteral("FAKE_NCU_REPORT"),
                                testData("/ncu/h200-three-kernels.ncu-rep"));
        plan.environment.insert(QStringLiteral("FAKE_NCU_ARGUMENTS"),
                                m_scratch.path(QStringLiteral("words")));
        // Without a sandbox only the trusted arms are run; the candidate's is tried on a GPU.
        plan.asked.wantsBaselines = true;
        return plan;
    }

    [[nodiscard]] Collected collect(const CollectPlan &plan, int cancelAfterMs = -1) const {
        ReportReading reading;
        reading.interpreters = {QStringLiteral("/usr/bin/false")};
        reading.scratchFolder = m_scratch.path(QStringLiteral("scratch"));
        qputenv("FAKE_NCU_REPORT", testData("/ncu/h200-three-kernels.ncu-rep").toUtf8());
        CollectRun run(plan, reading);
        Collected answer;
        QEventLoop loop;
        QObject::connect(&run, &CollectRun::progress, &loop,
                         [&](const QString &step, int) { answer.steps << step; });
        QObject::connect(&run, &CollectRun::finished, &loop, [&](const SharedCounters &counters) {
            answer.counters = *counters;
            loop.quit();
        });
        QObject::connect(&run, &CollectRun::failed, &loop, [&](const QString &message) {
            answer.message = message;
            loop.quit();
        });
        if (cancelAfterMs >= 0)
            QTimer::singleShot(cancelAfterMs, &run, &CollectRun::cancel);
        run.start();
        loop.exec();
        return answer;
    }

private slots:
    void collectsEachArm() {
        const Collected answer = collect(plan());
        QVERIFY2(answer.counters.has_value(), qPrintable(answer.message));
        // There is no sandbox, so the candidate could not be started: that is said, and the others are there.
        QCOMPARE(answer.counters->arms(), (QStringList{QStringLiteral("eager"), QStringLiteral("compile")}));
        QCOMPARE(answer.counters->kernels.size(), std::size_t(6));
        QVERIFY(!answer.counters->problems.isEmpty());
        QVERIFY2(answer.steps.contains(QStringLiteral("eager: copy4")),
                 qPrintable(answer.steps.join(QLatin1Char('|'))));
        QVERIFY(answer.counters->collectSeconds > 0.1);
    }

    void leavesTheClocksAsTheyAre() {
        const ProcessRequest request = collectRequest(plan(), QStringLiteral("eager"), 1000);
        const int at = static_cast<int>(request.arguments.indexOf(QStringLiteral("--clock-control")));
        QVERIFY(at >= 0);
        QCOMPARE(request.arguments[at + 1], QStringLiteral("none"));
    }

    void theCandidateStandsInTheSandbox() {
        CollectPlan sandboxed = plan();
        sandboxed.sandboxProgram = QStringLiteral("/w/warpwright-sandbox");
        sandboxed.sandboxWords = {QStringLiteral("--kind"), QStringLiteral("namespaces")};
        const ProcessRequest request = collectRequest(sandboxed, QStringLiteral("candidate"), 1000);
        QCOMPARE(request.program, sandboxed.sandboxProgram);
        QVERIFY(request.arguments.contains(QStringLiteral("tools")));
        QVERIFY(!request.environment.contains(QStringLiteral("FAKE_NCU"))); // nothing of ours
        sandboxed.asked.kernel = QStringLiteral("f<(int)3>");
        QVERIFY(collectRequest(sandboxed, QStringLiteral("eager"), 1)
                    .arguments.contains(QStringLiteral("regex:f\\<\\(int\\)3\\>")));
    }

    void saysWhyNot_data() {
        QTest::addColumn<QByteArray>("fault");
        QTest::addColumn<QString>("words");
        QTest::newRow("permission") << QByteArray("permission")
                                    << QStringLiteral("NVreg_RestrictProfilingToAdminUsers=0");
        QTest::newRow("library") << QByteArray("library") << QStringLiteral("gVisor");
        QTest::newRow("nothing") << QByteArray("nothing") << QStringLiteral("started no kernel");
        QTest::newRow("crash") << QByteArray("crash") << QStringLiteral("signal 11");
    }
    void saysWhyNot() {
        QFETCH(QByteArray, fault);
        QFETCH(QString, words);
        ProcessOutcome outcome;
        QProcess tool;
        tool.setProcessEnvironment(plan(fault.constData()).environment);
        tool.start(plan().ncu.program, {QStringLiteral("-o"), m_scratch.path(QStringLiteral("x.ncu-rep"))});
        QVERIFY(tool.waitForFinished());
        outcome.standardOutput = tool.readAllStandardOutput();
        if (tool.exitStatus() == QProcess::CrashExit)
            outcome.signal = tool.exitCode();
        else
            outcome.exitCode = tool.exitCode();
        const CollectRefusal refusal = whyNotCollected(plan(), outcome);
        const QString all = refusal.why + QLatin1Char(' ') + refusal.advice;
        QVERIFY2(all.contains(words), qPrintable(all));
        const Collected answer = collect(plan(fault.constData()));
        QVERIFY(!answer.counters);
        QVERIFY(!answer.message.isEmpty());
    }

    void stopsAtOnce() {
        QElapsedTimer clock;
        clock.start();
        const Collected answer = collect(plan("hang"), 300);
        QVERIFY(!answer.counters);
        QVERIFY(answer.message.contains(QStringLiteral("Cancelled")));
        QVERIFY(clock.elapsed() < 5000);
    }

    void readsProgress() {
        const auto step = collectStepIn("==PROF== Profiling \"copy4\" - 0: 0%....50%....100% - 10 passes");
        QVERIFY(step.has_value());
        QCOMPARE(*step, (CollectStep{QStringLiteral("copy4"), 0, 10}));
        const auto now = collectStepIn("==PROF== Profiling \"void f<(int)3>(x)\" - 12: 0%....");
        QVERIFY(now.has_value());
        QCOMPARE(now->launch, 12);
        QCOMPARE(now->passes, 0);
        QVERIFY(!collectStepIn("==PROF== Connected to process 598 (/home/anna/k)"));
    }
};

QObject *makeTestCollectRun() {
    return new TestCollectRun;
}

#include "tst_collect_run.moc"
