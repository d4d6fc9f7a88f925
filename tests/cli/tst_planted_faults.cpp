// SPDX-License-Identifier: GPL-3.0-or-later
// Candidates whose errors have a place or a cause, with the real judge on the CPU: the failure map names it.
#include "tests/cli/cli_world.h"
#include "tests/toolchain/row_share.h"
#include "tests/toolchain/run_test_classes.h"
#include "toolchain/check/evaluation_run.h"
#include "toolchain/evaluation/evaluation_json.h"
#include "toolchain/failure_map/failure_pattern.h"

#include <QFile>
#include <QSignalSpy>
#include <QTest>

#include <memory>

using namespace warpwright;

class TestPlantedFaults : public QObject {
    Q_OBJECT

private:
    CliWorld m_world;
    std::unique_ptr<JudgeKeeper> m_keeper; ///< one judge for all: the task is the same

    [[nodiscard]] std::optional<Evaluation> check(int fault) const {
        EvaluationRequest request;
        request.path = m_world.workspace("planted-faults", "planted");
        QFile file(request.path + "/kernels/gate.cpp");
        if (!file.open(QIODevice::ReadOnly))
            return std::nullopt;
        QByteArray text = file.readAll();
        file.close();
        text.replace("constexpr int fault = 0;", "constexpr int fault = " + QByteArray::number(fault) + ";");
        m_world.write(file.fileName(), text);
        request.device = "cpu";
        request.folders = DataFolders::find(m_world.environment, QCoreApplication::applicationDirPath());
        request.python = CliWorld::python();
        request.environment = m_world.environment;
        request.lastStage = LastStage::Verify;
        EvaluationRun run(request);
        run.setKeeper(m_keeper.get());
        const QSignalSpy finished(&run, &EvaluationRun::finished);
        run.start();
        if (!QTest::qWaitFor([&finished] { return finished.size() > 0; }, 180000))
            return std::nullopt;
        return finished[0][0].value<Evaluation>();
    }

private slots:
    void initTestCase() {
        NEED_TOOL(!CliWorld::python().isEmpty(), "a Python environment with torch");
        m_keeper = std::make_unique<JudgeKeeper>();
    }
    void cleanupTestCase() { m_keeper.reset(); }

    void namesThePattern_data() {
        QTest::addColumn<int>("fault");
        QTest::addColumn<QString>("id");
        QTest::addColumn<QString>("evidence");
        QTest::newRow("last rows of a tile") << 1 << "last-of-tile"
                                             << "448 is a multiple of 64 and 500 is not";
        QTest::newRow("last rows of each tile") << 2 << "last-of-tile"
                                                << "The last 4 rows of each 64";
        QTest::newRow("every 32nd") << 3 << "every-nth"
                                    << "Every 32nd column (31, 63, 95, …)";
        QTest::newRow("one batch") << 4 << "one-batch"
                                   << "Row 3 (of 0 to 499)";
        QTest::newRow("NaN block") << 5 << "nan-block"
                                   << "Rows 64 to 127";
        QTest::newRow("all zero") << 6 << "all-zero"
                                  << "All 192,000 elements are zero";
        QTest::newRow("transposed") << 7 << "transposed"
                                    << "row and column are exchanged";
        QTest::newRow("off by one") << 8 << "off-by-one"
                                    << "one column before them";
        QTest::newRow("stale") << 9 << "stale"
                               << "what the call before gave";
        QTest::newRow("never written") << 10 << "nan-block"
                                       << "never written";
        QTest::newRow("chance") << 11 << ""
                                << "";
    }

    void namesThePattern() {
        TAKE_TURNS(3);
        QFETCH(int, fault);
        QFETCH(QString, id);
        QFETCH(QString, evidence);
        const std::optional<Evaluation> evaluation = check(fault);
        QVERIFY(evaluation);
        QVERIFY2(evaluation->verdict == Verdict::Wrong, qPrintable(evaluation->message.why));
        QCOMPARE(CliWorld::schemaComplaints(toJson(*evaluation)), QString());
        const std::vector<FailureMap> maps = failureMaps(evaluation->verify);
        QCOMPARE(maps.size(), 1U);
        QCOMPARE(maps[0].outputs.size(), 1U);
        const std::vector<FailurePattern> patterns = patternsOf(maps[0].outputs[0]);
        if (id.isEmpty()) {
            QVERIFY2(patterns.empty(), patterns.empty() ? "" : qPrintable(patterns[0].sentence));
            return;
        }
        QVERIFY(!patterns.empty());
        QCOMPARE(patternId(patterns[0].kind), id);
        QVERIFY2(patterns[0].sentence.contains(evidence), qPrintable(patterns[0].sentence));
    }
};

QObject *makeTestPlantedFaults() {
    return new TestPlantedFaults;
}

#include "tst_planted_faults.moc"
