// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/bench/suite_outcome.h"

#include <QTest>

using namespace warpwright;

namespace {

SuiteOutcome outcomeOf(Verdict verdict) {
    SuiteOutcome outcome;
    outcome.verdict = verdict;
    return outcome;
}

SuiteOutcome timed(double low, double high) {
    SuiteOutcome outcome = outcomeOf(Verdict::Pass);
    outcome.ratio = SpeedUp{(low + high) / 2, low, high, QStringLiteral("eager")};
    return outcome;
}

SuiteRow expecting(const char *expected, bool isTimed = false) {
    SuiteRow row;
    row.name = QStringLiteral("r");
    row.expected = QLatin1String(expected);
    row.isTimed = isTimed;
    return row;
}

} // namespace

Q_DECLARE_METATYPE(warpwright::SuiteOutcome)
Q_DECLARE_METATYPE(std::optional<warpwright::SuiteOutcome>)

class TestSuiteOutcome : public QObject {
    Q_OBJECT

private slots:
    void comparesWithWhatWasExpected_data() {
        QTest::addColumn<QByteArray>("expected");
        QTest::addColumn<SuiteOutcome>("outcome");
        QTest::addColumn<QString>("got");
        QTest::addColumn<bool>("isOk");
        const auto row = [](const char *name, const char *expected, const SuiteOutcome &outcome,
                            const char *got, bool isOk) {
            QTest::newRow(name) << QByteArray(expected) << outcome << QString(got) << isOk;
        };
        row("the verdict", "wrong", outcomeOf(Verdict::Wrong), "wrong", true);
        row("another one", "wrong", outcomeOf(Verdict::Pass), "pass", false);

        SuiteOutcome rejected = outcomeOf(Verdict::Rejected);
        row("a rule that nobody named", "rejected:own-kernels", rejected, "rejected", false);
        rejected.rules = {"writes-inputs", "own-kernels"};
        row("one of two rules", "rejected:own-kernels", rejected, "rejected:own-kernels", true);
        row("another rule", "rejected:torch-operators", rejected, "rejected:writes-inputs", false);
        row("any rule", "rejected", rejected, "rejected:writes-inputs", true);

        SuiteOutcome wrong = outcomeOf(Verdict::Wrong);
        wrong.precision = "BF16";
        row("the class", "wrong:BF16", wrong, "wrong:BF16", true);
        row("another class", "wrong:FP16", wrong, "wrong:BF16", false);
        row("a class that nobody asked for", "wrong", wrong, "wrong", true);

        row("the second of three", "wrong|run-failed|rejected", outcomeOf(Verdict::RunFailed), "run-failed",
            true);
        row("the third, with its rule", "wrong|run-failed|rejected", rejected, "rejected:writes-inputs",
            true);
        row("none of two", "wrong|run-failed", outcomeOf(Verdict::Pass), "pass", false);

        SuiteOutcome doubted = outcomeOf(Verdict::Pass);
        row("no doubt", "pass+doubt", doubted, "pass", false);
        doubted.doubts = {"Stress inputs that get_inputs does not draw (NaN): they differ."};
        row("a doubt", "pass+doubt", doubted, "pass+doubt", true);
        row("a doubt where none is asked for", "pass", doubted, "pass", true);
        doubted.doubts = {"Something else."};
        row("a doubt of another kind", "pass+doubt", doubted, "pass", false);

        SuiteOutcome degenerate = outcomeOf(Verdict::Pass);
        row("no constant", "pass:degenerate", degenerate, "pass", false);
        degenerate.isDegenerate = true;
        degenerate.precision = "FP32";
        row("a constant", "pass:degenerate", degenerate, "pass:degenerate", true);

        row("harmless, verified only", "harmless", outcomeOf(Verdict::Pass), "harmless", true);
        row("harmless, but wrong", "harmless", outcomeOf(Verdict::Wrong), "wrong", false);
        row("harmless, where wrong will do", "wrong|harmless", outcomeOf(Verdict::Pass), "harmless", true);
        row("wrong, where harmless will do", "wrong|harmless", outcomeOf(Verdict::Wrong), "wrong", true);
    }
    void comparesWithWhatWasExpected() {
        QFETCH(QByteArray, expected);
        QFETCH(SuiteOutcome, outcome);
        QFETCH(QString, got);
        QFETCH(bool, isOk);
        const SuiteResult result = judgeRow(expecting(expected.constData()), outcome, {}, true);
        QCOMPARE(result.got, got);
        QCOMPARE(result.isOk, isOk);
        QVERIFY(result.wasRun);
    }

