// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/evaluation/time_ratio.h"

#include <QTest>

using namespace warpwright;

namespace {

EvaluationSummary passed(double overEager, double microseconds,
                         const QString &device = QStringLiteral("H200")) {
    EvaluationSummary summary;
    summary.verdict = Verdict::Pass;
    summary.device = device;
    if (overEager > 0)
        summary.eager = SpeedUp{overEager, overEager * 0.98, overEager * 1.02, QStringLiteral("eager")};
    summary.candidate = ArmTiming{microseconds, microseconds - 1, microseconds + 1, 100, true};
    return summary;
}

} // namespace

class TestTimeRatio : public QObject {
    Q_OBJECT

private slots:
    void goesByTheSpeedUpOverEager() {
        // The machine was slower at the second check: the times say nothing, the speed-ups do.
        const auto ratio = timeRatio(passed(1, 100), passed(2, 100));
        QVERIFY(ratio.has_value());
        QCOMPARE(ratio->value, 0.5);
        QVERIFY(ratio->way == TimeRatio::Way::OverEager);
        QCOMPARE(ratio->low, 0.98 / 2.04);
        QCOMPARE(ratio->high, 1.02 / 1.96);
        QVERIFY(!ratio->isNoise());
        QVERIFY(timeRatio(passed(1, 100), passed(1.01, 99))->isNoise());
    }

    void goesByTimeWhereASpeedUpIsMissing() {
        const auto ratio = timeRatio(passed(0, 100), passed(2, 50));
        QCOMPARE(ratio->value, 0.5);
        QVERIFY(ratio->way == TimeRatio::Way::Times);
        QCOMPARE(ratio->low, 49.0 / 101);
        QCOMPARE(ratio->high, 51.0 / 99);
    }

    // The intervals do not meet, and 10 ± 21 µs is no difference: of two times their ratio is none either.
    void ofTwoTimesSaysNoMoreThanTheirDifference() {
        EvaluationSummary after = passed(0, 110);
        after.candidate = ArmTiming{110, 102, 130, 100, true};
        const auto unsure = timeRatio(passed(0, 100), after);
        QVERIFY(!unsure->holdsOne() && unsure->isNoise() && !unsure->isSlower());
        QVERIFY(timeRatio(after, passed(0, 100))->isNoise() && !timeRatio(after, passed(0, 100))->isFaster());
        QCOMPARE(whyNoDifference(passed(0, 100), after),
                 QStringLiteral("no difference measured: their difference, ± its farther end, holds 0"));
        after.candidate->highMicroseconds = 112; // 10 ± 9
        const auto sure = timeRatio(passed(0, 100), after);
        QVERIFY(!sure->isNoise() && sure->isSlower());
        QCOMPARE(whyNoDifference(passed(0, 100), after), QString());
        QCOMPARE(whyNoDifference(passed(0, 100), passed(0, 100)), QStringLiteral("no difference measured"));
    }

    void provesNothingWhereEagerMoved() {
        QVERIFY(!timeRatio(passed(1, 100), passed(2, 100))->isNoise());
        QCOMPARE(whyNoDifference(passed(1, 100), passed(2, 100)),
                 QStringLiteral(
                     "it proves nothing: eager itself took 2.0 times as long in one of the two checks"));
        QCOMPARE(whyNoDifference(passed(1, 100), passed(2, 50)), QString());
    }

    void goesByOneRunWhereThereIsOne() {
        // Between the two runs the device became faster by 7 %; the change did nothing.
        EvaluationSummary before = passed(1, 261);
        before.textHash = "before";
        EvaluationSummary after = passed(0.93, 279);
        after.textHash = "after";
        after.beside = BesideTiming{"before", ArmTiming{278.5, 278, 279, 12, true}, 1.002, 0.996, 1.008};
        QVERIFY(timeRatio(before, after)->isNoise());
        QCOMPARE(timeRatio(before, after)->value, 1.002);
        QVERIFY(timeRatio(before, after)->way == TimeRatio::Way::SideBySide);
        const auto difference = timeDifference(before, after);
        QVERIFY(difference->isNoise());
        QCOMPARE(difference->low, (0.996 - 1) * 278.5);
        QCOMPARE(difference->high, (1.008 - 1) * 278.5);
        // So also where the text before was too uncertain for a verdict when it stood alone.
        before.verdict = Verdict::Inconclusive;
        QCOMPARE(timeRatio(before, after)->value, 1.002);
        before.verdict = Verdict::Pass;
        // Of another text it says nothing, and a text that is not named is no text.
        before.textHash = "another";
        QVERIFY(timeRatio(before, after)->isSlower());
        QCOMPARE(timeDifference(before, after)->value, 18.0);
        before.textHash.clear();
        after.beside->textHash.clear();
        QVERIFY(besideOf(before, after) == nullptr);
    }

    void keepsWhatStoodBeside() {
        EvaluationSummary summary = passed(2, 50);
        summary.id = "20261122T000000.000Z-000000";
        summary.textHash = "after";
        summary.beside = BesideTiming{"before", ArmTiming{80, 79, 81, 12, true}, 0.625, 0.62, 0.63};
        QVERIFY(summaryFromJson(summaryToJson(summary)) == summary);
    }

    void saysNothingWhereNothingCanBeSaid() {
        EvaluationSummary wrong = passed(2, 50);
        wrong.verdict = Verdict::Wrong;
        QVERIFY(!timeRatio(wrong, passed(1, 100)) && !timeRatio(passed(1, 100), wrong));
        QVERIFY(!timeRatio(passed(1, 100), passed(1, 100, "another")));
        EvaluationSummary newer = passed(1, 100);
        newer.software = "torch 2.12";
        QVERIFY(timeRatio(newer, passed(1, 100))); // an old document does not say
        EvaluationSummary older = newer;
        older.software = "torch 2.11";
        QVERIFY(!timeRatio(older, newer));
        EvaluationSummary unmeasured = passed(1, 100);
        unmeasured.candidate.reset();
        QVERIFY(!timeRatio(unmeasured, passed(1, 100)));
    }
};

QObject *makeTestTimeRatio() {
    return new TestTimeRatio;
}

#include "tst_time_ratio.moc"
