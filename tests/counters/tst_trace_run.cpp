// SPDX-License-Identifier: GPL-3.0-or-later
// What is said of a candidate that does not come to its end. Real traces: tests/referee/check_trace.py.
#include "tests/toolchain/scratch.h"
#include "toolchain/timeline/trace_run.h"

#include <QEventLoop>
#include <QTest>

using namespace warpwright;

namespace {

struct Traced {
    std::optional<Timeline> timeline;
    QString message;
    QStringList steps;
};

} // namespace

class TestTraceRun : public QObject {
    Q_OBJECT
    Scratch m_scratch;

    /// `candidate` and `reference`: what these do in place of being traced, in Python.
    [[nodiscard]] Traced trace(const QByteArray &reference, const QByteArray &candidate,
                               int patienceMs = 10'000, int cancelAfterMs = -1) const {
        TracePlan plan;
        plan.interpreter = QStringLiteral("/usr/bin/python3");
        plan.script =
            m_scratch.write(QStringLiteral("trace.py"),
                            "import json, os, signal, sys, time\n"
                            "out = sys.argv[4]\n"
                            "def done():\n"
                            "    arm = {'name': 'eager', 'untracedUs': [1.0], 'calls': [{'us': 2.0}]}\n"
                            "    json.dump({'tool': 't', 'arms': [arm]}, open(out, 'w'))\n"
                            "if out.endswith('candidate.json'):\n    " +
                                candidate + "\nelse:\n    " + reference + "\n");
        const QString sandbox =
            m_scratch.writeProgram(QStringLiteral("sandbox"),
                                   "#!/bin/sh\nwhile [ \"$1\" != -- ]; do shift; done\nshift\nexec \"$@\"\n");
        plan.sandboxProgram = sandbox;
        plan.scratch = m_scratch.path();
        plan.environment = QProcessEnvironment::systemEnvironment();
        plan.wantsBaselines = true;
        TraceRun run(plan, patienceMs);
        Traced answer;
        QEventLoop loop;
        connect(&run, &TraceRun::progress, &loop, [&](const QString &step) { answer.steps << step; });
        connect(&run, &TraceRun::finished, &loop, [&](const Timeline &timeline) {
            answer.timeline = timeline;
            loop.quit();
        });
        connect(&run, &TraceRun::failed, &loop, [&](const QString &message) {
            answer.message = message;
            loop.quit();
        });
        if (cancelAfterMs >= 0)
            QTimer::singleShot(cancelAfterMs, &run, &TraceRun::cancel);
        run.start();
        loop.exec();
        return answer;
    }

private slots:
    void namesTheSignal() {
        const Traced answer = trace("done()", "os.kill(os.getpid(), signal.SIGSEGV)");
        QVERIFY2(answer.timeline.has_value(), qPrintable(answer.message));
        const QString why = answer.timeline->arm(QStringLiteral("candidate"))->problem;
        QVERIFY2(why.contains(QStringLiteral("signal 11 (SIGSEGV): it reads or writes where")),
                 qPrintable(why));
        QVERIFY(answer.timeline->arm(QStringLiteral("eager")) != nullptr);
    }

    void givesTheLastWords() {
        const Traced answer = trace("done()", "sys.exit('RuntimeError: boo')");
        QVERIFY2(answer.timeline.has_value(), qPrintable(answer.message));
        QCOMPARE(answer.timeline->arm(QStringLiteral("candidate"))->problem,
                 QStringLiteral("RuntimeError: boo"));
    }

    void tellsThatItWaitsAndHowLongStill() {
        const Traced answer = trace("done()", "time.sleep(60)", 1000, 2800);
        QVERIFY2(answer.message.contains(QStringLiteral("Cancelled")), qPrintable(answer.message));
        QVERIFY2(answer.steps.contains(QStringLiteral("candidate (no end after 1 s, stopped in 179 s)")),
                 qPrintable(answer.steps.join(QLatin1Char('|'))));
    }

    void whoEndsInTimeIsNotToldOf() {
        const Traced answer = trace("done()", "done()");
        QVERIFY2(answer.timeline.has_value(), qPrintable(answer.message));
        QCOMPARE(answer.steps,
                 (QStringList{QStringLiteral("eager and compile"), QStringLiteral("candidate")}));
    }
};

QObject *makeTestTraceRun() {
    return new TestTraceRun;
}

#include "tst_trace_run.moc"
