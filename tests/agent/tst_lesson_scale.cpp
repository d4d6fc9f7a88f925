// SPDX-License-Identifier: GPL-3.0-or-later
// Bar, bet and verdict of a lesson's step are of one run, and what decides is said.
#include "agent/lessons/lesson_words.h"
#include "agent/review/prediction_outcome.h"

#include <QTest>

#include <cmath>

using namespace warpwright;

namespace {

Json evaluation(const char *of, double median, const char *hash) {
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
}

/// A lesson of one step, which is proposed; its start took so long in its own check.
LessonStory begunAt(double microseconds) {
    ScriptStep only;
    only.title = "first";
    LessonStory story(std::vector<ScriptStep>{only});
    story.take("run-began", Json{{"mode", "review"}});
    story.take("evaluation", evaluation("iteration", microseconds, "one"));
    story.take("proposal", Json{{"proposal", "p1"},
                                {"title", "first"},
                                {"iteration", 1},
                                {"hunks", Json::array({Json{{"id", "1"}, {"file", "kernels/a.cpp"}}})}});
    return story;
}

} // namespace

class TestLessonScale : public QObject {
    Q_OBJECT

private slots:
    // A bet of 3x: 72 ms of 215 ms then, measured beside a start of 124 ms. Its bar, its interval and the bet
    // stand on one scale, and so does what is said of them.
    void aBetIsJudgedOnTheScaleThatItIsDrawnOn() {
        LessonStory story = begunAt(215000);
        Json after = evaluation("proposal", 68000, "two");
        after["summary"]["beside"] = {
            {"textHash", "one"},
            {"before", {{"median", 124000}, {"low", 120000}, {"high", 128000}, {"samples", 8}}},
            {"value", 1 / 1.87},
            {"low", 1 / 2.0},
            {"high", 1 / 1.7}};
        story.take("bet", Json{{"proposal", "p1"},
                               {"by", "person"},
                               {"prediction", {{"timeRatio", 1.0 / 3}, {"beforeMicroseconds", 215000}}}});
        story.take("evaluation", after);
        const LessonStep &step = story.steps()[0];
        const Prediction &bet = step.bets.at("person");
        QVERIFY(outcomeOf(bet, *step.measured) == PredictionOutcome::Outside);
        QVERIFY(step.expected(bet)->medianMicroseconds * 1.1 < step.resulting()->lowMicroseconds);
        const QString words = betWords(step, "person", scaleOf(story));
        QVERIFY2(words.startsWith(QStringLiteral("3.00× (2.73–3.33×, ±10 % granted), measured 1.87× side by "
                                                 "side: outside")),
                 qPrintable(words));
        QVERIFY2(!words.contains("ms"), qPrintable(words));
        // What is hidden does not move with the base that is hidden, too.
        LessonStep hidden = step;
        hidden.isHidden = true;
        QVERIFY(!hidden.beside() && std::abs(hidden.expected(bet)->medianMicroseconds - 215000.0 / 3) < 1e-6);
    }

    void checksThatAreApartAreSaidToDecideNothing() {
        LessonStory story = begunAt(595);
        Json after = evaluation("proposal", 588, "two");
        after["summary"]["beside"] = {
            {"textHash", "one"},
            {"before", {{"median", 591.6}, {"low", 590}, {"high", 593}, {"samples", 8}}},
            {"value", 0.9954},
            {"low", 0.988},
            {"high", 1.0016}};
        story.take("evaluation", after);
        QCOMPARE(decidedWords(story.steps()[0], scaleOf(story)), QString()); // nobody has decided
        story.take("decision",
                   Json{{"proposal", "p1"}, {"hunk", "1"}, {"answer", "accept"}, {"by", "person"}});
        story.take("applied", Json{{"proposal", "p1"}});
        QCOMPARE(outcomeWords(story.steps()[0]), QString("kept, time undecided"));
        const QString words = decidedWords(story.steps()[0], scaleOf(story));
        for (const char *part : {"side by side", "1.00× as fast", "the interval holds 1.00×", "595.0 ± 1.0",
                                 "588.0 ± 1.0", "decide nothing"})
            QVERIFY2(words.contains(QString::fromUtf8(part)), qPrintable(words));
    }
};

QObject *makeTestLessonScale() {
    return new TestLessonScale;
}

#include "tst_lesson_scale.moc"
