// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/model/model_world.h"
#include "tests/toolchain/row_share.h"

#include <QSignalSpy>
#include <QTest>

using namespace warpwright;

namespace {

void addIdeas(ModelWorld &world) {
    world.addIdea("Wide loads", {{5, "float4 fast; // time -20\n"}, {20, "float x; // time -1\n"}});
    world.addIdea("Unroll", {{10, "fast unrolled; // time -10\n"}});
    world.addIdea("One pass", {{30, "one pass; // time -15\n"}, {36, "slower; // time 40\n"}});
}

} // namespace

class TestModelRun : public QObject {
    Q_OBJECT

private slots:
    void tunesByItself_data() {
        QTest::addColumn<int>("dialect");
        QTest::newRow("chat completions") << static_cast<int>(Dialect::OpenAiChat);
        QTest::newRow("responses") << static_cast<int>(Dialect::OpenAiResponses);
        QTest::newRow("messages") << static_cast<int>(Dialect::Anthropic);
    }
    void tunesByItself() {
        QFETCH(int, dialect);
        ModelWorld world;
        addIdeas(world);
        world.openServer();
        world.open(SessionMode::Auto, world.setup(static_cast<Dialect>(dialect)));
        QSignalSpy deltas(world.agent.get(), &Agent::messageDelta);
        QSignalSpy thoughts(world.agent.get(), &Agent::thoughtDelta);
        world.session->start();
        QVERIFY(world.waitForEnd());
        QVERIFY2(world.end->first == SessionEnd::Done, qPrintable(world.end->second));
        QVERIFY2(world.end->second.contains("DONE"), qPrintable(world.end->second));
        QCOMPARE(world.troubles.size(), std::size_t(0));
        QCOMPARE(world.recorder.count("proposal"), 3);
        QCOMPARE(world.scored.size(), std::size_t(3));
        QCOMPARE(world.scored[0].outcome, "accepted");
        QCOMPARE(world.scored[1].outcome, "accepted");
        QVERIFY(world.scored[2].outcome != "accepted"); // it makes it slower
        QVERIFY(world.onDisk().contains("float4 fast"));
        QVERIFY(world.onDisk().contains("fast unrolled"));
        QVERIFY(!world.onDisk().contains("one pass"));
        QVERIFY(world.recorder.count("tool-call") >= 25);
        QVERIFY(deltas.count() > world.recorder.count("tool-call"));
        QVERIFY(thoughts.count() > 0);
        QVERIFY(!world.server->told().contains("refused"));
        // What the endpoint counts, with what came from its cache.
        const RunMeter &meter = world.session->meter();
        QVERIFY(meter.tokensIn > 1000 && meter.tokensOut > 100);
        QVERIFY(meter.tokensCached > 0 && meter.tokensCached < meter.tokensIn);
        QVERIFY(meter.cost > 0);
        QVERIFY(!meter.isEstimated || meter.currency == "USD");
        QVERIFY(meter.contextTokens.value_or(0) > 0);
    }

    void isToldOfTheWorkspacesOwnWords_data() {
        QTest::addColumn<QByteArray>("skill");
        QTest::addColumn<QString>("remark");
        QTest::newRow("its own") << QByteArray("# Mine\nalways-float4\n")
                                 << "The workspace's own SKILL.md is the skill of this run.";
        QTest::newRow("an empty one")
            << QByteArray()
            << "The workspace's own SKILL.md is empty, and is not read: the built-in skill is used.";
    }
    void isToldOfTheWorkspacesOwnWords() {
        QFETCH(QByteArray, skill);
        QFETCH(QString, remark);
        ModelWorld world;
        world.scratch.write("work/SKILL.md", skill);
        world.scratch.write("work/AGENTS.md", "marked-rule: use tabs\n");
        world.openServer();
        world.open(SessionMode::Auto, world.setup());
        world.session->start();
        QVERIFY(world.waitForEnd());
        QStringList remarks;
        for (const auto &[kind, body] : world.recorder.events)
            if (kind == QLatin1String("message"))
                remarks << stringIn(body, "text");
        QVERIFY2(remarks.contains(remark), qPrintable(remarks.join('\n')));
        const QString told = world.conversation();
        QCOMPARE(told.contains("always-float4"), !skill.isEmpty());
        QVERIFY(told.contains("marked-rule: use tabs"));
        QVERIFY(told.contains("Not allowed in the candidate"));
        QVERIFY(told.contains("The tool `skill` gives these pages by their names: SKILL.md, "));
    }

