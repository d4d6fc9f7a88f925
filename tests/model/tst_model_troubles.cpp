// SPDX-License-Identifier: GPL-3.0-or-later
// Servers that fail for a while, or have little room.
#include "agent/record/unfinished_work.h"
#include "tests/endpoints/model_server.h"
#include "tests/model/model_world.h"

#include <QSignalSpy>
#include <QTest>

using namespace warpwright;

namespace {

Json calling(const char *tool, const Json &arguments) {
    return {{"calls", Json::array({{{"name", tool}, {"arguments", arguments.dump()}}})}};
}

Json playing(const char *script) {
    return {{"play", script}};
}

/// As many turns as wanted, each of which reads another part of a long file.
Json reading(int turns) {
    Json told = Json::array();
    for (int i = 0; i < turns; ++i) {
        Json turn = calling("read", {{"path", "kernels/long.cuh"}, {"offset", 1 + 20 * i}});
        turn["usage"] = nullptr; // what the server would count of it, it does not know
        told.push_back(turn);
    }
    return told;
}

const Json done{{"text", "DONE: nothing is left"}};

/// A world whose model says what it is told to say.
struct Told {
    explicit Told(const Json &turns) : server(turns) {
        QByteArray text;
        for (int line = 0; line < 2000; ++line)
            text += "// line " + QByteArray::number(line) + " of a file that is long\n";
        world.scratch.write("work/kernels/long.cuh", text);
        setup = world.setupFor(server.profile(Dialect::OpenAiChat, "turns"));
        setup.patience.firstPauseMs = 4;
    }

    void run() {
        world.open(SessionMode::Auto, setup);
        world.session->start();
        QVERIFY(world.waitForEnd());
    }

    [[nodiscard]] int said(const char *words) const {
        int count = 0;
        for (const auto &[kind, body] : world.recorder.events)
            if (kind == QLatin1String("message") && stringIn(body, "text").contains(QLatin1String(words)))
                ++count;
        return count;
    }

    ModelServer server;
    ModelWorld world;
    ModelSetup setup;
};

} // namespace

class TestModelTroubles : public QObject {
    Q_OBJECT

private slots:
    void livesThroughFailuresOfItsServer() {
        Told told(Json::array({calling("glob", {{"pattern", "*"}}), playing("cut-character"),
                               playing("error-after-text"), playing("status-529"), playing("status-503"),
                               playing("status-500"), playing("drop"), done}));
        told.world.open(SessionMode::Auto, told.setup);
        QSignalSpy givenUp(told.world.agent.get(), &Agent::messageGivenUp);
        told.world.session->start();
        QVERIFY(told.world.waitForEnd());
        QVERIFY2(told.world.end->first == SessionEnd::Done, qPrintable(told.world.end->second));
        QVERIFY(givenUp.count() >= 5);   // a dropped connection Qt may mend by itself
        QCOMPARE(told.said("Grüße"), 0); // half an answer is none
        QVERIFY(!told.world.conversation().contains(QStringLiteral("Grüße")));
        QCOMPARE(told.world.recorder.count("usage"), 2);
    }

    void saysWhatItHadNotSubmitted() {
        const Json write = calling("write", {{"path", "kernels/new.cuh"}, {"content", "// a\n// b\n"}});
        Told told(Json::array({write, playing("status-401"), done}));
        told.run();
        QCOMPARE(told.world.end->first, SessionEnd::Failed);
        QCOMPARE(told.said("had changed this, and not proposed it yet: kernels/new.cuh (2 lines added, 0 "
                           "taken away)."),
                 1);
        const auto last = [&told] {
            std::optional<bool> unfinished;
            for (const auto &[kind, body] : told.world.recorder.events)
                if (kind == QLatin1String("agent-memory"))
                    if (const auto said = unfinishedIn(body["memory"]))
                        unfinished = said;
            return unfinished;
        };
        QCOMPARE(last(), std::optional(true));
        QVERIFY(told.world.goOn(told.setup));
        QVERIFY(told.world.waitForEnd());
        QCOMPARE(last(), std::optional(false));
    }

