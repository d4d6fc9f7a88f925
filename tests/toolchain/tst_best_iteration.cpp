// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/best_iteration.h"

#include <QTest>

using namespace warpwright;

namespace {

EvaluationSummary checked(Verdict verdict, double microseconds, double halfWidth, double overEager = 0,
                          const QString &device = QStringLiteral("NVIDIA H200")) {
    EvaluationSummary summary;
    summary.id = QStringLiteral("e");
    summary.verdict = verdict;
    summary.device = device;
    summary.candidate = ArmTiming{microseconds, microseconds - halfWidth, microseconds + halfWidth, 8, true};
    if (overEager > 0)
        summary.eager = SpeedUp{overEager, overEager, overEager, QStringLiteral("eager")};
    return summary;
}

EvaluationSummary timeless(Verdict verdict) {
    EvaluationSummary summary;
    summary.id = QStringLiteral("e");
    summary.verdict = verdict;
    return summary;
}

EvaluationSummary repeated(double microseconds) {
    EvaluationSummary summary = checked(Verdict::Pass, microseconds, 0.1);
    summary.unexercised.emplace();
    summary.unexercised->isKept = true;
    return summary;
}

} // namespace

class TestBestIteration : public QObject {
    Q_OBJECT

private slots:
    void namesTheBest_data() {
        QTest::addColumn<std::vector<EvaluationSummary>>("checks");
        QTest::addColumn<int>("best");
        using Checks = std::vector<EvaluationSummary>;
        const auto pass = [](double time, double overEager = 0) {
            return checked(Verdict::Pass, time, 0.5, overEager);
        };
        const auto open = [](double time, double halfWidth) {
            return checked(Verdict::Inconclusive, time, halfWidth);
        };
        QTest::newRow("no iteration") << Checks{} << 0;
        QTest::newRow("none passed") << Checks{timeless(Verdict::Wrong), open(4, 1)} << 0;
        QTest::newRow("a slower pass after it") << Checks{pass(10), pass(15)} << 1;
        QTest::newRow("a faster pass after it") << Checks{pass(15), pass(10)} << 2;
        QTest::newRow("as fast: the first") << Checks{pass(10), pass(10)} << 1;
        QTest::newRow("outdone before it") << Checks{open(4.2, 3.6), pass(15.2)} << 0;
        QTest::newRow("outdone after it") << Checks{pass(15.2), open(4.2, 3.6)} << 0;
        QTest::newRow("not outdone where the intervals meet") << Checks{open(9, 6), pass(14)} << 2;
        QTest::newRow("the most certain of the undecided counts")
            << Checks{open(5, 4.9), open(9, 6), pass(14)} << 0;
        QTest::newRow("a pass that is faster than the undecided")
            << Checks{pass(15), open(8, 2), pass(3)} << 3;
        QTest::newRow("undecided on another device")
            << Checks{pass(15), checked(Verdict::Inconclusive, 4, 1, 0, QStringLiteral("CPU"))} << 1;
        QTest::newRow("cancelled") << Checks{pass(10), checked(Verdict::Cancelled, 2, 0.1)} << 1;
        QTest::newRow("wrong") << Checks{pass(10), checked(Verdict::Wrong, 2, 0.1)} << 1;
        // The machine was slower at the second check: each is held against its own eager.
        QTest::newRow("over eager, not by time") << Checks{pass(10, 2.0), pass(12, 2.5)} << 2;
        QTest::newRow("times of its parent") << Checks{pass(10), repeated(2)} << 1;
    }
    void namesTheBest() {
        QFETCH(std::vector<EvaluationSummary>, checks);
        std::vector<IterationRecord> records;
        for (const EvaluationSummary &summary : checks) {
            IterationRecord record;
            record.iteration.number = static_cast<int>(records.size()) + 1;
            record.latest = summary;
            records.push_back(record);
        }
        QTEST(bestIteration(records), "best");
    }

    // Three steps that are not told apart: none is called faster than one that took less time, however eager
    // scattered between their checks.
    void namesTheLeastTimeOfThoseThatAreNotToldApart() {
        const auto record = [](int number, double time, double halfWidth, double overEager) {
            IterationRecord one;
            one.iteration.number = number;
            one.latest = checked(Verdict::Pass, time, halfWidth, overEager);
            return one;
        };
        const std::vector<IterationRecord> records{record(1, 112850, 13000, 0.2), record(8, 3340, 600, 4.9),
                                                   record(9, 3370, 770, 5.72), record(10, 3160, 550, 4.4)};
        QCOMPARE(bestIteration(records), 10);
        const BestOf best = bestOf(records);
        QCOMPARE(best.others, (std::vector<int>{8, 9}));
        QCOMPARE(
            notToldApartText(best),
            QStringLiteral("Iterations 8, 9 and 10 are not told apart (their intervals meet); 10 has the "
                           "least time."));
        QCOMPARE(notToldApartText(bestOf({records.front()})), QString());
        QVERIFY(!areToldApart(*records[2].latest, *records[3].latest));
        QVERIFY(areToldApart(*records[0].latest, *records[3].latest));
    }

    // Speed-ups over another baseline than eager say nothing of each other.
    void isOfOneBaseline() {
        EvaluationSummary overCompile = checked(Verdict::Pass, 10, 0.1, 2.0);
        overCompile.sameClass = SpeedUp{9, 9, 9, QStringLiteral("compile")};
        EvaluationSummary overEager = checked(Verdict::Pass, 10, 0.1, 3.0);
        overEager.sameClass = SpeedUp{3, 3, 3, QStringLiteral("eager")};
        BestIteration best;
        best.take(1, overCompile);
        best.take(2, overEager);
        QCOMPARE(best.place(), 2);
    }

    void canBeAskedUpToEach() {
        BestIteration best;
        QCOMPARE(best.place(), -1);
        best.take(0, checked(Verdict::Pass, 15, 0.5));
        QCOMPARE(best.place(), 0);
        best.take(1, checked(Verdict::Inconclusive, 8, 2));
        QCOMPARE(best.place(), -1);
        best.take(2, checked(Verdict::Pass, 14, 0.5));
        QCOMPARE(best.place(), -1);
        best.take(3, checked(Verdict::Pass, 7, 0.5));
        QCOMPARE(best.place(), 3);
    }
};

QObject *makeTestBestIteration() {
    return new TestBestIteration;
}

#include "tst_best_iteration.moc"
