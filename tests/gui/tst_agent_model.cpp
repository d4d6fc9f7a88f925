// SPDX-License-Identifier: GPL-3.0-or-later
// An agent that thinks, streams and calls tools, as a language model does: what the window shows of it.
#include "app/ide/agent/agent_event_model.h"
#include "app/ide/agent/message_list.h"
#include "app/ide/layout/budget_meters.h"
#include "app/ide/shell/bench/event_meter.h"
#include "tests/gui/model_world.h"
#include "tests/toolchain/run_test_classes.h"

#include <QScrollBar>
#include <QTest>
#include <QTimer>

using namespace warpwright;

class TestAgentModel : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { NEED_TOOL(!CliWorld::python().isEmpty(), "a Python environment with torch"); }

    void whatItThinksIsFolded() {
        ModelWorld world;
        QVERIFY(world.beginModel());
        emit world.model->thoughtDelta(QStringLiteral("t1"), QStringLiteral("The row"));
        QCOMPARE(world.last().author, QStringLiteral("qwen"));
        QCOMPARE(world.last().thought, QStringLiteral("thinks…"));
        QVERIFY(world.last().text.isEmpty());
        for (int line = 0; line < 100; ++line)
            emit world.model->thoughtDelta(QStringLiteral("t1"), QStringLiteral(" is read\n"));
        QTRY_COMPARE(world.last().thinking.count(u'\n'), 100);
        // It is one line, and a key shows what it was.
        MessageList &list = world.list();
        QTest::qWait(60);
        const int folded = list.verticalScrollBar()->maximum();
        list.setFocus(Qt::TabFocusReason);
        QTest::keyClick(&list, Qt::Key_End);
        QTest::keyClick(&list, Qt::Key_Return);
        QVERIFY(list.verticalScrollBar()->maximum() > folded + 500);
        QTest::keyClick(&list, Qt::Key_Return);
        QCOMPARE(list.verticalScrollBar()->maximum(), folded);
        // With its first word it no longer thinks.
        emit world.model->messageDelta(QStringLiteral("t1"), QStringLiteral("Three passes become"));
        emit world.model->messageDelta(QStringLiteral("t1"), QStringLiteral(" one."));
        QTRY_COMPARE(world.last().text, QStringLiteral("Three passes become one."));
        QVERIFY2(world.last().thought.startsWith(QStringLiteral("thought for ")),
                 qPrintable(world.last().thought));
        emit world.model->message({AgentMessage::Role::Agent, QStringLiteral("t1"),
                                   QStringLiteral("Three passes become **one**."), false,
                                   QStringLiteral("The row is read thrice.")});
        QCOMPARE(world.last().text, QStringLiteral("Three passes become **one**."));
        QCOMPARE(world.last().thinking, QStringLiteral("The row is read thrice."));
        // What the run says to the model is not the model's.
        emit world.model->message({AgentMessage::Role::System, QStringLiteral("s1"),
                                   QStringLiteral("Nothing was called. Submit, or go on."), false});
        QCOMPARE(world.last().author, QStringLiteral("run"));
        // Cut by a stop: it says so, and no thought goes on.
        emit world.model->thoughtDelta(QStringLiteral("t2"), QStringLiteral("Next"));
        QVERIFY(world.stop());
        for (int row = 0; row < world.events().rowCount(); ++row)
            QVERIFY(world.events().event(row).thought != QStringLiteral("thinks…"));
    }

    void anAnswerThatWasCutIsNotShownTwice() {
        ModelWorld world;
        QVERIFY(world.beginModel());
        emit world.model->thoughtDelta(QStringLiteral("t1"), QStringLiteral("Hm."));
        emit world.model->messageDelta(QStringLiteral("t1"), QStringLiteral("Three passes bec"));
        QTRY_COMPARE(world.last().text, QStringLiteral("Three passes bec"));
        const int rows = world.events().rowCount();
        emit world.model->messageGivenUp(QStringLiteral("t1"));
        QTRY_COMPARE(world.last().text, QStringLiteral("Cut off, and asked again."));
        QVERIFY(world.last().thinking.isEmpty());
        emit world.model->messageDelta(QStringLiteral("t1"), QStringLiteral("Three passes become one."));
        QTRY_COMPARE(world.last().text, QStringLiteral("Three passes become one."));
        QCOMPARE(world.events().rowCount(), rows);
    }

    void toolsSayWhatTheyDo() {
        ModelWorld world;
        QVERIFY(world.beginModel());
        emit world.model->thoughtDelta(QStringLiteral("t1"), QStringLiteral("First I compile it."));
        const int thought = world.events().rowCount() - 1;
        ToolCall call = ModelWorld::bash(QStringLiteral("c1"));
        emit world.model->toolBegan(call);
        QVERIFY(world.events().event(thought).thought.startsWith(QStringLiteral("thought for ")));
        QCOMPARE(world.last().name, QStringLiteral("bash"));
        QCOMPARE(world.last().about, QStringLiteral("bash utils/compile.sh"));
        QCOMPARE(world.last().outcome, AgentEvent::Running);
        emit world.model->toolProgressed(QStringLiteral("c1"), QStringLiteral("block 12"), 12, 40);
        QCOMPARE(world.last().result, QStringLiteral("block 12, 12 of 40"));
        call.outcome = QStringLiteral("ok");
        call.seconds = 1.8;
        call.result = QStringLiteral("2 warnings");
        emit world.model->toolEnded(call);
        QCOMPARE(world.last().outcome, AgentEvent::Succeeded);
        QVERIFY(world.last().text.contains(QStringLiteral("cat build.log")));
        QVERIFY(world.last().text.endsWith(QStringLiteral("2 warnings")));
        ToolCall edit;
        edit.id = QStringLiteral("c2");
        edit.name = QStringLiteral("edit");
        edit.arguments = {{"path", "kernels/gate.cpp"},
                          {"edits", Json::array({{{"old", "int a;"}, {"new", "long a;\nlong b;"}}})}};
        edit.outcome = QStringLiteral("denied");
        edit.result = QStringLiteral("read it first");
        emit world.model->toolBegan(edit);
        emit world.model->toolEnded(edit);
        QCOMPARE(world.last().about, QStringLiteral("kernels/gate.cpp"));
        QCOMPARE(world.last().outcome, AgentEvent::Denied);
        QVERIFY2(world.last().text.contains(QStringLiteral("- int a;\n+ long a;\n+ long b;")),
                 qPrintable(world.last().text));
        // Two megabytes of an argument are no line, and no minute.
        ToolCall huge;
        huge.id = QStringLiteral("c3");
        huge.name = QStringLiteral("write");
        huge.arguments = {{"content", std::string(2'000'000, 'x')}, {"path", "kernels/gate.cpp"}};
        emit world.model->toolBegan(huge);
        QVERIFY(world.last().text.size() < 20'000);
        QVERIFY(world.last().text.contains(QStringLiteral("in the record of the run")));
        // What nobody has ended is stopped with the run.
        QVERIFY(world.stop());
        const AgentEvent *left = nullptr;
        for (int row = 0; row < world.events().rowCount(); ++row)
            if (world.events().event(row).name == QLatin1String("write"))
                left = &world.events().event(row);
        QVERIFY(left != nullptr);
        QCOMPARE(left->outcome, AgentEvent::Cancelled);
    }

    void whatItWaitsForIsOneQuietLine() {
        ModelWorld world;
        QVERIFY(world.beginModel());
        auto *note = world.window.find<QWidget>("agentNote");
        QVERIFY(!note->isVisible());
        emit world.model->noted(QStringLiteral("busy; tries again in 12 s"));
        QTRY_COMPARE(note->accessibleName(), QStringLiteral("busy; tries again in 12 s"));
        QVERIFY(note->isVisible());
        QCOMPARE(world.agent().work()->step, QStringLiteral("busy; tries again in 12 s"));
        const int height = world.list().height();
        emit world.model->noted({});
        QTRY_VERIFY(note->accessibleName().isEmpty());
        QVERIFY(note->isVisible()); // nothing jumps
        QCOMPARE(world.list().height(), height);
        QVERIFY(world.stop());
        QTRY_VERIFY(!note->isVisible());
    }

    void metersShowTokensCostAndContext() {
        ModelWorld world;
        QVERIFY(world.beginModel());
        const auto says = [&](const char *words) {
            QString said = world.window.find<BudgetMeters>("budgetMeters")->accessibleName();
            said.replace(QChar(0xa0), u' ');
            return said.contains(QString::fromUtf8(words));
        };
        QVERIFY(!says("context"));
        AgentUsage usage;
        usage.tokensIn = 81'000;
        usage.tokensCached = 60'000;
        usage.tokensOut = 3'000;
        usage.cost = 0.12;
        usage.currency = QStringLiteral("USD");
        usage.contextTokens = 81'000;
        usage.contextLimit = 128'000;
        emit world.model->used(usage);
        QTRY_VERIFY(says("context: 81 k of 128 k, 63 %"));
        QVERIFY(says("tokens: 84 k"));
        QVERIFY(says("81 k in, 3 k out; 60 k of those in came from the cache"));
        QVERIFY(says("cost in $: 0.12"));
        usage.isEstimated = true;
        usage.contextTokens = 110'000;
        emit world.model->used(usage);
        QTRY_VERIFY(says("cost in $: ≈0.24"));
        QVERIFY(says("context: 110 k of 128 k, 86 %"));
        QVERIFY(world.stop());
    }

    void metersNearTheirLimitsSaySo() {
        ModelWorld world;
        RunBudgets budgets;
        budgets.iterations = 8;
        budgets.minutes = 30;
        budgets.tokens = 1'000'000;
        budgets.cost = 5;
        QVERIFY(world.beginModel(SessionMode::Review, budgets));
        AgentUsage usage;
        usage.tokensIn = 930'000;
        usage.tokensCached = 610'000;
        usage.tokensOut = 38'000;
        usage.cost = 4.81;
        usage.currency = QStringLiteral("USD");
        usage.contextTokens = 121'000;
        usage.contextLimit = 128'000;
        emit world.model->used(usage);
        QString said;
        const auto says = [&](const char *words) {
            said = world.window.find<BudgetMeters>("budgetMeters")->accessibleName();
            said.replace(QChar(0xa0), u' ');
            return said.contains(QString::fromUtf8(words));
        };
        QTRY_VERIFY2(says("context: 121 k of 128 k, 95 %"), qPrintable(said));
        QVERIFY2(says("tokens: 0.97/1 M"), qPrintable(said));
        takePictures(world.window, "meters");
        // One more call, and it is over: the run ends, and says by what.
        usage.tokensIn = 40'000;
        emit world.model->used(usage);
        QTRY_VERIFY_WITH_TIMEOUT(!world.agent().isRunning(), 30'000);
        QVERIFY2(world.said().contains(QStringLiteral("token"), Qt::CaseInsensitive),
                 qPrintable(world.said()));
        takePictures(world.window, "meters-over");
    }

    void itsProposalIsReviewedAsAnyOther() {
        ModelWorld world;
        QVERIFY(world.beginModel());
        emit world.model->noted(QStringLiteral("qwen thinks"));
        emit world.model->thoughtDelta(
            QStringLiteral("t1"), QStringLiteral("The gate is read twice: once for the sum, once for the "
                                                 "product. Fusing both loops halves the traffic."));
        emit world.model->messageDelta(
            QStringLiteral("t1"),
            QStringLiteral("The gate is read **twice**. I fuse both loops and check that it still "
                           "compiles:\n\n```cpp\nfor (int row = 0; row < rows; ++row)\n```\n"));
        ToolCall call = ModelWorld::bash(QStringLiteral("c1"));
        call.outcome = QStringLiteral("ok");
        call.seconds = 1.8;
        call.result = QStringLiteral("2 warnings");
        emit world.model->toolBegan(call);
        emit world.model->toolEnded(call);
        ToolCall profile;
        profile.id = QStringLiteral("c2");
        profile.name = QStringLiteral("profile");
        emit world.model->toolBegan(profile);
        emit world.model->toolProgressed(QStringLiteral("c2"), QStringLiteral("block 12"), 12, 40);
        AgentUsage usage;
        usage.tokensIn = 104'000;
        usage.tokensOut = 2'500;
        usage.cost = 0.12;
        usage.currency = QStringLiteral("USD");
        usage.isEstimated = true;
        usage.contextTokens = 104'000;
        usage.contextLimit = 128'000;
        emit world.model->used(usage);
        QTest::qWait(100);
        takePictures(world.window, "model-works");
        profile.outcome = QStringLiteral("ok");
        profile.seconds = 2.9;
        emit world.model->toolEnded(profile);
        emit world.model->noted({});
        world.model->submit(
            QByteArray(world.base).replace("#include <cmath>", "#include <cmath>\n// one pass"));
        QVERIFY(world.waitsForReview());
        QCOMPARE(world.session()->review()->proposal().author.kind, AuthorKind::Model);
        QVERIFY(world.isMeasured());
        takePictures(world.window, "model-proposal");
        QVERIFY(world.stop());
    }

    // 200 words a second for four seconds, into a message that is long already.
    void aStreamCostsNoEventMuch() {
        ModelWorld world;
        QVERIFY(world.beginModel());
        const QString id = QStringLiteral("t1");
        QString before;
        for (int part = 0; part < 40; ++part)
            before += QStringLiteral("Paragraph %1 says **something** of `expf` and of rows that are read "
                                     "once more than they have to be.\n\n```cpp\nfloat m = -INFINITY;\n"
                                     "for (int i = 0; i < n; ++i)\n  m = fmaxf(m, x[i]);\n```\n\n")
                          .arg(part);
        emit world.model->messageDelta(id, before);
        QTest::qWait(300);
        auto *meter = static_cast<EventMeter *>(qApp);
        meter->beginPhase(QStringLiteral("stream"));
        int words = 0;
        QTimer stream;
        connect(&stream, &QTimer::timeout, this, [&] {
            const bool isThought = words >= 400;
            const QString piece = words % 12 == 11 ? QStringLiteral(".\n\n") : QStringLiteral(" token");
            if (isThought)
                emit world.model->thoughtDelta(QStringLiteral("t2"), piece);
            else
                emit world.model->messageDelta(id, piece);
            emit world.model->noted(QStringLiteral("writes edit, %1 bytes").arg(words));
            if (++words == 800)
                stream.stop();
        });
        stream.start(5);
        QTRY_VERIFY_WITH_TIMEOUT(words == 800, 20'000);
        QTest::qWait(100);
        meter->beginPhase({});
        const EventMeter::Worst cost = meter->phases().value(QStringLiteral("stream"));
        qInfo("%lld events, the worst %.1f ms: %s", cost.events, cost.ms, qPrintable(cost.event));
        QVERIFY(cost.events > 800);
        QVERIFY2(cost.over16ms == 0, qPrintable(cost.tooLong.join(QStringLiteral(", "))));
        QVERIFY(world.stop());
    }
};

QObject *makeTestAgentModel() {
    return new TestAgentModel;
}
#include "tst_agent_model.moc"