    void harmlessIsHeldAgainstItsTwin_data() {
        QTest::addColumn<SuiteOutcome>("outcome");
        QTest::addColumn<std::optional<SuiteOutcome>>("twin");
        QTest::addColumn<bool>("isCpu");
        QTest::addColumn<QString>("got");
        const auto row = [](const char *name, const SuiteOutcome &outcome,
                            const std::optional<SuiteOutcome> &twin, bool isCpu, const char *got) {
            QTest::newRow(name) << outcome << twin << isCpu << QString(got);
        };
        row("as fast", timed(1.0, 1.1), timed(1.0, 1.1), false, "harmless");
        row("slower", timed(0.5, 0.6), timed(1.0, 1.1), false, "harmless");
        row("faster", timed(1.2, 1.3), timed(1.0, 1.1), false, "pass, faster than its twin");
        row("within the spread of a GPU", timed(1.12, 1.3), timed(1.0, 1.1), false, "harmless");
        row("within the spread of a CPU", timed(1.2, 1.3), timed(1.0, 1.1), true, "harmless");
        row("beyond that, too", timed(1.3, 1.4), timed(1.0, 1.1), true, "pass, faster than its twin");
        row("no twin", timed(1.0, 1.1), std::nullopt, false, "pass, not compared");
        row("a twin that was not timed", timed(1.0, 1.1), outcomeOf(Verdict::Inconclusive), false,
            "pass, not compared");
        row("not timed itself", outcomeOf(Verdict::Pass), timed(1.0, 1.1), false, "pass, not compared");
        row("too noisy", outcomeOf(Verdict::Inconclusive), timed(1.0, 1.1), false, "inconclusive");
    }
    void harmlessIsHeldAgainstItsTwin() {
        QFETCH(SuiteOutcome, outcome);
        QFETCH(std::optional<SuiteOutcome>, twin);
        QFETCH(bool, isCpu);
        QFETCH(QString, got);
        const SuiteResult result = judgeRow(expecting("harmless", true), outcome, twin, isCpu);
        QCOMPARE(result.got, got);
        QCOMPARE(result.isOk, got == "harmless");
        // What noise did is worth another try; what was found is not.
        QCOMPARE(isWorthAnotherTry(result), got != "harmless");
    }

    void whatScattersToTheEndMayStillHaveGainedNothing_data() {
        QTest::addColumn<double>("low");
        QTest::addColumn<double>("high");
        QTest::addColumn<bool>("hasGainedNothing");
        QTest::newRow("slower at both ends") << 0.75 << 1.16 << true;
        QTest::newRow("it may be faster") << 0.75 << 1.9 << false;
        QTest::newRow("faster at its slow end") << 1.3 << 1.8 << false;
    }
    void whatScattersToTheEndMayStillHaveGainedNothing() {
        QFETCH(double, low);
        QFETCH(double, high);
        QFETCH(bool, hasGainedNothing);
        SuiteOutcome noisy = timed(low, high);
        noisy.verdict = Verdict::Inconclusive;
        const SuiteOutcome twin = timed(1.2, 1.86);
        const SuiteResult result = judgeRow(expecting("harmless", true), noisy, twin, false);
        QVERIFY(!result.isOk && isWorthAnotherTry(result));
        const SuiteResult last = settled(result, twin);
        QCOMPARE(last.isOk, hasGainedNothing);
        QVERIFY(last.got.startsWith("inconclusive")); // never called harmless
        QVERIFY(!settled(result, std::nullopt).isOk);
        QVERIFY(!settled(judgeRow(expecting("wrong", true), noisy, twin, false), twin).isOk);
    }

    // Seen on an H200: «inconclusive:FP32» where a rule was expected, and no second try.
    void noiseIsTriedAgainWhateverWasExpected() {
        SuiteOutcome noisy = outcomeOf(Verdict::Inconclusive);
        noisy.precision = "FP32";
        const SuiteResult result = judgeRow(expecting("rejected:writes-inputs", true), noisy, {}, false);
        QCOMPARE(result.got, QString("inconclusive:FP32"));
        QVERIFY(!result.isOk && isWorthAnotherTry(result));
    }

    void aRowThatIsNotForThisDeviceFailsNothing() {
        SuiteResult ok = judgeRow(expecting("wrong"), outcomeOf(Verdict::Wrong), {}, true);
        SuiteResult notOk = judgeRow(expecting("wrong"), outcomeOf(Verdict::Pass), {}, true);
        SuiteResult notRun = notOk;
        notRun.wasRun = false;
        QVERIFY(!isWorthAnotherTry(notRun) && !isWorthAnotherTry(notOk));
        QCOMPARE(exitCodeFor({ok, notRun}), 0);
        QCOMPARE(exitCodeFor({ok, notOk}), 1);
        QCOMPARE(exitCodeFor({}), 0);
        const OrderedJson document = suiteDocument({ok, notOk, notRun}, {}, {}, 1.5);
        QCOMPARE(document["ok"].get<int>(), 1);
        QCOMPARE(document["notOk"].get<int>(), 1);
        QCOMPARE(document["notRun"].get<int>(), 1);
        QCOMPARE(document["rows"].size(), std::size_t(3));
        QVERIFY(document["rows"][0]["ratio"].is_null() && document["rows"][0]["why"].is_null());
    }
};

QObject *makeTestSuiteOutcome() {
    return new TestSuiteOutcome;
}

#include "tst_suite_outcome.moc"
