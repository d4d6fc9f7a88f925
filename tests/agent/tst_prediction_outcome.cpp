// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/review/prediction_ledger.h"
#include "agent/review/prediction_outcome.h"

#include <QTest>

using namespace warpwright;

namespace {

Prediction expecting(double ratio, std::optional<double> low = {}, std::optional<double> high = {}) {
    Prediction prediction;
    prediction.timeRatio = ratio;
    prediction.low = low;
    prediction.high = high;
    return prediction;
}

} // namespace

/// What counts as a hit, and that the range that is shown is the one that decides.
class TestPredictionOutcome : public QObject {
    Q_OBJECT

private slots:
    void theRangeDecides_data() {
        QTest::addColumn<Prediction>("prediction");
        QTest::addColumn<TimeRatio>("measured");
        QTest::addColumn<QString>("range");
        QTest::addColumn<QString>("word");
        const Prediction given = expecting(0.3, 0.25, 0.37); // 3.33×
        QTest::newRow("inside") << given << TimeRatio{0.28, 0.27, 0.29} << "2.70–4.00×"
                                << "hit";
        QTest::newRow("at the end of the range") << given << TimeRatio{0.37, 0.36, 0.38} << "2.70–4.00×"
                                                 << "hit";
        QTest::newRow("outside") << given << TimeRatio{0.44, 0.42, 0.46} << "2.70–4.00×"
                                 << "outside";
        QTest::newRow("an interval that reaches into it")
            << given << TimeRatio{0.44, 0.3, 0.7} << "2.70–4.00×"
            << "undecided";
        QTest::newRow("faster than expected") << given << TimeRatio{0.2, 0.19, 0.21} << "2.70–4.00×"
                                              << "outside";
        const Prediction bare = expecting(0.5);
        QTest::newRow("within a tenth") << bare << TimeRatio{0.54, 0.53, 0.55} << "1.82–2.22×"
                                        << "hit";
        QTest::newRow("beyond a tenth") << bare << TimeRatio{0.56, 0.555, 0.57} << "1.82–2.22×"
                                        << "outside";
        QTest::newRow("slower, as expected")
            << expecting(1.5, 1.2, 2) << TimeRatio{1.9, 1.8, 2} << "0.50–0.83×"
            << "hit";
    }
    void theRangeDecides() {
        QFETCH(Prediction, prediction);
        QFETCH(TimeRatio, measured);
        QFETCH(QString, range);
        QFETCH(QString, word);
        QCOMPARE(rangeText(*expectedRange(prediction)), range);
        QCOMPARE(outcomeWord(outcomeOf(prediction, measured)), word);
    }

    void whatIsGrantedStandsBesideWhatWasMeasured() {
        TimeRatio measured{1 / 1.87, 1 / 2.0, 1 / 1.7};
        QCOMPARE(judgedText(expecting(1.0 / 3), measured),
                 QStringLiteral("3.00× (2.73–3.33×, ±10 % granted), measured 1.87× side by side: outside"));
        measured.way = TimeRatio::Way::Times;
        QCOMPARE(judgedText(expecting(0.5, 0.4, 0.8), measured),
                 QStringLiteral("2.00× (1.25–2.50×), measured 1.87×: hit"));
        QCOMPARE(judgedText(Prediction(), measured), QString());
    }

    void aRowThatSaysNothingIsOpen() {
        LedgerRow row;
        row.verdict = Verdict::Pass;
        row.measured = TimeRatio{0.5, 0.49, 0.51};
        QCOMPARE(outcomeOf(row, expecting(0.5)), PredictionOutcome::Hit);
        QCOMPARE(outcomeOf(row, Prediction()), PredictionOutcome::Open);
        row.isHidden = true;
        QCOMPARE(outcomeOf(row, expecting(0.5)), PredictionOutcome::Open);
        row.isHidden = false;
        row.isUnexercised = true;
        QCOMPARE(outcomeOf(row, expecting(0.5)), PredictionOutcome::Open);
        row.isUnexercised = false;
        row.measured.reset();
        row.verdict = Verdict::Cancelled;
        QCOMPARE(outcomeOf(row, expecting(0.5)), PredictionOutcome::Open);
        row.verdict = Verdict::Inconclusive;
        QCOMPARE(outcomeOf(row, expecting(0.5)), PredictionOutcome::Open);
        row.verdict = Verdict::Wrong;
        QCOMPARE(outcomeOf(row, expecting(0.5)), PredictionOutcome::Failed);
    }

    // Whatever the time was counted from: half is half.
    void anotherBaseIsSaidAndDecidesNothing() {
        Prediction prediction = expecting(0.5);
        prediction.beforeMicroseconds = 34100;
        QCOMPARE(outcomeWord(outcomeOf(prediction, TimeRatio{0.5, 0.49, 0.51})), QStringLiteral("hit"));
        QCOMPARE(otherBaseText(prediction, 16800, true),
                 QStringLiteral("predicted from 34.1 ms, its own check; measured side by side from 16.8 ms"));
        QVERIFY(otherBaseText(prediction, 16800, false).contains(QStringLiteral("as it was known then")));
        QCOMPARE(otherBaseText(prediction, 33000, true), QString());
        QCOMPARE(otherBaseText(prediction, std::nullopt, true), QString());
    }

