// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/agent/ledger_model.h"
#include "app/ide/lesson/bet_words.h"
#include "app/ide/review/proposal_figures.h"

#include <QTest>

using namespace warpwright;

namespace {

/// Timed on its own, with eager beside it; `spread` of its time, half an interval.
EvaluationSummary timed(double microseconds, double spread, double overEager) {
    EvaluationSummary summary;
    summary.verdict = Verdict::Pass;
    summary.candidate = ArmTiming{microseconds, microseconds - spread, microseconds + spread, 12, true};
    summary.eager = SpeedUp{overEager, 0.99 * overEager, 1.01 * overEager, QStringLiteral("eager")};
    return summary;
}

ShownFigure shown(const EvaluationSummary &before, const EvaluationSummary &after) {
    return figureOf(std::optional(evidenceOf(std::optional(before), after, {})), false, timeScaleOf(100));
}

} // namespace

/// The card's numbers go by the rule that Compare, timeline and banner go by.
class TestProposalFigures : public QObject {
    Q_OBJECT

private slots:
    void theRatioDecidesWhatIsNoise() {
        // The times alone would say a difference; the speed-ups of both checks do not.
        QCOMPARE(shown(timed(100, 0.1, 2), timed(99, 0.1, 2.01)).state, ShownFigure::Noise);
        // Eager itself was another: nothing follows.
        QCOMPARE(shown(timed(100, 1, 2), timed(90, 1, 4)).state, ShownFigure::Noise);
        const ShownFigure slower = shown(timed(100, 1, 2), timed(120, 1, 1.66));
        QCOMPARE(slower.state, ShownFigure::Known);
        QVERIFY(slower.isSlower && slower.value.startsWith(u'+'));
    }

    void whereOnlyTheRatioIsSureItIsSaid() {
        const ShownFigure figure = shown(timed(100, 30, 2), timed(80, 24, 2.5));
        QCOMPARE(figure.state, ShownFigure::Known);
        QVERIFY2(figure.value.startsWith(QStringLiteral("1.25")) && figure.value.endsWith(QChar(0xd7)),
                 qPrintable(figure.value));
        QVERIFY(!figure.isSlower);
    }

    void whatDoesNotCompileSaysSo() {
        EvaluationSummary broken;
        broken.verdict = Verdict::BuildFailed;
        const ShownFigure figure = shown(timed(100, 1, 2), broken);
        QCOMPARE(figure.state, ShownFigure::Failed);
        QCOMPARE(figure.value, QStringLiteral("does not compile"));
        broken.verdict = Verdict::Wrong;
        QCOMPARE(shown(timed(100, 1, 2), broken).value, QStringLiteral("wrong"));
    }

    void aPromiseStaysAsItWasMade() {
        const auto predicted = [](const Prediction &of) {
            return predictedFigure(of, nullptr, timeScaleOf(100));
        };
        Prediction prediction;
        QCOMPARE(predicted(prediction).state, ShownFigure::None);
        prediction.timeRatio = 0.5;
        QVERIFY(predicted(prediction).spread.contains(QStringLiteral("of the time")));
        prediction.beforeMicroseconds = 100;
        QVERIFY2(predicted(prediction).value.startsWith(QStringLiteral("\u221250")),
                 qPrintable(predicted(prediction).value));
        QVERIFY2(promisedWords(prediction).contains(QStringLiteral("of the time, \u221250")),
                 qPrintable(promisedWords(prediction)));
    }

    void theLedgerShowsTheRangeThatDecides() {
        LedgerLine line;
        line.number = 1;
        line.move = QStringLiteral("tile");
        line.expected = QStringLiteral("3.33×");
        line.range = QStringLiteral("2.70–4.00×");
        line.measured = QStringLiteral("2.27×");
        line.interval = QStringLiteral("2.10–2.80×");
        line.base = QStringLiteral("predicted from 34.1 ms");
        line.mark = LedgerLine::Undecided;
        LedgerModel ledger;
        ledger.setRows({line});
        QCOMPARE(ledger.index(0, LedgerModel::Range).data().toString(), line.range);
        QCOMPARE(ledger.index(0, LedgerModel::Outcome).data().toString(), QStringLiteral("undecided"));
        const QString tip = ledger.index(0, LedgerModel::Range).data(Qt::ToolTipRole).toString();
        for (const QString &words : {line.range, line.interval, line.base})
            QVERIFY2(tip.contains(words), qPrintable(tip));
        line.mark = LedgerLine::Off;
        ledger.setRows({line});
        QCOMPARE(ledger.index(0, LedgerModel::Outcome).data().toString(), QStringLiteral("outside"));
        // In a narrow pane it is an icon, and its word is still told.
        ledger.setNarrow(true);
        const QModelIndex outcome = ledger.index(0, LedgerModel::Outcome);
        QCOMPARE(outcome.data().toString(), QString());
        QCOMPARE(outcome.data(Qt::AccessibleTextRole).toString(), QStringLiteral("outside"));
        QVERIFY(outcome.data(Qt::ToolTipRole).toString().endsWith(QStringLiteral("\noutside")));
    }

