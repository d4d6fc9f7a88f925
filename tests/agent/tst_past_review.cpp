// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/record/past_review.h"
#include "tests/agent/recorded_run.h"
#include "tests/toolchain/scratch.h"

#include <QTest>

using namespace warpwright;

namespace {

constexpr const char *file = "kernels/b.cu";

CandidateTexts numbered(const QByteArray &lines) {
    CandidateTexts texts = textSaying("0");
    texts[file] = lines;
    return texts;
}

const CandidateTexts base = numbered("one\ntwo\nthree\nfour\nfive\nsix\nseven\n");
const CandidateTexts proposed = numbered("one\nTWO\nthree\nfour\nfive\nSIX\nseven\n");

void propose(RecordedRun &run) {
    Json body = changeToJson(textChange(base, proposed));
    for (std::size_t i = 0; i < body["hunks"].size(); ++i)
        body["hunks"][i]["id"] = std::to_string(i + 1);
    body.update(Json{{"proposal", "p1"}, {"iteration", 0}, {"title", "shout"}});
    run.append("proposal", body);
}

void apply(RecordedRun &run, const CandidateTexts &before, const CandidateTexts &after) {
    Json applied = changeToJson(textChange(before, after));
    applied["proposal"] = "p1";
    run.append("applied", applied);
}

RunScenes scenesOf(RecordedRun &run) {
    run.end();
    Result<RunScenes> scenes = RunScenes::open(trajectoryFile(run.folder()));
    if (!scenes.hasValue())
        qFatal("%s", qPrintable(scenes.message()));
    return std::move(scenes).value();
}

PastReview at(RunScenes &scenes, qint64 number) {
    const Result<void> there = scenes.seek(number);
    Result<PastReview> review = pastReview(*scenes.now().proposal, scenes.texts());
    if (!there.hasValue() || !review.hasValue())
        qFatal("%s", qPrintable(there.message() + review.message()));
    return std::move(review).value();
}

} // namespace

/// Where the hunks of a past proposal stood, and how they were answered.
class TestPastReview : public QObject {
    Q_OBJECT

private slots:
    void standsInTheTextOfEachEvent() {
        const Scratch scratch;
        RecordedRun run(scratch.path("state"));
        run.begin(base);
        propose(run); // 2
        run.append("decision", {{"proposal", "p1"}, {"hunk", "2"}, {"answer", "accept"}, {"by", "person"}});
        const CandidateTexts typed = numbered("zero\none\ntwo\nthree\nfour\nfive\nsix\nseven\n");
        run.editByHand(typed); // 4
        run.append("decision", {{"proposal", "p1"},
                                {"hunk", "1"},
                                {"answer", "reject"},
                                {"by", "person"},
                                {"reason", "too loud"}});
        const CandidateTexts written = numbered("zero\none\ntwo\nthree\nfour\nfive\nSIX\nseven\n");
        apply(run, typed, written); // 6
        RunScenes scenes = scenesOf(run);
        QCOMPARE(at(scenes, 2).review.texts(), base);
        QCOMPARE(at(scenes, 3).review.texts().at(file),
                 QByteArray("one\ntwo\nthree\nfour\nfive\nSIX\nseven\n"));
        const PastReview edited = at(scenes, 4);
        QCOMPARE(edited.review.texts(), written);
        QCOMPARE(edited.review.hunk(2)->start, 6);
        const PastReview applied = at(scenes, 6);
        QCOMPARE(applied.review.texts(), scenes.texts());
        QVERIFY(applied.review.hunk(1)->state == HunkState::Rejected &&
                applied.review.hunk(2)->state == HunkState::Accepted);
        QCOMPARE(scenes.now().proposal->answerWords("1"), QString("rejected by person"));
        QCOMPARE(scenes.now().proposal->answerReason("1"), QString("too loud"));
        QCOMPARE(scenes.now().proposal->answerWords("2"), QString("accepted by person"));
    }