    void hearsWhatWasRejected() {
        ModelWorld world;
        addIdeas(world);
        world.openServer();
        world.open(SessionMode::Review, world.setup());
        world.session->setMessages({"Leave line 20 alone."});
        world.session->start();
        bool isFirst = true;
        while (!world.end) {
            QVERIFY(QTest::qWaitFor(
                [&] { return world.end || world.session->state() == SessionState::AwaitingReview; }, 30'000));
            if (world.end)
                break;
            const ProposalReview &review = *world.session->review();
            if (isFirst) {
                QCOMPARE(review.hunkIds().size(), std::size_t(2));
                QVERIFY(
                    world.session->reject(review.hunkIds()[1], "that line is measured elsewhere").hasValue());
                isFirst = false;
            }
            QVERIFY(world.session->acceptRest().hasValue());
            QVERIFY(world.session->apply().hasValue());
        }
        QVERIFY2(world.end->first == SessionEnd::Done, qPrintable(world.end->second));
        QVERIFY(world.onDisk().contains("float4 fast"));
        QVERIFY(!world.onDisk().contains("time -1\n"));
        QVERIFY(world.conversation().contains("REJECTED, because: that line is measured elsewhere"));
        QVERIFY(world.conversation().contains("The person writes: Leave line 20 alone."));
        QVERIFY(world.conversation().contains("What was rejected I leave as it is."));
    }

    void hearsAPersonWhileItWorks() {
        ModelWorld world;
        addIdeas(world);
        world.openServer();
        world.open(SessionMode::Auto, world.setup());
        QSignalSpy read(world.session.get(), &Session::messagesRead);
        world.session->start();
        QVERIFY(QTest::qWaitFor([&] { return world.recorder.count("tool-call") == 2; }, 30'000));
        world.session->setMessages({"Keep the loop over rows."});
        QVERIFY(QTest::qWaitFor([&] { return read.count() == 1; }, 10'000));
        QCOMPARE(world.recorder.count("proposal"), 0); // with its next turn, not with the next proposal
        QVERIFY(world.session->messages().isEmpty());
        QVERIFY(world.waitForEnd());
        QCOMPARE(world.conversation().count("The person writes: Keep the loop over rows."), 1);
    }

    void isNotDoneBeforeItHasReadAll() {
        ModelWorld world;
        world.openServer();
        world.open(SessionMode::Auto, world.setup());
        QString said;
        QObject::connect(world.agent.get(), &Agent::messageDelta, world.session.get(),
                         [&](const QString &, const QString &piece) {
                             const bool wasSaid = said.contains("DONE");
                             said += piece;
                             if (!wasSaid && said.contains("DONE"))
                                 world.session->setMessages({"One more thing."});
                         });
        world.session->start();
        QVERIFY(world.waitForEnd());
        QVERIFY2(world.end->first == SessionEnd::Done, qPrintable(world.end->second));
        QVERIFY(world.session->messages().isEmpty());
        QCOMPARE(world.conversation().count("The person writes: One more thing."), 1);
    }

    void goesOnAfterAKill_data() {
        QTest::addColumn<QString>("kind");
        QTest::addColumn<int>("count");
        QTest::addColumn<int>("dialect");
        const auto add = [](const char *kind, int count, Dialect dialect) {
            QTest::addRow("%s %d, %s", kind, count, qPrintable(dialectName(dialect)))
                << QString::fromUtf8(kind) << count << static_cast<int>(dialect);
        };
        for (const int count : {1, 4, 8, 9, 12, 13, 14})
            add("tool-call", count, Dialect::OpenAiChat);
        for (const Dialect dialect : {Dialect::OpenAiResponses, Dialect::Anthropic}) {
            add("tool-call", 9, dialect);
            add("proposal", 1, dialect);
        }
        for (const int count : {1, 2, 3})
            add("proposal", count, Dialect::OpenAiChat);
        for (const int count : {1, 2})
            add("applied", count, Dialect::OpenAiChat);
        for (const int count : {1, 2, 5, 20, 30, 50})
            add("agent-memory", count, Dialect::OpenAiChat);
        add("usage", 10, Dialect::OpenAiChat);
    }
    void goesOnAfterAKill() {
        TAKE_TURNS(3);
        QFETCH(QString, kind);
        QFETCH(int, count);
        QFETCH(int, dialect);
        ModelWorld world;
        addIdeas(world);
        world.openServer();
        world.open(SessionMode::Auto, world.setup(static_cast<Dialect>(dialect)));
        world.session->start();
        QVERIFY(QTest::qWaitFor([&] { return world.end || world.recorder.count(kind) >= count; }, 30'000));
        QVERIFY2(!world.end, "it ended before");
        QVERIFY(world.goOn(world.setup(static_cast<Dialect>(dialect))));
        QVERIFY(world.waitForEnd());
        QVERIFY2(world.end->first == SessionEnd::Done, qPrintable(world.end->second));
        QVERIFY2(world.end->second.contains("DONE"), qPrintable(world.end->second));
        QVERIFY(world.onDisk().contains("float4 fast"));
        QVERIFY(world.onDisk().contains("fast unrolled"));
        QVERIFY(!world.onDisk().contains("one pass"));
        QVERIFY2(!world.server->told().contains("refused"), qPrintable(world.server->told()));
    }

    void stopsAtOnce() {
        ModelWorld world;
        addIdeas(world);
        world.openServer({"--pace", "20"}); // so that it streams for a while
        world.open(SessionMode::Auto, world.setup());
        QSignalSpy deltas(world.agent.get(), &Agent::messageDelta);
        world.session->start();
        QVERIFY(QTest::qWaitFor([&] { return deltas.count() > 0; }, 30'000));
        QElapsedTimer clock;
        clock.start();
        world.session->stop();
        QVERIFY(world.waitForEnd(10'000));
        QVERIFY2(clock.elapsed() < 1000, qPrintable(QString::number(clock.elapsed())));
        QVERIFY(world.end->first == SessionEnd::Stopped);
        QVERIFY(world.recorder.last("message")["isPartial"].get<bool>());
    }

    void endsByItsBudgets_data() {
        QTest::addColumn<QString>("budget");
        for (const char *budget : {"tokens", "cost", "iterations", "turns"})
            QTest::newRow(budget) << QString::fromUtf8(budget);
    }
    void endsByItsBudgets() {
        QFETCH(QString, budget);
        ModelWorld world;
        addIdeas(world);
        world.openServer();
        RunBudgets budgets;
        ModelSetup setup = world.setup();
        if (budget == "tokens")
            budgets.tokens = 50'000;
        else if (budget == "cost")
            budgets.cost = 0.05;
        else if (budget == "iterations")
            budgets.iterations = 1;
        else
            setup.limits.turns = 5;
        world.open(SessionMode::Auto, setup, budgets);
        world.session->start();
        QVERIFY(world.waitForEnd());
        if (budget == "turns") {
            QVERIFY(world.end->second.contains("5 times"));
            QCOMPARE(world.recorder.count("usage"), 5);
        } else {
            QVERIFY2(world.end->first == SessionEnd::Budget, qPrintable(world.end->second));
            QVERIFY(world.recorder.last("budget-reached")["budget"] == toJson(budget));
        }
        QVERIFY(world.recorder.count("usage") < 30);
    }

    void cutsItsContextAndGoesOn() {
        ModelWorld world;
        for (int i = 0; i < 8; ++i)
            world.addIdea(QStringLiteral("Idea %1").arg(i),
                          {{2 + 4 * i, "float fast; // time -" + QByteArray::number(10 - i) + '\n'}});
        world.openServer();
        ModelSetup setup = world.setup(Dialect::Anthropic);
        setup.profile.contextTokens = 16'000;
        setup.profile.answerTokens = 2'000;
        world.open(SessionMode::Auto, setup);
        world.session->start();
        QVERIFY(world.waitForEnd());
        QVERIFY2(world.end->first == SessionEnd::Done, qPrintable(world.end->second));
        QVERIFY2(world.end->second.contains("DONE"), qPrintable(world.end->second));
        QVERIFY(world.conversation().contains("leftOut"));
        QCOMPARE(world.recorder.count("proposal"), 8);
        QVERIFY(!world.server->told().contains("refused"));
        QVERIFY(world.session->meter().contextTokens.value_or(99'999) <= 16'000);
    }
};

QObject *makeTestModelRun() {
    return new TestModelRun;
}

#include "tst_model_run.moc"
