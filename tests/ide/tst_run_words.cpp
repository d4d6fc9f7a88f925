// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/agent/run_words.h"
#include "app/ide/results/verdict_banner.h"
#include "toolchain/judge/evaluation_facts.h"

#include <QTest>

using namespace warpwright;

namespace {

EvaluationSummary passed(double microseconds, double overEager) {
    EvaluationSummary summary;
    summary.verdict = Verdict::Pass;
    summary.candidate = ArmTiming{microseconds, 0.99 * microseconds, 1.01 * microseconds, 8, true};
    summary.eager = SpeedUp{overEager, 0.9 * overEager, 1.1 * overEager, QStringLiteral("eager")};
    return summary;
}

SharedTree treeOf(const std::vector<EvaluationSummary> &summaries) {
    std::vector<IterationRecord> records;
    for (const EvaluationSummary &summary : summaries) {
        IterationRecord record;
        record.iteration.number = static_cast<int>(records.size()) + 1;
        record.iteration.parent = record.iteration.number - 1;
        record.latest = summary;
        records.push_back(record);
    }
    return makeIterationTree(std::move(records));
}

} // namespace

/// What the window says of a run by itself.
class TestRunWords : public QObject {
    Q_OBJECT

private slots:
    // Others' time on the device says nothing of this text.
    void theQueueIsToldApart() {
        Evaluation evaluation = emptyEvaluation({});
        QCOMPARE(checkedInText(evaluation), QString());
        evaluation.seconds = 459;
        QCOMPARE(checkedInText(evaluation), QStringLiteral("checked in 7 min 39 s"));
        addSecondsInQueue(evaluation, 400);
        addSecondsInQueue(evaluation, 22);
        QCOMPARE(checkedInText(evaluation),
                 QStringLiteral("checked in 37.0 s, after 7 min 2 s in the queue"));
    }

    void aSentenceIsSaidOnce() {
        QSet<QString> said;
        const QString first =
            QStringLiteral("The reference is 4 operators that move 126 MB of memory. It is fused.");
        QCOMPARE(withoutSaid(first, said), first);
        QCOMPARE(withoutSaid(
                     first + QStringLiteral(" The clock did not decide it: it is measured once more."), said),
                 QStringLiteral("It is fused. The clock did not decide it: it is measured once more."));
        QCOMPARE(
            withoutSaid(QStringLiteral("The reference is 4 operators that move 126 MB of memory."), said),
            QString());
    }

    // In the tree, in the details, in the list of recent workspaces: over one baseline, and it is named.
    void theTreeNamesItsBaseline() {
        EvaluationSummary both = passed(10, 2);
        both.sameClass = SpeedUp{1.5, 1.4, 1.6, QStringLiteral("compile")};
        EvaluationSummary one = passed(10, 2);
        one.eager.reset();
        one.sameClass = both.sameClass;
        EvaluationSummary undecided = both;
        undecided.verdict = Verdict::Inconclusive;
        const SharedTree tree = treeOf({both, one, undecided});
        QCOMPARE(headlineOf(tree->records[0]), QStringLiteral("2.00× over eager"));
        QCOMPARE(headlineOf(tree->records[1]), QStringLiteral("1.50× over compile"));
        QCOMPARE(headlineOf(tree->records[2]), QStringLiteral("Inconclusive"));
    }

    // A step that was left out because it is slower does not bear the name of one that was kept.
    void theTreeNamesNoBestThatIsOutdone() {
        EvaluationSummary kept = passed(4.2, 4);
        kept.verdict = Verdict::Inconclusive;
        kept.candidate = ArmTiming{4.2, 0.6, 7.8, 8, true};
        QCOMPARE(treeOf({passed(30, 1), kept, passed(15.2, 0.5)})->best, 0);
        QCOMPARE(treeOf({passed(30, 1), passed(15.2, 0.5)})->best, 1); // by what it is over eager
        QCOMPARE(treeOf({passed(30, 1), passed(15.2, 2)})->best, 2);
    }

    void saysWhichTextStands() {
        const SharedTree tree = treeOf({passed(20000, 1), passed(10000, 2)});
        QCOMPARE(
            standingWords(2, tree->records[1].latest, *tree),
            QStringLiteral("The text is iteration 2 now: 10.00 ± 0.10 ms, 2.00× (1.80–2.20) over eager."));
        QCOMPARE(standingWords(2, std::nullopt, *tree), QString());
    }