    void anExpectationIsCountedFromTheTimeThatWasKnownThen() {
        Prediction prediction = expecting(0.5, 0.4, 0.6);
        QVERIFY(!expectedTime(prediction) && !expectedTime(Prediction(), 100));
        QCOMPARE(expectedTime(prediction, 100)->highMicroseconds, 60.0);
        prediction.beforeMicroseconds = 200;
        QCOMPARE(expectedTime(prediction, 100)->medianMicroseconds, 100.0);
        QVERIFY(hasOtherBase(prediction, 100) && !hasOtherBase(prediction, 190));
        QVERIFY(!hasOtherBase(prediction, std::nullopt) && !hasOtherBase(Prediction(), 100));
    }

    void whatAnOutcomeRestsOnIsSaid() {
        QCOMPARE(outcomeText(expecting(0.3, 0.25, 0.37), TimeRatio{0.28, 0.27, 0.29}), QStringLiteral("hit"));
        QCOMPARE(outcomeText(expecting(0.55, 0.508, 0.617), TimeRatio{0.395, 0.35, 0.51}),
                 QStringLiteral("undecided, for the interval is 1.96–2.86×"));
        // 113 % of the time is a hit of what might be slower, and no gain.
        QCOMPARE(outcomeText(expecting(1.05, 0.95, 1.35), TimeRatio{1.13, 1.05, 1.2}),
                 QStringLiteral("hit, of a range that holds faster and slower"));
        QCOMPARE(outcomeText(expecting(1), TimeRatio{1.01, 1, 1.02}), QStringLiteral("hit"));
    }

    void theLedgerCountsByTheSameRule() {
        const auto summary = [](double microseconds, double halfWidth) {
            EvaluationSummary made;
            made.id = QStringLiteral("e");
            made.verdict = Verdict::Pass;
            made.candidate =
                ArmTiming{microseconds, microseconds - halfWidth, microseconds + halfWidth, 8, true};
            return Json(summaryToJson(made));
        };
        PredictionLedger ledger;
        ledger.take(QStringLiteral("evaluation"),
                    {{"of", "iteration"}, {"iteration", 1}, {"summary", summary(100, 1)}});
        int number = 0;
        for (const double time : {50.0, 70.0}) { // the second reaches into the range at the most
            const std::string id = "p" + std::to_string(++number);
            ledger.take(QStringLiteral("proposal"),
                        {{"proposal", id},
                         {"iteration", 1},
                         {"author", {{"name", "me"}}},
                         {"prediction", {{"timeRatio", 0.5}, {"low", 0.4}, {"high", 0.6}}}});
            ledger.take(QStringLiteral("evaluation"),
                        {{"of", "proposal"}, {"proposal", id}, {"summary", summary(time, 15)}});
        }
        QCOMPARE(ledger.rows().size(), std::size_t(2));
        QCOMPARE(outcomeOf(ledger.rows()[0], ledger.rows()[0].prediction), PredictionOutcome::Hit);
        QCOMPARE(outcomeOf(ledger.rows()[1], ledger.rows()[1].prediction), PredictionOutcome::Undecided);
        QCOMPARE(ledger.ofAgent(QStringLiteral("me")).insideRange, 1);
        QCOMPARE(ledger.ofAgent(QStringLiteral("me")).count, 2);
        QCOMPARE(ledger.rows()[0].before.value_or(0), 100.0);
    }

    void theLedgerKnowsWhatWasTaken_data() {
        QTest::addColumn<QStringList>("answers");
        QTest::addColumn<bool>("isBesideCode");
        QTest::addColumn<QString>("step");
        QTest::addColumn<QString>("words");
        QTest::newRow("all") << QStringList{"accept", "accept"} << false << QString() << QString();
        QTest::newRow("a part") << QStringList{"reject", "accept"} << false << QString()
                                << QStringLiteral("partly applied: 1 of 2 hunks");
        QTest::newRow("edited") << QStringList{"edit", "accept"} << false << QString()
                                << QStringLiteral("applied with your edits");
        QTest::newRow("a part, edited") << QStringList{"edit", "reject"} << false << QString()
                                        << QStringLiteral("partly applied: 1 of 2 hunks");
        QTest::newRow("comments") << QStringList{"accept", "reject"} << true << QString()
                                  << QStringLiteral("comments alone were taken");
        QTest::newRow("kept as a step") << QStringList{"reject", "accept"} << false << QStringLiteral("keep")
                                        << QStringLiteral("partly applied: 1 of 2 hunks");
        QTest::newRow("taken back") << QStringList{"reject", "accept"} << false << QStringLiteral("undo")
                                    << QString();
    }
    void theLedgerKnowsWhatWasTaken() {
        QFETCH(const QStringList, answers);
        QFETCH(const bool, isBesideCode);
        QFETCH(const QString, step);
        QFETCH(const QString, words);
        PredictionLedger ledger;
        ledger.take("proposal", {{"proposal", "p1"},
                                 {"iteration", 1},
                                 {"prediction", {{"timeRatio", 0.5}}},
                                 {"hunks", Json::array({{{"id", "1"}}, {{"id", "2"}}})}});
        for (int i = 0; i < 2; ++i)
            ledger.take("decision", {{"proposal", "p1"},
                                     {"hunk", std::to_string(i + 1)},
                                     {"answer", answers[i].toStdString()},
                                     {"by", "person"}});
        QCOMPARE(takenText(ledger.rows()[0]), QString()); // answered, and not applied yet
        Json applied{{"proposal", "p1"}};
        if (isBesideCode)
            applied["besideCode"] = true;
        ledger.take("applied", applied);
        if (!step.isEmpty())
            ledger.take("step", {{"answer", step.toStdString()}});
        QCOMPARE(takenText(ledger.rows()[0]), words);
    }
};

QObject *makeTestPredictionOutcome() {
    return new TestPredictionOutcome;
}

#include "tst_prediction_outcome.moc"
