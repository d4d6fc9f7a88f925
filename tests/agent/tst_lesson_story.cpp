// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/lessons/lesson_words.h"
#include "agent/report/reported_lesson.h"
#include "agent/review/bet_first.h"
#include "agent/review/prediction_outcome.h"
#include "tests/toolchain/places.h"
#include "tests/toolchain/scratch.h"

#include <QDir>
#include <QTest>

#include <cmath>

using namespace warpwright;

namespace {

using State = LessonStep::State;

std::vector<ScriptStep> twoSteps() {
    ScriptStep first;
    first.title = "first";
    first.taught = "one";
    ScriptStep second;
    second.title = "second";
    return {first, second};
}

Json proposal(int number, const char *title, int iteration) {
    return Json{{"proposal", "p" + std::to_string(number)},
                {"title", title},
                {"iteration", iteration},
                {"prediction", {{"timeRatio", 0.5}, {"low", 0.25}, {"high", 0.75}}},
                {"hunks", Json::array({Json{{"id", "1"}, {"file", "kernels/a.cpp"}},
                                       Json{{"id", "2"}, {"file", "kernels/a.cu"}}})}};
}

Json evaluation(const char *of, int iteration, double median, const char *verdict = "pass",
                const char *proposal = nullptr) {
    Json body{{"of", of},
              {"iteration", iteration},
              {"summary",
               {{"id", "20261129T1500" + std::to_string(static_cast<int>(median))},
                {"startedAt", "2026-11-29T15:00:00.000Z"},
                {"verdict", verdict},
                {"device", "a device"},
                {"candidate",
                 {{"median", median},
                  {"low", median - 1},
                  {"high", median + 1},
                  {"samples", 8},
                  {"live", true}}}}}};
    if (proposal != nullptr)
        body["proposal"] = proposal;
    return body;
}

Json decision(const char *proposal, const char *hunk, const char *answer) {
    return Json{{"proposal", proposal}, {"hunk", hunk}, {"answer", answer}, {"by", "person"}};
}

LessonStory begun(const char *mode = "review") {
    LessonStory story(twoSteps());
    story.take("run-began", Json{{"mode", mode}});
    story.take("evaluation", evaluation("iteration", 1, 100));
    story.take("proposal", proposal(1, "first", 1));
    return story;
}

} // namespace

class TestLessonStory : public QObject {
    Q_OBJECT

private slots:
    void beginsWithNothing() {
        const LessonStory story(twoSteps());
        QVERIFY(!story.hasBegun() && !story.hasEnded() && !story.start());
        QCOMPARE(story.at(), 1);
        QCOMPARE(placeWords(story), QString("2 steps"));
        QCOMPARE(outcomeWords(story.steps()[0]), QString());
        QCOMPARE(LessonStory().at(), 0);
    }

    void aStepWaitsAndIsDecided() {
        LessonStory story = begun();
        QVERIFY(story.hasBegun());
        QCOMPARE(story.at(), 1);
        QCOMPARE(placeWords(story), QString("step 1 of 2"));
        QVERIFY(story.steps()[0].state == State::Current);
        QCOMPARE(outcomeWords(story.steps()[0]), QString("waits for you"));
        const auto expected = story.steps()[0].expected(story.steps()[0].prediction);
        QVERIFY(expected);
        QCOMPARE(expected->medianMicroseconds, 50.0);
        QCOMPARE(expected->lowMicroseconds, 25.0);
        QCOMPARE(expected->highMicroseconds, 75.0);
        story.take("evaluation", evaluation("proposal", 1, 60, "pass", "p1"));
        story.take("decision", decision("p1", "1", "accept"));
        story.take("decision", decision("p1", "2", "accept"));
        QVERIFY(story.steps()[0].state == State::Current); // nothing is written yet
        story.take("applied", Json{{"proposal", "p1"}});
        QVERIFY(story.steps()[0].state == State::Kept);
        QVERIFY(story.steps()[0].measured && story.steps()[0].measured->isFaster());
        QCOMPARE(outcomeWords(story.steps()[0]), QString("kept, faster"));
        QCOMPARE(story.at(), 2);
        QCOMPARE(story.start()->medianMicroseconds, 100.0);
        QCOMPARE(story.device(), QString("a device"));
        QCOMPARE(measuredWords(story.steps()[0], scaleOf(story)), QString::fromUtf8("60.0 ± 1.0 µs"));
    }