    void theLedgerSaysWhatWasPartlyApplied() {
        LedgerLine line;
        line.number = 1;
        line.move = QStringLiteral("tile");
        line.expected = QStringLiteral("3.33×");
        line.measured = QStringLiteral("3.10×");
        line.mark = LedgerLine::Hit;
        LedgerModel ledger;
        ledger.setRows({line});
        const auto outcome = [&ledger](int role) {
            return ledger.index(0, LedgerModel::Outcome).data(role).toString();
        };
        QCOMPARE(outcome(Qt::DisplayRole), QStringLiteral("hit"));
        QVERIFY(!outcome(Qt::ToolTipRole).contains(QStringLiteral("whole proposal")));
        line.taken = QStringLiteral("partly applied: 1 of 3 hunks");
        ledger.setRows({line});
        QCOMPARE(outcome(Qt::DisplayRole), QStringLiteral("hit; partly applied"));
        QVERIFY2(outcome(Qt::ToolTipRole)
                     .contains(QStringLiteral("Partly applied: 1 of 3 hunks; expected and measured are of "
                                              "the whole proposal")),
                 qPrintable(outcome(Qt::ToolTipRole)));
        ledger.setNarrow(true);
        QCOMPARE(outcome(Qt::AccessibleTextRole), QStringLiteral("hit; partly applied"));
    }

    // Differences from two times cannot be compared: both are factors then.
    void besideAMeasurementFromAnotherTimeBothAreFactors() {
        Prediction prediction;
        prediction.timeRatio = 0.5;
        prediction.beforeMicroseconds = 100;
        const TimeScale unit = timeScaleOf(100);
        const Evidence sure = evidenceOf(std::optional(timed(100, 1, 2)), timed(60, 1, 3.3), {});
        QVERIFY(measuredFigure(sure, prediction, unit).value.startsWith(QStringLiteral("\u221240")));
        const ShownFigure figure = predictedFigure(prediction, &sure, unit);
        QVERIFY2(figure.value.startsWith(QStringLiteral("\u221250")), qPrintable(figure.value));
        // Where only the ratio of what was measured is sure, it is a ratio too.
        const Evidence unsure = evidenceOf(std::optional(timed(100, 30, 2)), timed(80, 24, 2.5), {});
        QVERIFY(differenceFigure(unsure, unit).value.endsWith(QChar(0xd7)));
        QCOMPARE(predictedFigure(prediction, &unsure, unit).value, QStringLiteral("2.00\u00d7"));
        prediction.beforeMicroseconds = 300; // its own check, on a busier machine
        QCOMPARE(predictedFigure(prediction, &sure, unit).value, QStringLiteral("2.00\u00d7"));
        const ShownFigure measured = measuredFigure(sure, prediction, unit);
        QVERIFY2(measured.value.endsWith(QChar(0xd7)) && measured.value.startsWith(QStringLiteral("1.6")),
                 qPrintable(measured.value));
    }

    // Measured side by side: 138 ms, 39.5 % of it, and what that leaves.
    void timesOfOneCardAddUpAndTheSpreadReachesTheInterval() {
        EvaluationSummary before = timed(113000, 13000, 0.3);
        before.textHash = QStringLiteral("one");
        EvaluationSummary after = timed(53500, 2000, 0.7);
        after.textHash = QStringLiteral("two");
        BesideTiming beside;
        beside.textHash = before.textHash;
        beside.before = ArmTiming{138000, 130000, 146000, 8, true};
        beside.value = 0.395;
        beside.low = 0.38;
        beside.high = 0.5; // farther from the value than the other end
        after.beside = beside;
        const Evidence evidence = evidenceOf(std::optional(before), after, {});
        QVERIFY(evidence.isOneRun && measuredBefore(evidence) && measuredAfter(evidence));
        QCOMPARE(*measuredBefore(evidence) + evidence.difference->value, *measuredAfter(evidence));
        QVERIFY(qAbs(*measuredAfter(evidence) - 0.395 * 138000) < 1e-6);
        const ShownFigure figure = differenceFigure(evidence, timeScaleOf(138000));
        QCOMPARE(figure.value, QStringLiteral("\u221283.5"));
        QCOMPARE(figure.spread, QStringLiteral("\u00b1 14.5 ms")); // half the width would be 8.3
    }

