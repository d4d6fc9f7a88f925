// SPDX-License-Identifier: GPL-3.0-or-later
// The numbers of the charts, as text.
#include "profiler_views/csv_text.h"
#include "profiler_views/distribution_model.h"
#include "profiler_views/history_model.h"
#include "profiler_views/speedup_model.h"
#include "profiler_views/verdict_look.h"
#include "tests/profiler_views/model_text.h"
#include "tests/profiler_views/recorded.h"

#include <QAbstractItemModelTester>
#include <QTest>

using namespace warpwright;

class TestChartModels : public QObject {
    Q_OBJECT

private slots:
    void init() { QTest::failOnWarning(QRegularExpression(".*")); }

    void speedUpsKeepPrecisionClassesApart() {
        SpeedupModel model;
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        QCOMPARE(model.rowCount(), 0);
        QCOMPARE(model.summary(), QString("No times."));
        model.setFigures(measuredFigures(recorded("h200-gemm-bias-gelu")));
        QCOMPARE(modelText(model),
                 QString("arm | class | median, µs | low, µs | high, µs | speed-up | speed-up low | speed-up "
                         "high | samples | measured\n"
                         "eager | FP32 | 186.19 | 185.94 | 187.32 | 5.10× | 5.07 | 5.14 | 15 | live\n"
                         "eager TF32 | TF32 | 35.76 | 35.72 | 35.82 | 0.98× | 0.974 | 0.987 | 15 | live\n"
                         "compile | FP32 | 187.88 | 187.76 | 188.15 | 5.15× | 5.12 | 5.19 | 15 | live\n"
                         "compile TF32 | TF32 | 48.23 | 47.71 | 49.04 | 1.32× |  |  | 15 | live\n"
                         "candidate | TF32 | 36.49 | 36.43 | 36.52 |  |  |  | 15 | live\n"
                         "speed of light |  | 20.94 |  |  |  |  |  |  | "));
        QVERIFY(model.axisEnd() > 188);
        QVERIFY2(model.summary().startsWith(
                     "The candidate takes 36.49 ± 0.06 µs a call. eager takes 186.19 µs, the "
                     "candidate is 5.10× as fast."),
                 qPrintable(model.summary()));
    }

    void aMuchSlowerArmRunsOutOfTheChart() {
        SpeedupModel model;
        MeasuredFigures figures = measuredFigures(recorded("h200-softmax-rows"));
        model.setFigures(figures);
        QVERIFY(model.axisEnd() > figures.arm("eager")->highMicroseconds);
        figures.arms.front().medianMicroseconds *= 20;
        figures.arms.front().highMicroseconds *= 20;
        model.setFigures(figures);
        QVERIFY(model.axisEnd() < 2 * figures.arm("compile")->highMicroseconds);
        QVERIFY(model.axisEnd() > figures.arm("compile")->highMicroseconds);
    }

    void storedArmsSaySo() {
        SpeedupModel model;
        model.setFigures(measuredFigures(recorded("cpu-softmax-rows")));
        QCOMPARE(modelText(model).section('\n', 1),
                 QString("eager | FP32 | 9.04 | 8.00 | 9.82 | 1.62× | 1.37 | 1.91 | 24 | stored\n"
                         "compile | FP32 | 6.18 | 6.12 | 6.56 | 1.10× | 1.06 | 1.15 | 17 | live\n"
                         "candidate | FP32 | 5.56 | 5.53 | 5.88 |  |  |  | 17 | live\n"
                         "speed of light |  | 2.50 |  |  |  |  |  |  | "));
        QVERIFY(
            model.index(0, 0).data(Qt::ToolTipRole).toString().contains("× 0.172 for the live arm's drift"));
        // The CSV has the document's own numbers.
        QVERIFY(csvText(model).contains(
            "candidate,FP32,5556.3805999999995,5526.244466666667,5879.281733333334,,,,17,live"));
    }

    void historyKeepsTheBestSoFar() {
        HistoryModel model;
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.setPoints({{1, "playbook", Verdict::Pass, 403.2, 400.0, 406.0, "a block a row"},
                         {2, "you", Verdict::Wrong, {}, {}, {}, "race, on part[]"},
                         {3, "model", Verdict::Pass, 203.4, 202.9, 203.9, {}},
                         {4, "acp", Verdict::Pass, 221.3, {}, {}, "\"staged\""},
                         {5, "you", Verdict::Inconclusive, 190.0, 100.0, 300.0, {}}},
                        {712.6, 243.1, 188.6});
        QCOMPARE(
            modelText(model),
            QString(
                "iteration | author | verdict | median, µs | low, µs | high, µs | best so far, µs | note\n"
                "1 | playbook | Pass | 403.2 | 400.0 | 406.0 | 403.2 | a block a row\n"
                "2 | you | Wrong |  |  |  | 403.2 | race, on part[]\n"
                "3 | model | Pass | 203.4 | 202.9 | 203.9 | 203.4 | \n"
                "4 | acp | Pass | 221.3 |  |  | 203.4 | \"staged\"\n"
                "5 | you | Inconclusive | 190.0 | 100.0 | 300.0 | 203.4 | "));
        QCOMPARE(model.summary(),
                 QString("5 iterations. The best is iteration 3 with 203.4 µs a call. 2 without a time."));
        QCOMPARE(csvText(model),
                 QByteArray("iteration,author,verdict,median_us,low_us,high_us,best_so_far_us,note\r\n"
                            "1,playbook,pass,403.2,400,406,403.2,a block a row\r\n"
                            "2,you,wrong,,,,403.2,\"race, on part[]\"\r\n"
                            "3,model,pass,203.4,202.9,203.9,203.4,\r\n"
                            "4,acp,pass,221.3,,,203.4,\"\"\"staged\"\"\"\r\n"
                            "5,you,inconclusive,190,100,300,203.4,\r\n"));
        model.setPoints({}, {});
        QCOMPARE(model.rowCount(), 0);
        QCOMPARE(model.summary(), QString("No iterations."));
    }