    void aSharedPageTellsWhatWasDecided() {
        LessonStory story = begun();
        story.take("evaluation", evaluation("proposal", 1, 60, "pass", "p1"));
        story.take("decision", decision("p1", "1", "accept"));
        story.take("decision", decision("p1", "2", "accept"));
        story.take("applied", Json{{"proposal", "p1"}});
        Lesson lesson;
        lesson.title = "Rows";
        lesson.goals = QStringList{"to read"};
        const ReportedLesson told = reportedLesson(lesson, story);
        QCOMPARE(told.title, QString("Rows"));
        QCOMPARE(told.goals, QStringList{"to read"});
        QCOMPARE(told.place, QString("step 2 of 2"));
        QCOMPARE(told.steps.size(), std::size_t(3));
        QCOMPARE(told.steps[0].time->medianMicroseconds, 100.0);
        QVERIFY(told.steps[1].isKept && told.steps[1].outcome == "kept, faster" &&
                told.steps[1].taught == "one");
        QCOMPARE(told.steps[1].time->medianMicroseconds, 60.0);
        QVERIFY2(told.steps[1].prediction.contains("predicted"), qPrintable(told.steps[1].prediction));
        QVERIFY(told.steps[1].bet.isEmpty());
        QVERIFY(told.steps[2].outcome == "to come" && told.steps[2].taught.isEmpty() && !told.steps[2].time);
    }

    void aStopLeavesNothingTurning() {
        LessonStory story = begun();
        story.take("run-stopped", Json{{"why", "The person stopped it."}});
        QVERIFY(story.steps()[0].state == State::Stopped);
        QCOMPARE(outcomeWords(story.steps()[0]), QString("stopped here"));
        QVERIFY(story.steps()[1].state != State::Stopped);
        story.take("run-continued", Json{{"mode", "review"}});
        QVERIFY(story.steps()[0].state != State::Stopped);
        QCOMPARE(outcomeWords(story.steps()[0]), QString("waits for you"));
    }

    void whatWasKeptIsNotSaidToPass_data() {
        QTest::addColumn<QByteArray>("verdict");
        QTest::addColumn<QByteArray>("events"); // hunk answer, ...
        QTest::addColumn<QString>("words");
        const auto row = [](const char *name, const char *verdict, const char *events, const char *words) {
            QTest::newRow(name) << QByteArray(verdict) << QByteArray(events) << QString(words);
        };
        row("passed", "pass", "1 accept,2 accept", "kept, faster");
        row("inconclusive", "inconclusive", "1 accept,2 accept", "kept, time undecided");
        row("inconclusive, of which a part", "inconclusive", "1 accept,2 reject",
            "kept in part, time undecided");
        row("inconclusive, left out", "inconclusive", "1 reject,2 reject", "left out, time undecided");
        row("wrong", "wrong", "1 accept,2 accept", "kept: wrong");
        row("wrong, of which a part", "wrong", "1 accept,2 reject", "kept in part");
        row("wrong, left out", "wrong", "1 reject,2 reject", "left out: wrong");
        row("not run", "not-run", "1 accept,2 accept", "kept, not checked");
    }
    void whatWasKeptIsNotSaidToPass() {
        QFETCH(const QByteArray, verdict);
        QFETCH(const QByteArray, events);
        LessonStory story = begun();
        story.take("evaluation", evaluation("proposal", 1, 60, verdict.constData(), "p1"));
        bool isApplied = false;
        for (const QByteArray &event : events.split(',')) {
            const QByteArray answer = event.split(' ').value(1);
            story.take("decision", decision("p1", event.split(' ').value(0).constData(), answer.constData()));
            isApplied = isApplied || answer == "accept";
        }
        if (isApplied)
            story.take("applied", Json{{"proposal", "p1"}});
        QTEST(outcomeWords(story.steps()[0]), "words");
    }

