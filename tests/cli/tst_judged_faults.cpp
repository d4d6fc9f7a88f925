// SPDX-License-Identifier: GPL-3.0-or-later
// One row for each way to be bad that shows itself without timing, with the real judge on the CPU.
#include "tests/cli/judged_document.h"
#include "tests/toolchain/row_share.h"
#include "tests/toolchain/run_test_classes.h"
#include "toolchain/process/processes_below.h"

#include <QTest>

#include <csignal>

using namespace warpwright;

class TestJudgedFaults : public QObject {
    Q_OBJECT

private:
    CliWorld m_world;

    static qint64 findBelow(qint64 pid, const QString &name) {
        for (const ProcessFact &fact : processesBelow(pid)) {
            if (fact.name.startsWith(name))
                return fact.pid;
        }
        return 0;
    }

private slots:
    void initTestCase() {
        NEED_TOOL(!CliWorld::python().isEmpty(), "a Python environment with torch");
        verifyLoneTask(m_world);
    }

    void saysWhatIsWrong_data() {
        QTest::addColumn<QString>("verdict");
        QTest::addColumn<int>("exitCode");
        QTest::addColumn<QStringList>("words");
        const auto row = [](const char *workspace, const char *verdict, int exitCode,
                            const QStringList &words) {
            QTest::newRow(workspace) << verdict << exitCode << words;
        };
        row("task-syntax-error", "task-failed", 2, {"model.py", "SyntaxError"});
        row("task-without-model", "task-failed", 2, {"model.py", "Model"});
        row("task-inputs-raise", "task-failed", 2, {"model.py", "no inputs today"});
        row("task-forward-raises", "task-failed", 2, {"model.py", "gain"});
        row("task-segfaults", "task-failed", 2, {"model.py", "signal 11"});
        row("other-constructor", "run-failed", 1, {"model_new.py", "groups"});
        row("other-state", "run-failed", 1, {"model_new.py", "scale"});
        row("wrong-shape", "wrong", 1, {"model_new.py", "262144", "512, 512"});
        row("wrong-dtype", "wrong", 1, {"model_new.py", "float64", "float32"});
        row("twin-wrong", "wrong", 1, {"model_new.py"});
        row("twin-nan", "wrong", 1, {"model_new.py", "NaN"});
        row("twin-writes-input", "rejected", 1, {"model_new.py", "inputs"});
        row("twin-segfaults", "run-failed", 1, {"model_new.py", "signal 11"});
        row("twin-hangs", "run-failed", 1, {"model_new.py"});
        row("worker-killed", "run-failed", 1, {"model_new.py", "signal 9", "outside killed it"});
        row("twin-does-not-compile", "build-failed", 3, {"1 error"});
    }

    void saysWhatIsWrong() {
        TAKE_TURNS(3);
        QFETCH(QString, verdict);
        QFETCH(int, exitCode);
        QFETCH(QStringList, words);
        const QString folder = m_world.workspace(QString::fromLatin1(QTest::currentDataTag()));
        const CliOutcome outcome =
            m_world.run({"check", folder, "--device", "cpu", "--stages", "compile,verify", "--json"});
        verifyDocument(outcome, verdict, exitCode, words);
    }

    void aConstantIsRightAndWorthNothing() {
        const CliOutcome outcome = m_world.run({"check", m_world.workspace("task-constant"), "--device",
                                                "cpu", "--stages", "compile,verify", "--json"});
        QVERIFY2(outcome.document.is_object(), outcome.words());
        QCOMPARE(stringIn(outcome.document, "verdict"), QString("pass"));
        QCOMPARE(outcome.exitCode, 0);
        QVERIFY(outcome.document["reward"].is_null());
        const QString reason = stringIn(outcome.document["task"]["degenerate"], "reason");
        QVERIFY2(reason.contains("same for all inputs") && reason.contains("made of the parameters"),
                 qPrintable(reason));
    }

    void aJudgeKilledFromOutsideLosesNothing() {
        const CliOutcome outcome = m_world.runAnd(
            {"check", m_world.workspace("base"), "--device", "cpu", "--json"}, "verify 3 of", [](qint64 pid) {
                const qint64 judge = findBelow(pid, "wright-referee");
                QVERIFY(judge != 0);
                ::kill(static_cast<pid_t>(judge), SIGKILL);
            });
        verifyDocument(outcome, "environment", 2, {"wright-referee", "killed by signal 9"});
        QCOMPARE(stringIn(outcome.document["compile"], "status"), QString("passed"));
    }
};

QObject *makeTestJudgedFaults() {
    return new TestJudgedFaults;
}

#include "tst_judged_faults.moc"