    void whatWasTakenBackStandsNowhere() {
        const Scratch scratch;
        RecordedRun run(scratch.path("state"));
        run.begin(base);
        propose(run);
        run.append("decision", {{"proposal", "p1"}, {"answer", "accept"}, {"by", "policy"}});
        apply(run, base, proposed); // 4
        run.append("step", {{"answer", "undo"}});
        Json restored = changeToJson(textChange(proposed, base));
        restored.update(Json{{"iteration", 0}, {"why", "undo"}});
        run.append("restored", restored); // 6
        RunScenes scenes = scenesOf(run);
        QCOMPARE(at(scenes, 4).review.texts(), proposed);
        QCOMPARE(at(scenes, 6).review.texts(), base);
        QCOMPARE(scenes.now().proposal->answerWords("1"), QString("accepted by policy, taken back"));
    }

    void aPolicyLeavesOutTheWhole() {
        const Scratch scratch;
        RecordedRun run(scratch.path("state"));
        run.begin(base);
        propose(run);
        run.append("policy", {{"proposal", "p1"}, {"answer", "discard"}, {"why", "slower"}});
        RunScenes scenes = scenesOf(run);
        QCOMPARE(at(scenes, 3).review.texts(), base);
        QCOMPARE(scenes.now().proposal->answerWords("2"), QString("left out by policy"));
        QCOMPARE(scenes.now().proposal->answerReason("2"), QString("slower"));
    }

    void placesNothingByLikeness() {
        const Scratch scratch;
        RecordedRun run(scratch.path("state"));
        run.begin(base);
        propose(run);
        run.append("proposal", {{"proposal", "p2"},
                                {"title", "of another text"},
                                {"hunks", Json::array()},
                                {"baseHash", "unknown"},
                                {"resultHash", "x"}});
        RunScenes scenes = scenesOf(run);
        QVERIFY(scenes.seek(3).hasValue());
        const Result<PastReview> review = pastReview(*scenes.now().proposal, scenes.texts());
        QVERIFY(!review.hasValue());
        QVERIFY2(review.message().contains("\"p2\"") && review.message().contains("is not recorded"),
                 qPrintable(review.message()));
    }

    // What single hunks do is known from the event that tells of it on.
    void keepsWhatWasMeasuredOfHunks() {
        const Scratch scratch;
        RecordedRun run(scratch.path("state"));
        run.begin(base);
        EvaluationSummary before;
        before.id = "20261121T201500.000Z-abcdef";
        before.verdict = Verdict::Pass;
        before.candidate = ArmTiming{100, 99, 101, 16, true};
        const auto tell = [&run](EvaluationSummary summary, Json body, const CandidateTexts &texts) {
            body["textHash"] = toJson(textHashOf(texts));
            body["evaluation"] = toJson(summary.id);
            body["summary"] = summaryToJson(summary);
            run.append("evaluation", body);
        };
        tell(before, {{"of", "iteration"}, {"iteration", 0}}, base);
        propose(run); // 3
        EvaluationSummary alone = before;
        alone.candidate = ArmTiming{80, 79, 81, 16, true};
        tell(alone, {{"of", "hunk"}, {"proposal", "p1"}, {"hunk", "2"}}, proposed); // 4
        RunScenes scenes = scenesOf(run);
        QVERIFY(scenes.seek(3).hasValue());
        QVERIFY(scenes.now().proposal->evidences.empty());
        QVERIFY(scenes.seek(4).hasValue());
        const HunkEvidence &known = scenes.now().proposal->evidences.at(2);
        QVERIFY(known.alone && known.alone->difference && !known.allBut);
        QCOMPARE(known.alone->difference->value, -20.0);
        QVERIFY(!scenes.now().proposal->after); // it is not the whole
    }
};

QObject *makeTestPastReview() {
    return new TestPastReview;
}

#include "tst_past_review.moc"