    void whatBecameOfIt_data() {
        QTest::addColumn<QByteArray>("mode");
        QTest::addColumn<QByteArray>("events"); // kind answer, kind answer, ...
        QTest::addColumn<int>("state");
        const auto row = [](const char *name, const char *mode, const char *events, State state) {
            QTest::newRow(name) << QByteArray(mode) << QByteArray(events) << static_cast<int>(state);
        };
        row("one hunk rejected", "review", "1 accept,2 reject,applied", State::KeptInPart);
        row("all rejected", "review", "1 reject,2 reject", State::LeftOut);
        row("half answered", "review", "1 reject", State::Current);
        row("edited", "review", "1 edit,2 accept,applied", State::Kept);
        row("auto keeps", "auto", "policy accept,applied", State::Kept);
        row("auto discards", "auto", "policy discard", State::LeftOut);
        row("auto keeps a branch", "auto", "policy keep-as-branch", State::Branch);
        row("tried", "step", "applied", State::Current);
        row("tried and kept", "step", "applied,step keep", State::Kept);
        row("tried and undone", "step", "applied,step undo", State::LeftOut);
        row("tried, kept as a branch", "step", "applied,step branch", State::Branch);
        row("tried, and the next one came", "step", "applied,next", State::Kept);
        row("passed over", "review", "next", State::LeftOut);
        row("proposed again", "review", "1 reject,again", State::Current);
    }
    void whatBecameOfIt() {
        QFETCH(const QByteArray, mode);
        QFETCH(const QByteArray, events);
        QFETCH(const int, state);
        LessonStory story = begun(mode.constData());
        for (const QByteArray &event : events.split(',')) {
            const QByteArray kind = event.split(' ').value(0);
            const QByteArray answer = event.split(' ').value(1);
            if (kind == "applied")
                story.take("applied", Json{{"proposal", "p1"}});
            else if (kind == "next")
                story.take("proposal", proposal(2, "second", 2));
            else if (kind == "again")
                story.take("proposal", proposal(1, "first", 1));
            else if (kind == "policy" || kind == "step")
                story.take(QString::fromLatin1(kind),
                           Json{{"proposal", "p1"}, {"answer", answer.constData()}, {"why", "so"}});
            else
                story.take("decision", decision("p1", kind.constData(), answer.constData()));
        }
        QCOMPARE(static_cast<int>(story.steps()[0].state), state);
        QCOMPARE(story.steps()[0].isDecided(), state != static_cast<int>(State::Current));
    }

    void eventsOfAnotherSeriesTellNothing() {
        LessonStory story(twoSteps());
        story.take("run-began", Json{{"mode", "review"}});
        story.take("plan", Json{{"items", Json::array({Json{{"text", "other"}}, Json{{"text", "second"}}})}});
        story.take("proposal", proposal(1, "another", 1));
        story.take("decision", decision("p1", "1", "reject"));
        story.take("applied", Json());
        story.take("proposal", Json::array());
        QVERIFY(!story.hasBegun());
        QCOMPARE(story.decided(), 0);
        story.take("plan", Json{{"items", Json::array({Json{{"text", "first"}}, Json{{"text", "second"}}})}});
        QVERIFY(story.hasBegun());
    }

