// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/ledger_model.h"
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
        QVERIFY(outcome.data(Qt::ToolTipRole).toString().contains(QStringLiteral("outside")));
    }

    // Beside what was measured from another time before it is counted from that one.
    void besideAMeasurementItHasItsBaseAndItsForm() {
        Prediction prediction;
        prediction.timeRatio = 0.5;
        prediction.beforeMicroseconds = 300; // its own check, on a busier machine
        const TimeScale unit = timeScaleOf(100);
        const Evidence sure = evidenceOf(std::optional(timed(100, 1, 2)), timed(60, 1, 3.3), {});
        const ShownFigure figure = predictedFigure(prediction, &sure, unit);
        QVERIFY2(figure.value.startsWith(QStringLiteral("\u221250")), qPrintable(figure.value));
        // Where only the ratio of what was measured is sure, it is a ratio too.
        const Evidence unsure = evidenceOf(std::optional(timed(100, 30, 2)), timed(80, 24, 2.5), {});
        QVERIFY(differenceFigure(unsure, unit).value.endsWith(QChar(0xd7)));
        QCOMPARE(predictedFigure(prediction, &unsure, unit).value, QStringLiteral("2.00\u00d7"));
    }
};

QObject *makeTestProposalFigures() {
    return new TestProposalFigures;
}

#include "tst_proposal_figures.moc"