    void aBetIsWrittenAsItIsThought_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<double>("milliseconds"); // 0: it is none
        QTest::newRow("twice as fast") << "2x" << 56.5;
        QTest::newRow("with a sign of its own") << QStringLiteral("2 ×") << 56.5;
        QTest::newRow("half as fast") << "0.5X" << 226.0;
        QTest::newRow("a share") << "50 %" << 56.5;
        QTest::newRow("less") << "-30%" << 79.1;
        QTest::newRow("more") << "+10 %" << 124.3;
        QTest::newRow("a time") << "53 ms" << 53.0;
        QTest::newRow("in another unit") << QStringLiteral("800 µs") << 0.8;
        QTest::newRow("as it is typed") << "800us" << 0.8;
        QTest::newRow("seconds") << "1 s" << 1000.0;
        QTest::newRow("without a unit") << "53" << 0.0;
        QTest::newRow("a comma") << "53,5 ms" << 53.5;
        QTest::newRow("thousands") << "1,000 ms" << 1000.0;
        QTest::newRow("a difference") << QStringLiteral("\u221260 ms") << 53.0;
        QTest::newRow("a difference without a unit") << "-60" << 0.0;
        QTest::newRow("slower") << "+5 ms" << 118.0;
        QTest::newRow("full-width signs") << QStringLiteral("\uff12\uff58") << 56.5;
        QTest::newRow("a full-width share") << QStringLiteral("\uff15\uff10\uff05") << 56.5;
        QTest::newRow("digits of another script") << QStringLiteral("\u0665\u0663 ms") << 53.0;
        QTest::newRow("a dash for a minus") << QStringLiteral("\u201360 ms") << 53.0;
        QTest::newRow("more than a million times as slow") << "99999999999999999999 s" << 0.0;
        QTest::newRow("more than a million times as fast") << "0.0000001 ns" << 0.0;
        QTest::newRow("a word") << "fast" << 0.0;
        QTest::newRow("a factor with a sign") << "-2x" << 0.0;
        QTest::newRow("no factor") << "0x" << 0.0;
        QTest::newRow("two numbers") << "1.2.3" << 0.0;
        QTest::newRow("nothing") << "" << 0.0;
    }
    void aBetIsWrittenAsItIsThought() {
        QFETCH(const QString, text);
        QFETCH(const double, milliseconds);
        const std::optional<double> time = betTime(text, 113000);
        QCOMPARE(time.has_value(), milliseconds > 0);
        if (time)
            QVERIFY2(qAbs(*time - 1000 * milliseconds) < 1e-6, qPrintable(QString::number(*time)));
        QVERIFY(betTime(QStringLiteral("-10 µs"), 0) == -10.0);
        QVERIFY(!betTime(QStringLiteral("2x"), 0) && !betTime(QStringLiteral("50 %"), 0));
        QCOMPARE(betText(53000, 113000), QStringLiteral("53.0 ms of 113 ms, 2.13×"));
        const std::optional<Bet> one = betIn(text, 113000);
        QVERIFY(one.has_value() == time.has_value() && (!one || (!one->low && one->microseconds == *time)));
        QCOMPARE(betQuestion(113000), QStringLiteral("now 113 ms; what will it be?"));
    }

    // 1.5 is a factor as well as a time, and a wrong guess of which stands in the ledger.
    void aNumberAloneIsAskedAbout_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("question"); // empty: none
        QTest::newRow("a number") << "1.5"
                                  << "1.5 what? 1.5x, 1.5 ms";
        QTest::newRow("with room around") << " 2 "
                                          << "2 what? 2x, 2 ms";
        QTest::newRow("a range") << "2-4"
                                 << "2-4 what? 2-4x, 2-4 ms";
        QTest::newRow("a difference") << "-30"
                                      << "-30 what? -30 %, -30 ms";
        QTest::newRow("a factor") << "1.5x"
                                  << "";
        QTest::newRow("a range of factors") << "2-4x"
                                            << "";
        QTest::newRow("a time") << "1.5 ms"
                                << "";
        QTest::newRow("a word") << "fast"
                                << "";
        QTest::newRow("no number") << "1.2.3"
                                   << "";
        QTest::newRow("nothing") << ""
                                 << "";
    }
    void aNumberAloneIsAskedAbout() {
        QFETCH(const QString, text);
        QFETCH(const QString, question);
        QCOMPARE(unitQuestion(text, QStringLiteral("ms")), question);
        if (!question.isEmpty())
            QVERIFY(!betIn(text, 21600));
    }

    void aBetMayBeARange_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<double>("low"); // in ms; 0: it is no bet
        QTest::addColumn<double>("high");
        QTest::newRow("factors") << "2-4x" << 25.0 << 50.0;
        QTest::newRow("with both units") << QStringLiteral("2x – 4×") << 25.0 << 50.0;
        QTest::newRow("the other way round") << "4-2x" << 25.0 << 50.0;
        QTest::newRow("in words") << "2 to 4x" << 25.0 << 50.0;
        QTest::newRow("shares") << "50-80 %" << 50.0 << 80.0;
        QTest::newRow("times") << "40..60 ms" << 40.0 << 60.0;
        QTest::newRow("without a unit") << "40-60" << 0.0 << 0.0;
        QTest::newRow("nothing at the end") << "2-x" << 0.0 << 0.0;
        QTest::newRow("no time at all") << "0-4x" << 0.0 << 0.0;
        QTest::newRow("three") << "1-2-3x" << 0.0 << 0.0;
    }
    void aBetMayBeARange() {
        QFETCH(const QString, text);
        QFETCH(const double, low);
        QFETCH(const double, high);
        const std::optional<Bet> bet = betIn(text, 100000);
        QCOMPARE(bet.has_value(), high > 0);
        if (!bet)
            return;
        QVERIFY(bet->low && bet->high);
        QVERIFY2(qAbs(*bet->low - 1000 * low) < 1e-6 && qAbs(*bet->high - 1000 * high) < 1e-6,
                 qPrintable(QString::number(*bet->low)));
        const Prediction prediction = predictionOf(*bet, 100000);
        QVERIFY(*prediction.low < *prediction.timeRatio && *prediction.timeRatio < *prediction.high);
        QVERIFY(predictionFromJson(predictionToJson(prediction)).low.has_value());
    }

    // Before the result as it was typed; then beside what was measured, and no time of another run.
    void aBetOnTheCardIsHeldAgainstTheFactorThatWasMeasured() {
        const auto evaluated = [](const char *of, double median, const char *hash) {
            return Json{{"of", of},
                        {"iteration", 1},
                        {"proposal", of == QByteArray("proposal") ? "p1" : ""},
                        {"summary",
                         {{"id", hash},
                          {"startedAt", "2026-11-29T15:00:00.000Z"},
                          {"verdict", "pass"},
                          {"device", "a device"},
                          {"textHash", hash},
                          {"candidate",
                           {{"median", median},
                            {"low", median - 1},
                            {"high", median + 1},
                            {"samples", 8},
                            {"live", true}}}}}};
        };
        PredictionLedger ledger;
        ledger.take(QStringLiteral("evaluation"), evaluated("iteration", 68000, "one"));
        ledger.take(QStringLiteral("proposal"),
                    Json{{"proposal", "p1"}, {"iteration", 1}, {"hunks", Json::array()}});
        QCOMPARE(betSoFar(ledger, QStringLiteral("p1")), QString());
        ledger.take(QStringLiteral("bet"),
                    Json{{"proposal", "p1"},
                         {"by", "person"},
                         {"prediction", predictionToJson(predictionOf({34000, {}, {}}, 68000))}});
        QVERIFY2(
            betSoFar(ledger, QStringLiteral("p1")).startsWith(QStringLiteral("34.0 ms of 68.0 ms, 2.00×")),
            qPrintable(betSoFar(ledger, QStringLiteral("p1"))));
        Json after = evaluated("proposal", 83900, "two"); // longer, and faster than the text beside it
        after["summary"]["beside"] = {
            {"textHash", "one"},
            {"before", {{"median", 110000}, {"low", 108000}, {"high", 112000}, {"samples", 8}}},
            {"value", 1 / 1.31},
            {"low", 1 / 1.35},
            {"high", 1 / 1.28}};
        ledger.take(QStringLiteral("evaluation"), after);
        QCOMPARE(betSoFar(ledger, QStringLiteral("p1")),
                 QStringLiteral("2.00× (1.82–2.22×, ±10 % granted), measured 1.31× side by side: outside"));
    }

    void aBetSaysWhatCountsAsAHit() {
        QCOMPARE(betText(*betIn(QStringLiteral("2x"), 100000), 100000),
                 QStringLiteral("50.0 ms of 100 ms, 2.00× (±10 % counts as a hit)"));
        QCOMPARE(betText(*betIn(QStringLiteral("2-4x"), 100000), 100000),
                 QStringLiteral("25.0 ms to 50.0 ms of 100 ms, 2.00–4.00×"));
    }
};

QObject *makeTestProposalFigures() {
    return new TestProposalFigures;
}

#include "tst_proposal_figures.moc"