    // The text before was faster in its own check than beside the step. Before the result what is expected is
    // counted from the time that can be seen, then all of it from the run that decides.
    void whatIsExpectedIsCountedFromWhatItIsComparedWith() {
        LessonStory story(twoSteps());
        story.take("run-began", Json{{"mode", "review"}});
        Json before = evaluation("iteration", 1, 113000);
        before["summary"]["textHash"] = "one";
        story.take("evaluation", before);
        Json step = proposal(1, "first", 1);
        step["prediction"] = {
            {"timeRatio", 0.3}, {"low", 0.1}, {"high", 0.6}, {"beforeMicroseconds", 113000}};
        story.take("proposal", step);
        QVERIFY(std::abs(story.steps()[0].expected(story.steps()[0].prediction)->medianMicroseconds - 33900) <
                1e-6);
        QCOMPARE(hitWords(story.steps()[0]), QString());
        story.take("result-hidden", Json{{"proposal", "p1"}});
        Json after = evaluation("proposal", 1, 53500, "pass", "p1");
        after["summary"]["textHash"] = "two";
        after["summary"]["beside"] = {
            {"textHash", "one"},
            {"before", {{"median", 138000}, {"low", 130000}, {"high", 146000}, {"samples", 8}}},
            {"value", 0.395},
            {"low", 0.35},
            {"high", 0.5}};
        story.take("evaluation", after);
        story.take("bet", Json{{"proposal", "p1"},
                               {"by", "person"},
                               {"prediction", {{"timeRatio", 53.0 / 113}, {"beforeMicroseconds", 113000}}}});
        story.take("result-shown", Json{{"proposal", "p1"}});
        const LessonStep &told = story.steps()[0];
        const Prediction &bet = told.bets.at("person");
        QCOMPARE(*told.beside(), 138000.0);
        QVERIFY(std::abs(told.resulting()->medianMicroseconds - 0.395 * 138000) < 1e-6);
        QVERIFY(std::abs(told.resulting()->highMicroseconds - 0.5 * 138000) < 1e-6);
        QVERIFY(std::abs(told.expected(bet)->medianMicroseconds - 53.0 / 113 * 138000) < 1e-6);
        QVERIFY(std::abs(told.expected(told.prediction)->medianMicroseconds - 41400) < 1e-6);
        QCOMPARE(expectedWords(told, scaleOf(story)).section(' ', 0, 0).left(4), QString("41.4"));
        QVERIFY(outcomeOf(bet, *told.measured) == PredictionOutcome::Undecided);
        const QString betTold = betWords(told, "person", scaleOf(story));
        QCOMPARE(betTold, QStringLiteral("2.13× (1.94–2.37×, ±10 % granted), measured 2.53× side by side: "
                                         "undecided, for the interval is 2.00–2.86×"));
        QCOMPARE(betWords(told, "nobody", scaleOf(story)), QString());
        const QString words = hitWords(told);
        QVERIFY2(words == QStringLiteral(
                              "predicted 3.33× (1.67–10.00×), measured 2.53× side by side: hit; "
                              "predicted from 113 ms, its own check; measured side by side from 138 ms"),
                 qPrintable(words));
    }

    void whatIsKeptThoughItIsSlowerSaysSo() {
        for (const double after : {60.0, 140.0}) {
            LessonStory story = begun();
            story.take("evaluation", evaluation("proposal", 1, after, "pass", "p1"));
            story.take("decision", decision("p1", "1", "accept"));
            story.take("decision", decision("p1", "2", "accept"));
            story.take("applied", Json{{"proposal", "p1"}});
            QCOMPARE(story.steps()[0].isKeptSlower(), after > 100);
            QCOMPARE(outcomeWords(story.steps()[0]), QString(after > 100 ? "kept, slower" : "kept, faster"));
        }
    }

