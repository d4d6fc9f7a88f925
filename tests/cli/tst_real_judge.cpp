// SPDX-License-Identifier: GPL-3.0-or-later
// The whole act with the real judge on the CPU: a good candidate, and one row for each way to be bad.
#include "tests/cli/cli_world.h"
#include "tests/toolchain/run_rooms.h"
#include "toolchain/processes_below.h"

#include <QTest>

#include <csignal>

using namespace warpwright;

class TestRealJudge : public QObject {
    Q_OBJECT

private:
    CliWorld m_world;

    static void verifyDocument(const CliOutcome &outcome, const QString &verdict, int exitCode,
                               const QStringList &words) {
        QVERIFY2(outcome.verdict() == verdict, outcome.words());
        QVERIFY2(outcome.exitCode == exitCode, outcome.words());
        const OrderedJson message = outcome.document["message"];
        const QString text = stringIn(message, "what") + ' ' + stringIn(message, "thing") + ' ' +
                             stringIn(message, "why") + ' ' + stringIn(message, "advice");
        for (const QString &word : words)
            QVERIFY2(text.contains(word), outcome.words() + "\nlacks: " + word.toUtf8());
        QVERIFY2(verdict == "pass" || !stringIn(message, "advice").isEmpty(),
                 "no word on what to do\n" + outcome.words());
        const QString complaints = CliWorld::schemaComplaints(outcome.document);
        QVERIFY2(complaints.isEmpty(), qPrintable(complaints));
    }

    /// Times on a busy machine may scatter too much to decide. The document then says so, and nothing else,
    /// and to check again, which is done here.
    [[nodiscard]] CliOutcome checkUntilDecided(const QString &folder) {
        CliOutcome outcome;
        for (int attempt = 0; attempt < 2; ++attempt) {
            outcome = m_world.run({"check", folder, "--device", "cpu", "--json"}, 300000);
            if (outcome.verdict() != "inconclusive")
                break;
            verifyDocument(outcome, "inconclusive", 4, {"scatter"});
        }
        return outcome;
    }

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
        // The referee is built here, once for each state of its sources; no other row waits for that.
        const CliOutcome outcome = m_world.run(
            {"check", m_world.workspace("lone", "lone") + "/problem.py", "--device", "cpu", "--json"},
            600000);
        verifyDocument(outcome, "not-run", 4, {"model_new.py"});
    }

    void aGoodCandidatePasses() {
        const CliOutcome outcome = checkUntilDecided(m_world.workspace("base"));
        if (outcome.verdict() == "inconclusive")
            QSKIP("this machine is too busy to measure on");
        verifyDocument(outcome, "pass", 0, {});
        QCOMPARE(outcome.document["verify"]["rounds"].size(), std::size_t(5));
        QVERIFY(outcome.document["profile"]["arms"]["candidate"]["samples"].get<int>() >= 8);
        QVERIFY(outcome.document["profile"]["speedup"]["sameClass"]["low"].get<double>() > 0);
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
        row("task-constant", "unverifiable", 4, {"model.py"});
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
        QFETCH(QString, verdict);
        QFETCH(int, exitCode);
        QFETCH(QStringList, words);
        const QString folder = m_world.workspace(QString::fromLatin1(QTest::currentDataTag()));
        const CliOutcome outcome =
            m_world.run({"check", folder, "--device", "cpu", "--stages", "compile,verify", "--json"});
        verifyDocument(outcome, verdict, exitCode, words);
    }

    void resultsKeptFromEarlierCallsAreWrong() {
        // They were right when they were verified; the inputs of timed calls are others each time.
        const CliOutcome outcome = checkUntilDecided(m_world.workspace("caches-results"));
        if (outcome.verdict() == "inconclusive")
            QSKIP("this machine is too busy to measure on");
        verifyDocument(outcome, "wrong", 1, {"model_new.py", "timed calls"});
        QCOMPARE(stringIn(outcome.document["verify"], "status"), QString("passed"));
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

    void stopsInTheMiddleOfProfiling() {
        const CliOutcome outcome = m_world.interrupt(
            {"check", m_world.workspace("base"), "--device", "cpu", "--json"}, "profile 2 of", SIGINT);
        QVERIFY2(outcome.exitCode == 130, outcome.words());
        QVERIFY2(outcome.acknowledgedSeconds >= 0 && outcome.acknowledgedSeconds < 3, outcome.words());
        QVERIFY2(outcome.endedSeconds < 10, QByteArray::number(outcome.endedSeconds));
        QVERIFY2(!outcome.errors.contains("still there"), outcome.words());
        QCOMPARE(stringIn(outcome.document["profile"], "status"), QString("cancelled"));
        QCOMPARE(stringIn(outcome.document["verify"], "status"), QString("passed"));
        const QString complaints = CliWorld::schemaComplaints(outcome.document);
        QVERIFY2(complaints.isEmpty(), qPrintable(complaints));
    }
};

QObject *makeTestRealJudge() {
    return new TestRealJudge;
}

#include "tst_real_judge.moc"
