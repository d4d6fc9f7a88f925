// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/acp/acp_world.h"
#include "tests/toolchain/places.h"
#include "tests/toolchain/run_test_classes.h"

#include <QProcess>
#include <QTest>

using namespace warpwright;

/// An agent made of the protocol's own package: it checks each message of ours against the schema.
class TestAcpSdk : public QObject {
    Q_OBJECT

private:
    QString m_python = qEnvironmentVariable("WARPWRIGHT_TEST_PYTHON", QStringLiteral("python3"));

    void setUp(AcpWorld &world) const {
        world.setup.profile.command = m_python;
        world.setup.profile.arguments = QStringList{sourceFolder("/tests/acp/sdk_agent.py"), "kernels/a.cu",
                                                    "line 5", "sdk {} // time -10"};
    }

private slots:
    void initTestCase() {
        NEED_TOOL(QProcess::execute(m_python, {"-c", "import acp"}) == 0,
                  "agent-client-protocol for the interpreter of WARPWRIGHT_TEST_PYTHON");
        if (!AcpWorld::hasSandbox())
            QSKIP("No sandbox can be built here: commands are not run.");
    }

    void speaksWithTheProtocolsOwnPackage() {
        AcpWorld world;
        setUp(world);
        world.goOn();
        world.answers = [](const AgentPrompt &prompt) {
            return prompt.options.front();
        };
        const AcpWorld::End end = world.ask();
        QVERIFY2(end.proposal, qPrintable(end.failed + end.done));
        QCOMPARE(end.proposal->title, QString("Changed by the package"));
        QCOMPARE(end.proposal->proposed.at("kernels/a.cu"),
                 QByteArray(world.request.texts.at("kernels/a.cu")).replace("line 5", "sdk 0 // time -10"));
        QCOMPARE(world.thoughts, QString("I think"));
        QCOMPARE(world.plan, (std::vector<PlanItem>{{"edit", "working"}}));
        QCOMPARE(world.ended.front().outcome, QString("ok"));
    }

    void worksInASession_data() {
        QTest::addColumn<int>("mode");
        QTest::addColumn<QString>("answer");
        QTest::addColumn<bool>("isTaken");
        QTest::addColumn<QString>("end");
        const auto row = [](const char *name, SessionMode mode, const char *answer, bool isTaken,
                            const char *end) {
            QTest::newRow(name) << static_cast<int>(mode) << QString(answer) << isTaken << QString(end);
        };
        row("review, accepted", SessionMode::Review, "accept", true,
            "rules is done: DONE: I know what became of it");
        row("review, rejected", SessionMode::Review, "reject", false, "rules is done: DONE: too bold");
        row("step, kept", SessionMode::Step, "keep", true, "rules is done: DONE: I know what became of it");
        row("step, undone", SessionMode::Step, "undo", false,
            "rules is done: DONE: I know what became of it");
        row("auto", SessionMode::Auto, "", true, "rules is done: DONE: I know what became of it");
    }

    // What it asks leave for is asked of the person, and each of its edits goes through the review.
    void worksInASession() {
        QFETCH(int, mode);
        QFETCH(QString, answer);
        QFETCH(bool, isTaken);
        QFETCH(QString, end);
        AcpWorld world;
        setUp(world);
        AcpAgent agent(world.setup);
        SessionSetup setup;
        setup.workspace = Workspace::open(world.request.workspace, world.scratch.folders()).value();
        setup.run = "r1";
        setup.device = "cpu";
        setup.mode = static_cast<SessionMode>(mode);
        MemoryRecorder recorder;
        Session session(setup, agent, world.measurer, recorder);
        QString ended;
        connect(&session, &Session::ended, this, [&](SessionEnd, const QString &why) { ended = why; });
        connect(&session, &Session::promptsChanged, this, [&] {
            if (session.prompts().empty())
                return;
            const AgentPrompt prompt = session.prompts().front();
            QCOMPARE(prompt.question, QString("rules asks to do this: Edit kernels/a.cu"));
            QCOMPARE(prompt.allowing, QString("Allow"));
            QVERIFY(session.answerPrompt(prompt.id, prompt.epoch, "Allow"));
        });
        connect(
            &session, &Session::stateChanged, this,
            [&](SessionState state) {
                if (state == SessionState::AwaitingReview && mode == static_cast<int>(SessionMode::Review)) {
                    const QString reason = "too bold";
                    QVERIFY((isTaken ? session.acceptRest() : session.rejectRest({}, reason)).hasValue());
                    QVERIFY(session.apply().hasValue());
                } else if (state == SessionState::Scored && mode == static_cast<int>(SessionMode::Step)) {
                    QVERIFY(session.answerStep(isTaken ? StepAnswer::Keep : StepAnswer::Undo).hasValue());
                }
            },
            Qt::QueuedConnection);
        session.start();
        QVERIFY2(QTest::qWaitFor([&ended] { return !ended.isEmpty(); }, 30'000), "it has not ended");
        QCOMPARE(ended, end);
        const QByteArray before = world.request.texts.at("kernels/a.cu");
        QByteArray after = before;
        after.replace("line 5", "sdk 0 // time -10");
        QCOMPARE(textOf(world.scratch.path("work/kernels/a.cu")), isTaken ? after : before);
        QCOMPARE(recorder.count("prompt-answered"), 1);
        QCOMPARE(stringIn(recorder.last("prompt-answered"), "by"), QString("person"));
        QCOMPARE(recorder.count("proposal"), 1);
    }
};

QObject *makeTestAcpSdk() {
    return new TestAcpSdk;
}

#include "tst_acp_sdk.moc"