    // Whoever rejected a hunk that the others need hears it, and where the last sound text is.
    void saysThatTheTextIsNotSound() {
        EvaluationSummary failed = passed(10000, 2);
        failed.verdict = Verdict::BuildFailed;
        failed.candidate.reset();
        EvaluationSummary open = passed(15000, 1.5);
        open.verdict = Verdict::Inconclusive;
        const auto said = [&failed](const EvaluationSummary &before, bool isPart) {
            std::vector<IterationRecord> records = treeOf({passed(20000, 1), before, failed})->records;
            for (std::size_t at = 1; at < records.size(); ++at)
                records[at].iteration.parent = static_cast<int>(at);
            records.back().iteration.author.kind = AuthorKind::Playbook;
            if (isPart)
                records.back().iteration.note = QStringLiteral("Part of “Wide loads” (4 of 5 hunks)");
            const SharedTree tree = makeIterationTree(records);
            return standingWords(3, tree->records[2].latest, *tree);
        };
        QCOMPARE(
            said(passed(10000, 2), true),
            QStringLiteral("The text is iteration 3 now, and it does not build. It is a part of what was "
                           "proposed, and hunks of it were rejected. The last that passed is [iteration "
                           "2](iteration:2)."));
        QVERIFY(!said(open, false).contains("rejected"));
        QVERIFY2(said(open, false).contains("its time undecided, is [iteration 2]"),
                 qPrintable(said(open, false)));
        QVERIFY2(said(failed, false).contains("[iteration 1](iteration:1)"), qPrintable(said(failed, false)));
    }

    // What the clock saw of a change that did not run is the text before it.
    void aTextThatWasNotExercisedHasNoGain() {
        EvaluationSummary repeat = passed(10000, 2);
        Unexercised unexercised;
        ExercisedFile kernel;
        kernel.file = QStringLiteral("kernels/a.cu");
        kernel.as = SourceKind::Cuda;
        unexercised.files.push_back(kernel);
        unexercised.iteration = 1;
        repeat.unexercised = unexercised;
        const SharedTree tree = treeOf({passed(20000, 1), repeat});
        const QString words = standingWords(2, tree->records[1].latest, *tree);
        QVERIFY2(words.startsWith("The text is iteration 2 now, not exercised: kernels/a.cu") &&
                     words.contains("repeat iteration 1") && !words.contains("over eager"),
                 qPrintable(words));
        ScoredProposal scored;
        scored.proposal = QStringLiteral("p3");
        scored.title = QStringLiteral("Wide loads");
        scored.outcome = QStringLiteral("accepted");
        scored.summary = repeat;
        const QString said = scoredWords(scored, ReviewCount(), false);
        QVERIFY2(said.startsWith("Proposal 3, «Wide loads»: accepted. On this device not exercised: "
                                 "kernels/a.cu"),
                 qPrintable(said));
    }

    void saysWhatWasFasterOnlyWhereItIsCertain() {
        const SharedTree sure = treeOf({passed(10000, 2), passed(20000, 1)});
        const QString words = standingWords(2, sure->records[1].latest, *sure);
        QVERIFY2(words.contains("Faster was iteration 1: 10.00 ± 0.10 ms"), qPrintable(words));
        const SharedTree unsure = treeOf({passed(10000, 2), passed(11000, 1.9)});
        QVERIFY(!standingWords(2, unsure->records[1].latest, *unsure).contains("Faster"));
    }

    void callsNoneFasterThatTookLonger() {
        EvaluationSummary earlier = passed(3370, 5.72);
        earlier.candidate = ArmTiming{3370, 2600, 4140, 8, true};
        EvaluationSummary now = passed(3160, 4.4);
        now.candidate = ArmTiming{3160, 2610, 3710, 8, true};
        const SharedTree tree = treeOf({passed(112850, 0.2), earlier, now});
        QCOMPARE(tree->best, 3);
        const QString words = standingWords(3, tree->records[2].latest, *tree);
        QVERIFY2(!words.contains("Faster") && words.contains("Iterations 2 and 3 are not told apart"),
                 qPrintable(words));
        // The machine was slower at the check of the faster one: then it is said by what it is faster.
        const SharedTree slower = treeOf({passed(10000, 5), passed(8000, 2)});
        const QString why = standingWords(2, slower->records[1].latest, *slower);
        QVERIFY2(why.contains("Faster was iteration 1") && why.contains("though its time is the longer one"),
                 qPrintable(why));
    }

    void saysWhatBecameOfAStep() {
        ScoredProposal scored;
        scored.proposal = QStringLiteral("p3");
        scored.title = QStringLiteral("Wide loads");
        scored.iteration = 4;
        scored.outcome = QStringLiteral("accepted");
        QCOMPARE(scoredWords(scored, {}, true),
                 QStringLiteral("Proposal 3, «Wide loads», is applied as iteration 4. Keep it, branch, or "
                                "revert it."));
        QCOMPARE(scoredWords(scored, {}, false), QStringLiteral("Proposal 3, «Wide loads»: accepted."));
        QCOMPARE(scoredWords(scored, {0, 0, 3, 0, 0}, false),
                 QStringLiteral("Proposal 3, «Wide loads»: accepted."));
        QCOMPARE(scoredWords(scored, {0, 0, 1, 2, 1}, false),
                 QStringLiteral("Proposal 3, «Wide loads»: 4 hunks: 1 accepted, 1 edited, 2 rejected."));
        QCOMPARE(stepWords(3, StepAnswer::Keep, 4), QStringLiteral("Proposal 3 is kept."));
        QVERIFY(stepWords(3, StepAnswer::Undo, 2).contains("the text is iteration 2 again"));
        QVERIFY(stepWords(3, StepAnswer::Branch, 2).contains("branch"));
    }
};

QObject *makeTestRunWords() {
    return new TestRunWords;
}

#include "tst_run_words.moc"
