// SPDX-License-Identifier: GPL-3.0-or-later
// `wright bench clock`: what it makes of a judge whose clock is right, and of ones that err. The judge is the
// fake one.
#include "tests/cli/cli_world.h"
#include "tests/toolchain/places.h"
#include "tests/toolchain/run_test_classes.h"

#include <QTest>

#include <cmath>
#include <csignal>

using namespace warpwright;

class TestClock : public QObject {
    Q_OBJECT

private:
    CliWorld m_world;

    CliOutcome tried(const char *judge, const QStringList &more = {}) {
        m_world.environment.insert("FAKE_JUDGE", judge);
        return m_world.run(
            QStringList{"bench", "clock", m_world.workspace("base", "clock"), "--device", "cpu", "--json"} +
            more);
    }

private slots:
    void init() {
        NEED_TOOL(!CliWorld::python().isEmpty(), "a Python environment with torch");
        m_world.environment.insert("WARPWRIGHT_JUDGE", sourceFolder("/tests/tools/fake_judge/fake_judge.py"));
    }

    void aRightClockKeepsThePromise() {
        const CliOutcome outcome = tried("times=100,220,150", {"--quick", "4", "--certify", "2"});
        QVERIFY2(outcome.exitCode == 0, outcome.words());
        const OrderedJson &runs = outcome.document["runs"];
        QCOMPARE(runs.size(), std::size_t(8));
        for (const OrderedJson &run : runs)
            QVERIFY2(run["coversTruth"] == true, outcome.words());
        // The slow-down is of the arm's own time, which the runs before it told.
        QCOMPARE(runs[6]["slowdown"].get<double>(), 0.02);
        QVERIFY(std::abs(runs[6]["value"].get<double>() - 1 / 1.02) < 1e-6);
        QCOMPARE(stringIn(runs[7], "certificate"), QString("calls"));
        QCOMPARE(outcome.document["armMicroseconds"].get<double>(), 220.0);
    }

    void aWrongClockBreaksIt_data() {
        QTest::addColumn<QByteArray>("judge");
        QTest::newRow("7 % faster") << QByteArray("clock=1.07");
        QTest::newRow("2 % off") << QByteArray("clock=0.98");
        QTest::newRow("hides a slow-down") << QByteArray("clock=1.02");
    }
    void aWrongClockBreaksIt() {
        QFETCH(QByteArray, judge);
        const CliOutcome outcome = tried(judge.constData(), {"--quick", "2", "--certify", "1"});
        QVERIFY2(outcome.exitCode == 1, outcome.words());
    }

    void whatIsNotCertifiedIsNotAskedToFindTheSlowDown() {
        const CliOutcome outcome = tried("uncertified", {"--quick", "1", "--certify", "1"});
        QVERIFY2(outcome.exitCode == 0, outcome.words());
        QCOMPARE(stringIn(outcome.document["runs"][1], "certificate"), QString());
        QCOMPARE(stringIn(outcome.document["runs"][1], "reason"), QString("it is a fake"));
    }

    void aRunWithoutANumberSaysNothing() {
        const CliOutcome outcome = tried("clock=none", {"--quick", "2", "--certify", "0"});
        QVERIFY2(outcome.exitCode == 1, outcome.words());
        QVERIFY(outcome.document["runs"][1]["high"].is_null());
        QCOMPARE(stringIn(outcome.document["runs"][1], "reason"), QString("the judge gave no ratio"));
    }

    void saysWhatKeepsItFromTrying() {
        CliOutcome outcome = m_world.run({"bench", "clock", m_world.path("nowhere"), "--device", "cpu"});
        QVERIFY2(outcome.exitCode == 2 && outcome.errors.contains("nowhere"), outcome.words());
        outcome = tried("refuse=open:task-failed");
        QVERIFY2(outcome.exitCode != 0 && outcome.errors.contains("Cannot use the reference"),
                 outcome.words());
        outcome = tried("die=clock:9");
        QVERIFY2(outcome.exitCode != 0 && !outcome.errors.isEmpty(), outcome.words());
    }

    void canBeStopped() {
        m_world.environment.insert("FAKE_JUDGE", "slow=clock:60");
        const CliOutcome outcome = m_world.interrupt(
            {"bench", "clock", m_world.workspace("base", "clock"), "--device", "cpu", "--json"}, "clock 1",
            SIGINT);
        QVERIFY2(outcome.exitCode == 130, outcome.words());
        QVERIFY(outcome.document["runs"].empty());
    }
};

QObject *makeTestClock() {
    return new TestClock;
}

#include "tst_clock.moc"
