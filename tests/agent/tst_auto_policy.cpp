// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/session/auto_policy.h"
#include "agent/session/session_events.h"

#include <QTest>

using namespace warpwright;

class TestAutoPolicy : public QObject {
    Q_OBJECT

private:
    static EvaluationSummary summary(double overEager, double spread, Verdict verdict = Verdict::Pass) {
        EvaluationSummary summary;
        summary.id = "x";
        summary.verdict = verdict;
        summary.candidate =
            ArmTiming{100, 99, 101, 1, true}; // the machine is faster at some checks than at others
        summary.eager = SpeedUp{overEager, overEager * (1 - spread), overEager * (1 + spread), "eager"};
        return summary;
    }

private slots:
    void answersByWhatWasMeasured_data() {
        QTest::addColumn<double>("speedUp");
        QTest::addColumn<double>("spread");
        QTest::addColumn<Verdict>("verdict");
        QTest::addColumn<bool>("keeps");
        QTest::addColumn<PolicyAnswer>("answer");
        QTest::newRow("faster") << 2.2 << 0.01 << Verdict::Pass << true << PolicyAnswer::Accept;
        QTest::newRow("within the interval")
            << 2.2 << 0.1 << Verdict::Pass << true << PolicyAnswer::KeepAsBranch;
        QTest::newRow("slower") << 1.5 << 0.01 << Verdict::Pass << true << PolicyAnswer::KeepAsBranch;
        QTest::newRow("slower, nothing kept")
            << 1.5 << 0.01 << Verdict::Pass << false << PolicyAnswer::Discard;
        QTest::newRow("wrong") << 9.0 << 0.01 << Verdict::Wrong << true << PolicyAnswer::Discard;
        QTest::newRow("impossible") << 90.0 << 0.01 << Verdict::Impossible << true << PolicyAnswer::Discard;
    }
    void answersByWhatWasMeasured() {
        QFETCH(const double, speedUp);
        QFETCH(const double, spread);
        QFETCH(const Verdict, verdict);
        QFETCH(const bool, keeps);
        QFETCH(const PolicyAnswer, answer);
        const PolicyDecision decision = decide({keeps}, summary(2, 0.01), summary(speedUp, spread, verdict));
        QVERIFY(decision.answer == answer);
        QVERIFY(!decision.why.isEmpty());
        // Whatever is verified is better than what is not.
        QVERIFY(
            (decide({keeps}, summary(2, 0.01, Verdict::Wrong), summary(speedUp, spread, verdict)).answer ==
             PolicyAnswer::Accept) == (verdict == Verdict::Pass));
    }

    void saysOfATextThatTheClockDidNotDecideThatItWasVerified() {
        const PolicyDecision decision = decide({}, summary(2, 0.3, Verdict::Inconclusive), summary(2, 0.01));
        QVERIFY(decision.answer == PolicyAnswer::Accept);
        QVERIFY2(decision.why.contains("its time is certain"), qPrintable(decision.why));
        // Timed side by side they are compared all the same.
        const auto besideSaying = [](double value, double low, double high) {
            EvaluationSummary before = summary(2, 0.3, Verdict::Inconclusive);
            before.textHash = "of the text before";
            EvaluationSummary after = summary(2, 0.01);
            after.beside = BesideTiming{before.textHash, *before.candidate, value, low, high};
            return decide({true}, std::optional(before), after).answer;
        };
        QVERIFY(besideSaying(0.5, 0.4, 0.6) == PolicyAnswer::Accept);
        QVERIFY(besideSaying(1.17, 0.87, 2.5) == PolicyAnswer::KeepAsBranch);
        QVERIFY(besideSaying(1.5, 1.4, 1.6) == PolicyAnswer::KeepAsBranch);
    }

    // Twice the speed-up, because eager took twice as long: nothing follows from that.
    void takesNoGainFromABaselineThatMoved() {
        const PolicyDecision decision = decide({true}, summary(2, 0.01), summary(4, 0.01));
        QVERIFY(decision.answer == PolicyAnswer::KeepAsBranch && decision.isUndecided);
        QVERIFY2(decision.why.contains("eager itself took 2.0 times as long"), qPrintable(decision.why));
        QVERIFY(decide({false}, summary(2, 0.01), summary(4, 0.01)).answer == PolicyAnswer::Discard);
    }

