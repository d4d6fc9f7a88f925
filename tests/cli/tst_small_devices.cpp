// SPDX-License-Identifier: GPL-3.0-or-later
// Plans for memory with the real judge and real workers, on a CPU that is taken to be a small device.
#include "tests/cli/judged_document.h"
#include "tests/toolchain/run_test_classes.h"

#include <QFile>
#include <QTest>

using namespace warpwright;

class TestSmallDevices : public QObject {
    Q_OBJECT

private:
    static constexpr qint64 mebibyte = 1 << 20;

    CliWorld m_world;

    /// tests/data/workspaces/<candidate> with the reference of <task>.
    [[nodiscard]] QString workspaceOf(const QString &task, const QString &candidate) const {
        const QString model = m_world.workspace(task, "task") + "/model.py";
        const QString folder = m_world.workspace(candidate);
        QFile::remove(folder + "/model.py");
        return QFile::copy(model, folder + "/model.py") ? folder : QString();
    }

    [[nodiscard]] CliOutcome checkOn(int mebibytes, const QString &folder, const QString &stages) {
        m_world.environment.insert("WARPWRIGHT_DEVICE_MEMORY", QString::number(mebibytes * mebibyte));
        return m_world.run({"check", folder, "--device", "cpu", "--stages", stages, "--json"}, 300000);
    }

    static void verifyPlan(const OrderedJson &memory, int mebibytes, const QString &plan,
                           const QString &oracle) {
        QCOMPARE(stringIn(memory, "plan"), plan);
        QCOMPARE(stringIn(memory, "oracle"), oracle);
        const auto peak = memory["peakBytes"].get<qint64>();
        QVERIFY2(peak <= mebibytes * mebibyte, qPrintable(QString::number(peak / mebibyte) + " MiB"));
        QVERIFY(peak >= memory["inputBytes"].get<qint64>() + memory["forwardBytes"].get<qint64>());
    }

private slots:
    void initTestCase() {
        NEED_TOOL(!CliWorld::python().isEmpty(), "a Python environment with torch");
        verifyLoneTask(m_world);
    }

    // 50 MiB of inputs and of results, 100 MiB at the most while it is called.
    void makesDo_data() {
        QTest::addColumn<int>("mebibytes");
        QTest::addColumn<QString>("candidate");
        QTest::addColumn<QString>("plan");
        QTest::addColumn<QString>("oracle");
        QTest::addColumn<QString>("verdict");
        QTest::newRow("room for all") << 1400 << "base"
                                      << "roomy"
                                      << "whole"
                                      << "pass";
        QTest::newRow("one after the other") << 400 << "base"
                                             << "frugal"
                                             << "whole"
                                             << "pass";
        QTest::newRow("the oracle in pieces") << 350 << "base"
                                              << "frugal"
                                              << "pieces"
                                              << "pass";
        QTest::newRow("in pieces, and wrong") << 350 << "twin-wrong"
                                              << "frugal"
                                              << "pieces"
                                              << "wrong";
        QTest::newRow("in pieces, and writes its inputs") << 350 << "twin-writes-input"
                                                          << "frugal"
                                                          << "pieces"
                                                          << "rejected";
    }

    void makesDo() {
        QFETCH(int, mebibytes);
        QFETCH(QString, candidate);
        QFETCH(QString, plan);
        QFETCH(QString, oracle);
        QFETCH(QString, verdict);
        const CliOutcome outcome = checkOn(mebibytes, workspaceOf("task-large", candidate), "compile,verify");
        verifyDocument(outcome, verdict, verdict == "pass" ? 0 : 1, {});
        verifyPlan(outcome.document["verify"]["memory"], mebibytes, plan, oracle);
    }

    void asksForClassesInPieces_data() {
        QTest::addColumn<QString>("candidate");
        QTest::addColumn<QString>("verdict");
        QTest::addColumn<QString>("words");
        QTest::newRow("rounded") << "twin-bf16"
                                 << "pass"
                                 << "";
        QTest::newRow("a factor of that size") << "twin-shrinks"
                                               << "wrong"
                                               << "not one of rounding";
    }

    // Their evidence is gathered when the round's results are gone.
    void asksForClassesInPieces() {
        QFETCH(QString, candidate);
        QFETCH(QString, verdict);
        QFETCH(QString, words);
        const QString folder = workspaceOf("task-large", candidate);
        m_world.write(folder + "/.warpwright/task.json", "{\"allow\": [\"FP32\", \"BF16\"]}\n");
        const CliOutcome outcome = checkOn(350, folder, "compile,verify");
        verifyDocument(outcome, verdict, verdict == "pass" ? 0 : 1,
                       words.isEmpty() ? QStringList() : QStringList(words));
        verifyPlan(outcome.document["verify"]["memory"], 350, "frugal", "pieces");
        if (verdict == "pass")
            QCOMPARE(stringIn(outcome.document["precision"], "measured"), QString("BF16"));
    }

    void timesArmsThatTakeTurns() {
        const CliOutcome outcome = checkOn(350, workspaceOf("task-large", "base"), "compile,verify,profile");
        QVERIFY2(outcome.verdict() == "pass" || outcome.verdict() == "inconclusive", outcome.words());
        verifyPlan(outcome.document["profile"]["memory"], 350, "frugal", "pieces");
        QVERIFY(outcome.document["profile"]["timedOutputsChecked"].get<int>() > 0);
    }

    // No row of the result is its own: there is no oracle for them on a device so small, and the doubt says
    // so.
    void saysWhenThereIsNoOracle() {
        const CliOutcome outcome = checkOn(370, workspaceOf("task-large-rows", "base"), "compile,verify");
        verifyDocument(outcome, "wrong", 1, {});
        QVERIFY2(outcome.document["doubts"].dump().find("no fp64 oracle") != std::string::npos,
                 outcome.words());
        QCOMPARE(stringIn(outcome.document["verify"]["memory"], "oracle"), QString("none"));
    }

    void refusesWhatDoesNotFitInASentence() {
        const CliOutcome outcome = checkOn(300, workspaceOf("task-large", "base"), "compile,verify");
        verifyDocument(outcome, "environment", 2,
                       {"too large for this device", "150 MiB", "45 % of the device's 300 MiB"});
    }
};

QObject *makeTestSmallDevices() {
    return new TestSmallDevices;
}

#include "tst_small_devices.moc"
