// SPDX-License-Identifier: GPL-3.0-or-later
// The whole act with the real judge on the CPU, times included: nothing runs beside it. Other ways to be bad:
// tst_judged_faults.cpp.
#include "tests/cli/judged_document.h"
#include "tests/toolchain/run_test_classes.h"

#include <QTest>

#include <csignal>

using namespace warpwright;

class TestRealJudge : public QObject {
    Q_OBJECT

private:
    CliWorld m_world;

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

private slots:
    void initTestCase() {
        NEED_TOOL(!CliWorld::python().isEmpty(), "a Python environment with torch");
        verifyLoneTask(m_world);
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

    void resultsKeptFromEarlierCallsAreWrong() {
        // They were right when they were verified; the inputs of timed calls are others each time.
        const CliOutcome outcome = checkUntilDecided(m_world.workspace("caches-results"));
        if (outcome.verdict() == "inconclusive")
            QSKIP("this machine is too busy to measure on");
        verifyDocument(outcome, "wrong", 1, {"model_new.py", "timed calls"});
        QCOMPARE(stringIn(outcome.document["verify"], "status"), QString("passed"));
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
