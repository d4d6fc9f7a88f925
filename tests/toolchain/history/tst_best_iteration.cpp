// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/history/best_iteration.h"

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

EvaluationSummary ofText(EvaluationSummary summary, const char *text) {
    summary.textHash = QString::fromLatin1(text);
    return summary;
}

/// `value`: its time over that of the text `before` in the same check, ± 5 %.
EvaluationSummary besideText(EvaluationSummary summary, const char *text, const char *before, double value) {
    summary.beside = BesideTiming{QString::fromLatin1(before), ArmTiming{3000, 2900, 3100, 8, true}, value,
                                  value * 0.95, value * 1.05};
    return ofText(summary, text);
}

IterationRecord recordOf(int number, const EvaluationSummary &summary,
                         IterationMark mark = IterationMark::None) {
    IterationRecord record;
    record.iteration.number = number;
    record.latest = summary;
    record.mark = mark;
    return record;
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

    // The times of their own checks meet, and the child's is the lesser one; the one check that timed both
    // says that it is slower.
    void oneThatWasSlowerSideBySideIsNeverTheBest() {
        const EvaluationSummary parent = ofText(checked(Verdict::Pass, 3505, 700, 7.56), "a");
        const EvaluationSummary child = besideText(checked(Verdict::Pass, 3471, 500, 7.81), "b", "a", 1.24);
        const BestOf best = bestOf({recordOf(3, parent), recordOf(4, child)});
        QCOMPARE(best.number, 3);
        QCOMPARE(notToldApartText(best), QString());
        QVERIFY(areToldApart(parent, child) && areToldApart(child, parent));
        // In whatever order they come, and whatever stands beside them.
        QCOMPARE(bestIteration({recordOf(3, child), recordOf(4, parent)}), 4);
        const EvaluationSummary another = ofText(checked(Verdict::Pass, 3490, 500, 7.6), "c");
        const BestOf three = bestOf({recordOf(3, parent), recordOf(4, child), recordOf(5, another)});
        QCOMPARE(three.number, 5);
        QCOMPARE(three.others, std::vector<int>{3});
        // Where the interval holds 1, nothing is settled; nor where the text before has not passed.
        const EvaluationSummary unsure = besideText(checked(Verdict::Pass, 3471, 500, 7.81), "b", "a", 1.02);
        QCOMPARE(bestIteration({recordOf(3, parent), recordOf(4, unsure)}), 4);
        QCOMPARE(bestIteration({recordOf(3, ofText(timeless(Verdict::Wrong), "a")), recordOf(4, child)}), 4);
    }

    // The machine was slower at the check of the child, and the one check that timed both says that it is
    // faster.
    void oneThatWasFasterSideBySideOutranksItsParent() {
        const EvaluationSummary parent = ofText(checked(Verdict::Pass, 100, 1, 2.0), "a");
        const EvaluationSummary worse = ofText(checked(Verdict::Pass, 150, 1, 1.5), "c");
        const EvaluationSummary child = besideText(checked(Verdict::Pass, 120, 1, 1.8), "b", "a", 0.8);
        QCOMPARE(bestIteration({recordOf(1, worse), recordOf(2, parent), recordOf(3, child)}), 3);
        // Measured once more the other way round: the later check says it.
        EvaluationSummary again = besideText(checked(Verdict::Pass, 100, 1, 2.0), "a", "b", 0.9);
        again.startedAt = QDateTime(QDate(2026, 11, 29), QTime(12, 0), Qt::UTC);
        EvaluationSummary earlier = child;
        earlier.startedAt = again.startedAt.addSecs(-60);
        QCOMPARE(bestIteration({recordOf(2, again), recordOf(3, earlier)}), 2);
    }

    void whatDoesNotCompeteMayStandBeside() {
        const EvaluationSummary comments = ofText(checked(Verdict::Pass, 100, 1), "b");
        const EvaluationSummary slower = besideText(checked(Verdict::Pass, 99, 1), "c", "b", 1.3);
        const EvaluationSummary code = ofText(checked(Verdict::Pass, 101, 1), "a");
        QCOMPARE(bestIteration({recordOf(1, code), recordOf(2, comments, IterationMark::BesideCode),
                                recordOf(3, slower)}),
                 1);
        // Its own measurement takes nothing away from the code before it.
        const EvaluationSummary lucky = besideText(checked(Verdict::Pass, 90, 1), "b", "a", 0.8);
        QCOMPARE(bestIteration({recordOf(1, code), recordOf(2, lucky, IterationMark::BesideCode)}), 1);
    }

    // A run took it back; what it was slower than is not in the list.
    void whatWasTakenBackAsSlowerIsNotTheBest() {
        const EvaluationSummary slower = besideText(checked(Verdict::Pass, 90, 1), "b", "a", 1.3);
        QCOMPARE(bestIteration({recordOf(2, slower)}), 2);
        QCOMPARE(bestIteration({recordOf(2, slower, IterationMark::TakenBack)}), 0);
        const EvaluationSummary faster = besideText(checked(Verdict::Pass, 90, 1), "b", "a", 0.7);
        QCOMPARE(bestIteration({recordOf(2, faster, IterationMark::TakenBack)}), 2);
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