    // Twice as fast, and nothing of the change ran: it is noise, whatever the clock says.
    void takesNoGainFromWhatDidNotRun_data() {
        QTest::addColumn<QString>("ranBefore");
        QTest::addColumn<QString>("ran");
        QTest::addColumn<Verdict>("verdict");
        QTest::addColumn<PolicyAnswer>("answer");
        QTest::addColumn<QString>("why");
        const QString notRun = "It is not exercised on this device: kernels/a.cu was compiled, not run.";
        QTest::newRow("the same code") << "code"
                                       << "code" << Verdict::Pass << PolicyAnswer::KeepAsBranch << notRun;
        QTest::newRow("the same code, undecided")
            << "code"
            << "code" << Verdict::Inconclusive << PolicyAnswer::KeepAsBranch << notRun;
        QTest::newRow("the same code, found wrong")
            << "code"
            << "code" << Verdict::Wrong << PolicyAnswer::Discard << "It is not verified: wrong.";
        QTest::newRow("other code") << "code"
                                    << "other" << Verdict::Pass << PolicyAnswer::Accept
                                    << "It is verified, and takes";
        QTest::newRow("an old document")
            << ""
            << "" << Verdict::Pass << PolicyAnswer::Accept << "It is verified, and takes";
    }
    void takesNoGainFromWhatDidNotRun() {
        QFETCH(const QString, ranBefore);
        QFETCH(const QString, ran);
        QFETCH(const Verdict, verdict);
        QFETCH(const PolicyAnswer, answer);
        QFETCH(const QString, why);
        EvaluationSummary before = summary(2, 0.01);
        EvaluationSummary after = summary(4, 0.01, verdict);
        after.candidate = ArmTiming{50, 49.5, 50.5, 1, true}; // eager stayed as it was
        before.textHash = "one";
        after.textHash = "two";
        before.ranHash = ranBefore;
        after.ranHash = ran;
        before.notRun = {{"kernels/a.cu", SourceKind::Cuda, true, false, "1"}};
        after.notRun = {{"kernels/a.cu", SourceKind::Cuda, true, false, "2"}};
        const PolicyDecision decision = decide({}, before, after);
        QVERIFY(decision.answer == answer);
        QVERIFY2(decision.why.startsWith(why), qPrintable(decision.why));
        const bool isSame = !ran.isEmpty() && ran == ranBefore;
        QCOMPARE(timeRatio(before, after).has_value(), verdict == Verdict::Pass && !isSame);
        QCOMPARE(timeDifference(before, after).has_value(), !isSame);
    }

    void comparesTimesWhereNoBaselineStandsBeside() {
        EvaluationSummary before, after;
        before.verdict = after.verdict = Verdict::Pass;
        QVERIFY(!timeRatio(before, after));
        before.candidate = ArmTiming{100, 99, 101, 1, true};
        after.candidate = ArmTiming{50, 49, 51, 1, true};
        const auto ratio = timeRatio(before, after);
        QCOMPARE(ratio->value, 0.5);
        QCOMPARE(ratio->low, 49.0 / 101);
        QCOMPARE(ratio->high, 51.0 / 99);
    }

    void evidenceSetsKernelsBesideEachOther() {
        Evaluation before = newEvaluation();
        KernelResources kernel;
        kernel.name = "k";
        kernel.arch = "sm_90a";
        kernel.registers = 32;
        KernelResources same = kernel;
        same.name = "same";
        before.compile.status = StageStatus::Passed;
        before.compile.kernels = {kernel, same};
        Evaluation after = before;
        after.compile.kernels[0].registers = 128;
        after.compile.kernels[0].staticSharedBytes = 1024;
        const Evidence evidence = evidenceOf(&before, after, "hash");
        QCOMPARE(evidence.kernels.size(), 1U);
        QCOMPARE(evidence.kernels[0].registersAfter.value_or(0), 128);
        QVERIFY(*evidence.kernels[0].occupancyAfter < *evidence.kernels[0].occupancyBefore);
        QVERIFY(evidenceOf(nullptr, after, "hash").kernels.empty());
    }

    void cachedTokensAreAPartOfThePrompt() {
        RunMeter meter;
        AgentUsage usage;
        usage.tokensIn = 1000;
        usage.tokensCached = 900;
        usage.tokensOut = 10;
        usage.cost = 0.25;
        meter.add(usage);
        meter.add(usage);
        QCOMPARE(meter.tokensIn + meter.tokensOut, 2020);
        RunBudgets budgets;
        budgets.tokens = 2021;
        QVERIFY(!reachedBudget(budgets, meter));
        budgets.tokens = 2020;
        QCOMPARE(reachedBudget(budgets, meter)->used, 2020.0);
        budgets = {};
        budgets.cost = 0.5;
        QCOMPARE(reachedBudget(budgets, meter)->budget, QString("cost"));
    }
};

QObject *makeTestAutoPolicy() {
    return new TestAutoPolicy;
}

#include "tst_auto_policy.moc"