    void aBetIsKeptAndAHiddenResultIsNotTold() {
        LessonStory story = begun();
        story.take("result-hidden", Json{{"proposal", "p1"}});
        story.take("evaluation", evaluation("proposal", 1, 60, "pass", "p1"));
        QVERIFY(story.steps()[0].isHidden && !mayShowNumbers(story.steps()[0]));
        QCOMPARE(measuredWords(story.steps()[0], scaleOf(story)), QString());
        QCOMPARE(expectedWords(story.steps()[0], scaleOf(story)), QString());
        story.take("bet", Json{{"proposal", "p1"}, {"by", "person"}, {"prediction", {{"timeRatio", 0.8}}}});
        story.take("result-shown", Json{{"proposal", "p1"}});
        const LessonStep &step = story.steps()[0];
        QVERIFY(!step.isHidden && mayShowNumbers(step) && step.bets.count("person") == 1);
        QVERIFY(!expectedWords(step, scaleOf(story)).isEmpty());
        QCOMPARE(step.expected(step.bets.at("person"))->medianMicroseconds, 80.0);
        QVERIFY(!measuredWords(step, scaleOf(story)).isEmpty());
    }

    void whatAHiddenResultCameToIsNotSaidInWordsEither() {
        for (const bool isHidden : {true, false}) {
            LessonStory story = begun();
            if (isHidden)
                story.take("result-hidden", Json{{"proposal", "p1"}});
            story.take("evaluation", evaluation("proposal", 1, 600, "pass", "p1"));
            story.take("decision", decision("p1", "1", "reject"));
            story.take("decision", decision("p1", "2", "reject"));
            QCOMPARE(outcomeWords(story.steps()[0]), QString(isHidden ? "left out" : "left out: slower"));
        }
    }

    void aRunThatRestsSaysSoAndGoesOn() {
        LessonStory story = begun();
        QVERIFY(!story.isResting());
        story.take("run-stopped", Json{{"how", "stopped"}});
        QVERIFY(story.isResting() && story.steps()[0].state == State::Stopped);
        QVERIFY(!story.steps()[0].isDecided());
        QCOMPARE(story.at(), 1);
        QCOMPARE(outcomeWords(story.steps()[0]), QString("stopped here"));
        story.take("run-continued", Json{{"mode", "review"}});
        QVERIFY(!story.isResting() && story.steps()[0].state == State::Current);
        // Its program died: the record says nothing of it.
        story.rest();
        QVERIFY(story.isResting());
        story.take("proposal", proposal(1, "first", 1));
        QVERIFY(story.steps()[0].state == State::Current);
        story.take("run-stopped", Json{{"how", "stopped"}});
        story.take("run-continued", Json{{"mode", "review"}});
        story.take("decision", decision("p1", "1", "accept"));
        story.take("decision", decision("p1", "2", "accept"));
        story.take("applied", Json{{"proposal", "p1"}});
        QVERIFY(story.steps()[0].state == State::Kept);
    }

