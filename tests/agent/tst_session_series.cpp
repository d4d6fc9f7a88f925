// SPDX-License-Identifier: GPL-3.0-or-later
// A series of changes in Auto: steps that the clock cannot decide, and what rested on one that was left out.
#include "tests/agent/session_world.h"

#include <QTest>

using namespace warpwright;

namespace {

const Json keeps{{"undecided", "keep"}};

QStringList answersOf(const SessionWorld &world) {
    QStringList answers;
    for (const auto &[kind, body] : world.recorder.events)
        if (kind == QLatin1String("policy"))
            answers << stringIn(body, "answer") + QStringLiteral(": ") + stringIn(body, "why");
    return answers;
}

int measuredLonger(const SessionWorld &world) {
    int count = 0;
    for (const Measurement &asked : world.measurer.asked)
        count += asked.longerSeconds > 0 ? 1 : 0;
    return count;
}

void runToItsEnd(SessionWorld &world) {
    world.open(SessionMode::Auto);
    world.session->start();
    QTRY_VERIFY(world.end.has_value());
    QCOMPARE(world.end->first, SessionEnd::Done);
}

} // namespace

class TestSessionSeries : public QObject {
    Q_OBJECT
private slots:
    void anUndecidedStepIsMeasuredLongerAndKeptWhereItSaysSo_data() {
        QTest::addColumn<QByteArray>("line");
        QTest::newRow("within the interval") << QByteArray("// time -1\n");
        QTest::newRow("inconclusive") << QByteArray("// unsure\n");
    }
    void anUndecidedStepIsMeasuredLongerAndKeptWhereItSaysSo() {
        QFETCH(const QByteArray, line);
        SessionWorld world;
        world.addStep({{5, line}}, keeps);
        world.addStep({{5, "// time -50\n"}}, keeps); // in the same line: it rests on the one before
        runToItsEnd(world);
        QCOMPARE(world.onDisk(), SessionWorld::kernel({{5, "// time -50\n"}}));
        const QStringList answers = answersOf(world);
        QCOMPARE(answers.size(), 2);
        QVERIFY2(answers[0].startsWith("accept: Verified, time undecided"), qPrintable(answers[0]));
        QVERIFY2(answers[0].contains("measured longer, for up to 20 s"), qPrintable(answers[0]));
        QVERIFY2(answers[1].startsWith("accept: It is verified, and"), qPrintable(answers[1]));
        QCOMPARE(measuredLonger(world), 1);
        QCOMPARE(world.scored[0].outcome, QString("accepted"));
        QVERIFY(world.scored[0].why.startsWith("Verified, time undecided"));
    }

    void whatRestedOnAStepThatWasLeftOutSaysWhich() {
        SessionWorld world;
        world.addStep({{5, "// time -50\n"}}, keeps);
        world.addStep({{5, "// time -50.2\n"}, {6, "undecided\n"}}); // and does not ask to be kept
        world.addStep({{6, "on the second\n"}}, keeps);
        world.addStep({{6, "on the third\n"}}, keeps);
        world.addStep({{20, "// time -20\n"}}, keeps); // rests on nothing of it
        runToItsEnd(world);
        const QStringList answers = answersOf(world);
        QCOMPARE(answers.size(), 5);
        QVERIFY2(answers[1].startsWith("keep-as-branch"), qPrintable(answers[1]));
        QCOMPARE(answers[2], QString("discard: It needs step 2, which was left out."));
        QCOMPARE(answers[3], QString("discard: It needs step 2, which was left out."));
        QVERIFY2(answers[4].startsWith("accept"), qPrintable(answers[4]));
        QCOMPARE(world.onDisk(), SessionWorld::kernel({{5, "// time -50\n"}, {20, "// time -20\n"}}));
        QVERIFY(!answers.join(' ').contains("by hand"));
    }

    void ofSeveralThatWereLeftOutTheRightOneIsNamed() {
        SessionWorld world;
        world.addStep({{5, "// time 50\n"}}, keeps);
        world.addStep({{15, "// time 20\n"}}, keeps);
        world.addStep({{5, "on the first\n"}}, keeps);
        world.addStep({{15, "on the second\n"}}, keeps);
        runToItsEnd(world);
        const QStringList answers = answersOf(world);
        QCOMPARE(answers[2], QString("discard: It needs step 1, which was left out."));
        QCOMPARE(answers[3], QString("discard: It needs step 2, which was left out."));
    }

    void aSlowerStepIsNotMeasuredLonger() {
        SessionWorld world;
        world.addStep({{5, "// time 50\n"}}, keeps);
        runToItsEnd(world);
        QCOMPARE(measuredLonger(world), 0);
        QVERIFY(answersOf(world)[0].contains("and slower"));
        QCOMPARE(world.onDisk(), SessionWorld::kernel());
    }

    void aHandIsNamedOnlyWhereOneWas() {
        for (const bool isByHand : {false, true}) {
            SessionWorld world;
            world.addStep({{5, "// time -50\n"}}, keeps);
            world.addStep({{5, "// time -60\n"}}, keeps);
            world.open(SessionMode::Review);
            Session &session = *world.session;
            session.start();
            QVERIFY(world.waitFor(SessionState::AwaitingReview));
            // In Review the person takes none of it, or writes their own lines, and lets the rest go by
            // itself.
            const int hunk = session.review()->hunkIds().front();
            QVERIFY(isByHand ? session.edit(hunk, {"mine\n"}).hasValue() : session.reject(hunk).hasValue());
            QVERIFY(session.apply().hasValue());
            session.setMode(SessionMode::Auto);
            QTRY_VERIFY(world.end.has_value());
            const QString last = answersOf(world).last();
            QVERIFY2(last.contains("by hand") == isByHand, qPrintable(last));
            QVERIFY2(last.contains("needs step 1") == !isByHand, qPrintable(last));
        }
    }

    void whatWasLeftOutIsKnownInARunThatGoesOn() {
        SessionWorld world;
        world.addStep({{5, "// time 50\n"}}, keeps);
        world.addStep({{5, "// time 40\n"}}, keeps);
        world.open(SessionMode::Auto);
        QObject::connect(world.session.get(), &Session::scored, world.session.get(),
                         [&world] { world.session->stop(); });
        world.session->start();
        QTRY_VERIFY(world.end.has_value());
        QVERIFY(world.goOn());
        QTRY_VERIFY(world.end.has_value());
        QCOMPARE(answersOf(world).last(), QString("discard: It needs step 1, which was left out."));
    }

    // What is promised is said in the time that was known then, whatever is measured later.
    void aPredictionIsFixedWhenItIsMade() {
        SessionWorld world;
        world.addStep({{5, "// time -50\n"}}, {{"prediction", {{"timeRatio", 0.6}}}});
        world.open(SessionMode::Step);
        world.session->start();
        QTRY_VERIFY(world.session->stepBase() > 0);
        const Prediction &prediction = world.session->review()->proposal().prediction;
        QCOMPARE(prediction.beforeMicroseconds.value_or(0), 100.0);
        QCOMPARE(prediction.differenceMicroseconds().value_or(0), -40.0);
        QCOMPARE(predictionFromJson(world.recorder.last("proposal")["prediction"]), prediction);
        world.session->stop();
        QTRY_VERIFY(world.end.has_value());
    }
};

QObject *makeTestSessionSeries() {
    return new TestSessionSeries;
}

#include "tst_session_series.moc"
