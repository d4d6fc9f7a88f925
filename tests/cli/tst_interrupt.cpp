// SPDX-License-Identifier: GPL-3.0-or-later
// Ctrl-C in each stage: acknowledged, everything gone within 10 s, and what was found is kept.
#include "tests/cli/cli_world.h"
#include "tests/toolchain/places.h"
#include "tests/toolchain/run_test_classes.h"

#include <QProcess>
#include <QTest>

#include <csignal>

using namespace warpwright;

class TestInterrupt : public QObject {
    Q_OBJECT

private:
    static QByteArray sleepers() {
        QProcess process;
        process.start("pgrep", {"-fx", "sleep 600"});
        process.waitForFinished();
        return process.readAllStandardOutput().trimmed();
    }

private slots:
    void initTestCase() {
        NEED_TOOL(!CliWorld::python().isEmpty(), "a Python environment with torch");
        // So that compile is over at once where a later stage is to be stopped.
        const CliWorld world;
        const CliOutcome warm =
            world.run({"check", world.workspace("base"), "--device", "cpu", "--stages", "compile"}, 300000);
        QVERIFY2(warm.exitCode == 4, warm.words());
    }

    void stops_data() {
        QTest::addColumn<QString>("words");
        QTest::addColumn<QString>("sign"); // on standard error, when the signal is sent
        QTest::addColumn<int>("signal");
        QTest::addColumn<int>("times");
        QTest::addColumn<QString>("stage"); // the one that is `cancelled`
        QTest::newRow("at the start") << ""
                                      << "prepare" << SIGINT << 1 << "compile";
        QTest::newRow("compile") << ""
                                 << "kernels/slow.cpp" << SIGINT << 1 << "compile";
        QTest::newRow("open") << "slow=open:60"
                              << "open 3 of" << SIGINT << 1 << "verify";
        QTest::newRow("verify") << "slow=verify:60"
                                << "verify 2 of" << SIGINT << 1 << "verify";
        QTest::newRow("verify, SIGTERM") << "slow=verify:60"
                                         << "verify 2 of" << SIGTERM << 1 << "verify";
        QTest::newRow("profile") << "slow=profile:60"
                                 << "profile 2 of" << SIGINT << 1 << "profile";
        QTest::newRow("a deaf judge") << "slow=verify:60 deaf"
                                      << "verify 2 of" << SIGINT << 1 << "verify";
        QTest::newRow("a deaf judge, twice") << "slow=verify:60 deaf"
                                             << "verify 2 of" << SIGINT << 2 << "verify";
        QTest::newRow("a child that left its group") << "child=open slow=verify:60"
                                                     << "verify 2 of" << SIGINT << 1 << "verify";
    }

    void stops() {
        QFETCH(QString, words);
        QFETCH(QString, sign);
        QFETCH(int, signal);
        QFETCH(int, times);
        QFETCH(QString, stage);
        CliWorld world;
        world.environment.insert("WARPWRIGHT_JUDGE", sourceFolder("/tests/tools/fake_judge/fake_judge.py"));
        world.environment.insert("FAKE_JUDGE", words);
        const QString folder = world.workspace("base");
        const bool isCompile = sign.endsWith("slow.cpp");
        if (isCompile) {
            // Another text each time, so that no cache has it, and g++ works on it for many seconds.
            world.write(folder + "/kernels/slow.cpp",
                        "// " + QByteArray::number(QDateTime::currentMSecsSinceEpoch()) +
                            "\n#include <torch/types.h>\n#include <regex>\n#include <torch/torch.h>\n");
        }
        const CliOutcome outcome =
            world.interrupt({"check", folder, "--device", "cpu", "--json"}, sign, signal, times);
        QVERIFY2(outcome.exitCode == 130, outcome.words());
        QVERIFY2(outcome.verdict() == "cancelled", outcome.words());
        QVERIFY2(outcome.acknowledgedSeconds >= 0 &&
                     outcome.acknowledgedSeconds < 3, // 200 ms are promised; a test machine may be busy
                 "acknowledged after " + QByteArray::number(outcome.acknowledgedSeconds) + " s\n" +
                     outcome.words());
        QVERIFY2(outcome.endedSeconds < (times > 1 ? 3 : 10),
                 "ended after " + QByteArray::number(outcome.endedSeconds) + " s");
        // `open` runs beside the compilers: where those are slower, it is the compile stage that was stopped.
        const bool isBesideCompile = stage == "verify" && sign.startsWith("open");
        const QString compile = stringIn(outcome.document["compile"], "status");
        const QString stopped = isBesideCompile && compile != "passed" ? QString("compile") : stage;
        QCOMPARE(stringIn(outcome.document[stopped.toStdString()], "status"), QString("cancelled"));
        QVERIFY(outcome.document["reward"].is_null());
        const QString complaints = CliWorld::schemaComplaints(outcome.document);
        QVERIFY2(complaints.isEmpty(), qPrintable(complaints));
        QVERIFY2(
            QFile::exists(folder + "/.warpwright/evaluations/" + stringIn(outcome.document, "id") + ".json"),
            "it is kept");
        QCOMPARE(sleepers(), QByteArray());
    }

    void wholeProcessesOfACertifyRunAreKept() {
        CliWorld world;
        world.environment.insert("WARPWRIGHT_JUDGE", sourceFolder("/tests/tools/fake_judge/fake_judge.py"));
        world.environment.insert("FAKE_JUDGE", "processes=2 slow=profile:60");
        const CliOutcome outcome = world.interrupt(
            {"check", world.workspace("base"), "--device", "cpu", "--tier", "certify", "--json"},
            "profile 2 of", SIGINT);
        QVERIFY2(outcome.verdict() == "cancelled", outcome.words());
        QVERIFY(outcome.document["reward"].is_null());
        const OrderedJson &message = outcome.document["message"];
        QVERIFY2(stringIn(message, "why").startsWith("after 2 of about ") &&
                     stringIn(message, "why").endsWith(" processes, no verdict"),
                 outcome.words());
        QCOMPARE(stringIn(message, "detail"), QString("candidate: 101, 101 us\neager: 221, 222 us"));
        const OrderedJson &profile = outcome.document["profile"];
        QCOMPARE(stringIn(profile, "status"), QString("cancelled"));
        QVERIFY(profile["arms"]["candidate"].is_null());
        QCOMPARE(profile["unfinished"]["measured"].size(), std::size_t{2});
        const QString complaints = CliWorld::schemaComplaints(outcome.document);
        QVERIFY2(complaints.isEmpty(), qPrintable(complaints));
    }

    void aJudgeThatLeavesAChildBehindIsCleanedUpAfter() {
        CliWorld world;
        world.environment.insert("WARPWRIGHT_JUDGE", sourceFolder("/tests/tools/fake_judge/fake_judge.py"));
        world.environment.insert("FAKE_JUDGE", "child=open");
        const CliOutcome outcome = world.run({"check", world.workspace("base"), "--device", "cpu", "--json"});
        QVERIFY2(outcome.exitCode == 0, outcome.words());
        QCOMPARE(sleepers(), QByteArray());
    }
};

QObject *makeTestInterrupt() {
    return new TestInterrupt;
}

#include "tst_interrupt.moc"