    void historySaysWhichAreNotToldApart() {
        HistoryModel model;
        model.setPoints({{1, "you", Verdict::Pass, 30000.0, 29000.0, 31000.0, {}},
                         {2, "you", Verdict::Pass, 3370.0, 2600.0, 4140.0, {}},
                         {3, "you", Verdict::Pass, 3160.0, 2610.0, 3710.0, {}}},
                        {});
        QCOMPARE(model.bestRow().value_or(-1), 2);
        QVERIFY2(model.summary().contains("Iterations 2 and 3 are not told apart"),
                 qPrintable(model.summary()));
    }

    void historyNamesNoBestThatWasSlowerSideBySide() {
        HistoryModel model;
        std::vector<HistoryPoint> points{{1, "playbook", Verdict::Pass, 300.0, 290.0, 310.0, "first"},
                                         {2, "playbook", Verdict::Pass, 295.0, 285.0, 305.0, "second"}};
        points[0].textHash = QStringLiteral("a");
        points[1].textHash = QStringLiteral("b");
        points[1].beside =
            BesideTiming{QStringLiteral("a"), ArmTiming{300, 290, 310, 8, true}, 1.2, 1.1, 1.3};
        model.setPoints(points, {});
        QCOMPARE(model.bestRow(), std::optional<int>(0));
        QVERIFY2(!model.summary().contains("not told apart"), qPrintable(model.summary()));
    }

    void historyNamesNoBestThatIsOutdone() {
        HistoryModel model;
        model.setPoints({{1, "you", Verdict::Pass, 30000.0, 29000.0, 31000.0, {}},
                         {2, "you", Verdict::Inconclusive, 4200.0, 600.0, 7800.0, {}},
                         {3, "you", Verdict::Pass, 15200.0, 15000.0, 15400.0, {}}},
                        {});
        QVERIFY(!model.bestRow().has_value());
        QCOMPARE(model.bestUpTo(0).value_or(0), 30000.0);
        QVERIFY(!model.bestUpTo(1) && !model.bestUpTo(2));
        QCOMPARE(model.times().unit, QStringLiteral("ms"));
        QVERIFY2(!model.summary().contains("best"), qPrintable(model.summary()));
    }

    void everyVerdictHasASign() {
        for (int at = 0; at <= static_cast<int>(Verdict::Cancelled); ++at) {
            const auto verdict = static_cast<Verdict>(at);
            QVERIFY(*lookOf(verdict).icon != '\0' && !lookOf(verdict).word.isEmpty());
        }
        QCOMPARE(lookOf(Verdict::BuildFailed).word, QString("Build failed"));
    }

    void samplesComeWithTheirClock() {
        DistributionModel model;
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.setFigures(measuredFigures(recorded("h200-gemm-bias-gelu")));
        QCOMPARE(model.rowCount(), 75);
        QCOMPARE(model.otherArms(), QStringList({"eager", "eagerTf32", "compile", "compileTf32"}));
        QCOMPARE(model.firstOtherArm(), QString("eagerTf32"));
        QCOMPARE(modelText(model).section('\n', 0, 2),
                 QString("round | arm | time of a call, µs | calls | start, s | clock, MHz | slowed by\n"
                         "1 | compile | 186.97 | 156 | 13.71 | 1,980 | \n"
                         "1 | eager TF32 | 37.24 | 779 | 13.75 | 1,980 | "));
        QCOMPARE(model.summary(),
                 QString("15 timed rounds of the candidate from 36.33 µs to 38.71 µs, median 36.49 µs. Clock "
                         "from 1,905 to 1,980 MHz."));
        model.setFigures(measuredFigures(recorded("h200-depthwise-certified")));
        QCOMPARE(model.firstOtherArm(), QString()); // three times as slow
        model.setFigures(measuredFigures(recorded("cpu-softmax-rows")));
        QVERIFY(model.summary().endsWith("The clock was not readable."));
    }

    void countsWhereTimesFall() {
        const std::vector<BlockFigures> blocks{{0, "candidate", 1.0, {}, {}},
                                               {1, "candidate", 1.5, {}, {}},
                                               {2, "candidate", 3.0, {}, {}},
                                               {3, "candidate", 9.0, {}, {}}};
        QCOMPARE(DistributionModel::histogram(blocks, 1, 3, 2), std::vector<int>({2, 1}));
        QCOMPARE(DistributionModel::histogram(blocks, 3, 3, 2), std::vector<int>({0, 0}));
        QCOMPARE(DistributionModel::histogram({}, 0, 1, 3), std::vector<int>({0, 0, 0}));
    }

    void stragglersDoNotPressTheRestFlat() {
        DistributionModel model;
        const MeasuredFigures figures = measuredFigures(recorded("cpu-softmax-rows"));
        model.setFigures(figures);
        // The first batch took 9.3 ms, the others about 5.5.
        const DistributionModel::Range range = model.range({"candidate"});
        QVERIFY2(range.high < 8000 && range.high > figures.candidate()->highMicroseconds,
                 qPrintable(QString::number(range.high)));
        QCOMPARE(model.range({}), (DistributionModel::Range{0, 1}));
    }
};

QObject *makeTestChartModels() {
    return new TestChartModels;
}

#include "tst_chart_models.moc"