    void theRecordingsAreTold_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<int>("inPart");   // the step, from 1; 0: none
        QTest::addColumn<QString>("last"); // what is said of the last step
        QTest::newRow("softmax") << "softmax" << 4 << "left out";
        QTest::newRow("gemm") << "gemm" << 0 << "left out: wrong";
    }
    void theRecordingsAreTold() {
        QFETCH(const QString, name);
        QFETCH(const int, inPart);
        QFETCH(const QString, last);
        const QString resources = sourceFolder("/resources");
        const auto steps = readScriptFolder(resources + "/lessons/" + name + "/steps").value();
        // As it lies in a workspace that it was opened in.
        const Scratch scratch;
        QVERIFY(QDir().mkpath(scratch.path("state/runs/20261122")));
        QVERIFY(QFile::copy(resources + "/recordings/" + name + "/trajectory.jsonl",
                            scratch.path("state/runs/20261122/trajectory.jsonl")));
        scratch.write("state/runs/20261123/trajectory.jsonl",
                      "{\"n\":1,\"at\":\"2026-11-23T00:00:00.000Z\",\"kind\":\"run-began\"}\n");
        const LessonStory story = lessonStoryIn(scratch.path("state"), steps);
        QVERIFY(story.hasBegun() && story.hasEnded());
        QCOMPARE(story.decided(), 7);
        QCOMPARE(placeWords(story), QString("all 7 steps decided"));
        QVERIFY(story.start() && !story.device().isEmpty() && story.measuredAt().isValid());
        for (const LessonStep &step : story.steps()) {
            const QByteArray title = step.title.toUtf8();
            if (step.number == 7) {
                QVERIFY2(step.state == State::LeftOut && outcomeWords(step).startsWith(last),
                         qPrintable(outcomeWords(step)));
                continue;
            }
            QVERIFY2(step.state == (step.number == inPart ? State::KeptInPart : State::Kept), title);
            QVERIFY2(step.after && step.before && step.expected(step.prediction), title);
            // One time of a step, wherever it stands: of what was kept, not of what was proposed.
            const std::optional<ArmTiming> ofPart = timeOfPart(story, step);
            QCOMPARE(ofPart.has_value(), step.number == inPart);
            QVERIFY2(withKeptTime(story, step).after == (ofPart ? ofPart : step.after), title);
            QVERIFY2(!step.hunks.empty() && !step.taught.isEmpty(), title);
        }
        const QString promise = promiseWords(listRecordings(resources), name);
        QVERIFY2(promise.contains(story.device()) && promise.contains("each in a check of its own") &&
                     !promise.contains("as fast"),
                 qPrintable(promise));
        QCOMPARE(promiseWords(listRecordings(resources), "none"), QString());
        QVERIFY(!lessonStoryIn(scratch.path("elsewhere"), steps).hasBegun());
    }

    void saysWhichHunksRunHere_data() {
        QTest::addColumn<QStringList>("files");
        QTest::addColumn<QString>("notRun");
        QTest::addColumn<QString>("words");
        const QStringList both{"k/a.cpp", "k/a.cpp", "k/a.cpp", "k/a.cu", "k/a.cu"};
        QTest::newRow("all run") << both << QString() << QString();
        QTest::newRow("on a CPU") << both << "k/a.cu"
                                  << "Hunks 1 to 3 (k/a.cpp) run on this device. Hunks 4 and 5 (k/a.cu) are "
                                     "not run there: no number "
                                     "tells of them.";
        QTest::newRow("on a GPU") << both << "k/a.cpp"
                                  << "Hunks 4 and 5 (k/a.cu) run on this device. Hunks 1 to 3 (k/a.cpp) are "
                                     "not run there: no number "
                                     "tells of them.";
        QTest::newRow("a new kernel beside its twin")
            << QStringList{"k/a.cpp", "k/new.cu"} << "k/a.cu"
            << "Hunk 1 (k/a.cpp) runs on this device. Hunk 2 (k/new.cu) is not run there: no number tells of "
               "it.";
        QTest::newRow("nothing of it runs") << QStringList{"k/a.cu"} << "k/a.cu"
                                            << "Nothing of this runs on this device. Hunk 1 (k/a.cu) is not "
                                               "run there: no number tells of it.";
        QTest::newRow("apart") << QStringList{"k/a.cu", "k/a.cpp", "k/a.cu"} << "k/a.cu"
                               << "Hunk 2 (k/a.cpp) runs on this device. Hunks 1 and 3 (k/a.cu) are not run "
                                  "there: no number tells of them.";
    }
    void saysWhichHunksRunHere() {
        QFETCH(const QStringList, files);
        QFETCH(const QString, notRun);
        std::vector<HunkPlace> hunks;
        for (const QString &file : files)
            hunks.push_back({static_cast<int>(hunks.size()) + 1, file});
        ExercisedFiles left;
        if (!notRun.isEmpty()) {
            ExercisedFile file;
            file.file = notRun;
            file.as = notRun.endsWith(".cu") ? SourceKind::Cuda : SourceKind::Twin;
            left.push_back(file);
        }
        QTEST(hunksThatRunWords(hunks, left), "words");
    }
};

QObject *makeTestLessonStory() {
    return new TestLessonStory;
}

#include "tst_lesson_story.moc"