    void goesOnAfterAFailure_data() {
        QTest::addColumn<QString>("fault");
        for (const char *fault : {"status-401", "quota", "status-400", "html"})
            QTest::newRow(fault) << QString::fromUtf8(fault);
    }
    void goesOnAfterAFailure() {
        QFETCH(QString, fault);
        Told told(
            Json::array({calling("glob", {{"pattern", "*"}}), playing(fault.toUtf8().constData()), done}));
        told.run();
        QCOMPARE(told.world.end->first, SessionEnd::Failed);
        QCOMPARE(told.world.recorder.count("run-stopped"), 1);
        QCOMPARE(told.world.recorder.count("run-ended"), 0);
        QVERIFY(told.world.goOn(told.setup));
        QVERIFY(told.world.waitForEnd());
        QVERIFY2(told.world.end->first == SessionEnd::Done, qPrintable(told.world.end->second));
        QCOMPARE(told.world.recorder.count("run-ended"), 1);
        QCOMPARE(told.world.recorder.count("tool-call"), 1); // nothing is done twice
    }

    void worksInASmallWindow_data() {
        QTest::addColumn<int>("window");
        for (const int window : {9'000, 12'000, 20'000})
            QTest::addRow("%d tokens", window) << window;
    }
    void worksInASmallWindow() {
        QFETCH(int, window);
        Json turns = reading(14);
        turns.push_back(done);
        Told told(turns);
        told.setup.profile.contextTokens = window;
        told.setup.profile.answerTokens = window / 8;
        told.run();
        QVERIFY2(told.world.end->first == SessionEnd::Done, qPrintable(told.world.end->second));
        QVERIFY(told.said("The context was cut") > 0);
        for (const Json &asked : told.server.requests())
            QVERIFY2(dumpJson(asked["body"]).size() / 4 < window,
                     dumpJson(asked["body"]["messages"]).left(20'000));
    }

    /// The profile says more than the server has.
    void learnsHowLargeTheWindowIs() {
        Json turns = reading(9);
        for (const int at : {3, 6})
            turns.insert(turns.begin() + at, playing("overflow-12000"));
        turns.push_back(done);
        Told told(turns);
        told.setup.profile.answerTokens = 2048;
        told.run();
        QVERIFY2(told.world.end->first == SessionEnd::Done, qPrintable(told.world.end->second));
        QVERIFY(told.said("The context was cut") > 0);
    }

    void saysThatAWindowIsTooSmall() {
        Told told(Json::array({done}));
        told.setup.profile.contextTokens = 4096;
        told.setup.profile.answerTokens = 512;
        told.run();
        QCOMPARE(told.world.end->first, SessionEnd::Failed);
        QVERIFY2(told.world.end->second.contains("it has 4,096 tokens, and "),
                 qPrintable(told.world.end->second));
        QVERIFY(told.server.requests().empty());
    }

    void saysOnceThatAServerCutsSilently() {
        Json turns = Json::array();
        for (Json turn : reading(4)) {
            turn["usage"] = {{"in", 2048}, {"cached", 0}, {"stored", 0}, {"out", 5}};
            turns.push_back(turn);
        }
        turns.push_back(done);
        Told told(turns);
        told.run();
        QCOMPARE(told.said("counted 2,048 tokens where about"), 1);
    }

    void isNotDoneWhileItThinks() {
        Told told(Json::array({{{"text", "<think>\nDONE? Not yet.\n</think>\nI go on."}},
                               calling("glob", {{"pattern", "*"}}),
                               done}));
        told.run();
        QCOMPARE(told.world.recorder.count("tool-call"), 1);
        QVERIFY2(told.world.end->second.contains("nothing is left"), qPrintable(told.world.end->second));
    }
};

QObject *makeTestModelTroubles() {
    return new TestModelTroubles;
}

#include "tst_model_troubles.moc"
