// SPDX-License-Identifier: GPL-3.0-or-later
// Stop in every state, prompts, what a full disk and a second writer mean, and thirty iterations in each
// mode.
#include "tests/agent/session_world.h"

#include <QTest>
#include <QThreadPool>
#include <QTimer>

using namespace warpwright;

namespace {

/// Thirty steps, each in other lines than the two before it.
void addThirtySteps(SessionWorld &world) {
    for (int step = 0; step < 30; ++step) {
        const int line = (step * 7) % 38;
        world.addStep({{line, "// time -1 of step " + QByteArray::number(step) + '\n'},
                       {(line + 17) % 38, "step " + QByteArray::number(step) + '\n'}},
                      {{"title", "step " + std::to_string(step)}});
    }
}

/// An agent that asks, and proposes nothing.
class AskingAgent : public Agent {
public:
    [[nodiscard]] AgentIdentity identity() const override { return {AuthorKind::Model, "asks", "1"}; }
    void propose(const AgentRequest &) override { emit prompted({"q1", 0, "May I?", {"yes", "no"}}); }
    void cancel() override { emit failed("cancelled"); }
    void answerPrompt(const QString &id, const QString &answer) override { answers << id + '=' + answer; }
    QStringList answers;
};

} // namespace

class TestSessionStop : public QObject {
    Q_OBJECT
private slots:
    void stopsInEveryState_data() {
        QTest::addColumn<SessionState>("state");
        QTest::addColumn<SessionMode>("mode");
        for (const SessionMode mode : {SessionMode::Review, SessionMode::Step, SessionMode::Auto})
            for (const SessionState state :
                 {SessionState::Idle, SessionState::Compiling, SessionState::Verifying,
                  SessionState::Profiling, SessionState::Proposing, SessionState::AwaitingReview,
                  SessionState::Applying, SessionState::Scored}) {
                if (state == SessionState::AwaitingReview && mode != SessionMode::Review)
                    continue;
                QTest::addRow("%s, %s", qPrintable(sessionModeName(mode)),
                              qPrintable(sessionStateName(state)))
                    << state << mode;
            }
    }
    void stopsInEveryState() {
        QFETCH(const SessionState, state);
        QFETCH(const SessionMode, mode);
        SessionWorld world;
        world.addStep({{5, "// time -50\n"}});
        world.addStep({{15, "// time -10\n"}});
        world.open(mode);
        Session &session = *world.session;
        QByteArray accepted = SessionWorld::kernel();
        QObject::connect(&session, &Session::iterationMade, &session, [&] { accepted = world.onDisk(); });
        QObject::connect(&session, &Session::stateChanged, &session, [&](SessionState now) {
            if (now == state)
                session.stop();
            else if (now == SessionState::AwaitingReview && session.acceptRest().hasValue())
                QVERIFY(session.apply().hasValue());
        });
        session.start();
        if (state == SessionState::Idle)
            session.stop();
        QTRY_VERIFY(world.end.has_value());
        QCOMPARE(world.end->first, SessionEnd::Stopped);
        QCOMPARE(session.state(), SessionState::Ended);
        QTest::qWait(10);
        // What was accepted stays; what was pending, a step that nobody has kept among it, does not.
        QCOMPARE(world.onDisk(), mode == SessionMode::Step ? SessionWorld::kernel() : accepted);
        QVERIFY(world.measurer.isIdle());
        QVERIFY(session.review() == nullptr);
        QCOMPARE(world.recorder.count("run-stopped"), 1);
        session.stop();
        session.resume();
        QVERIFY(!session.accept(1).hasValue() && !session.apply().hasValue());
        // The lock is free, and another run goes on from there.
        world.open(SessionMode::Auto);
        world.session->start();
        QTRY_VERIFY(world.end.has_value());
        QCOMPARE(world.end->first, SessionEnd::Done);
    }

    // The history is being read for the agent: it is not asked any more.
    void aStopBeforeTheAgentIsAskedLeavesItAlone() {
        SessionWorld world;
        world.addStep({{5, "x\n"}});
        world.open(SessionMode::Review);
        AskingAgent agent;
        SessionSetup setup;
        setup.workspace = Workspace::open(world.folder, world.scratch.folders()).value();
        Session session(setup, agent, world.measurer, world.recorder);
        bool hasEnded = false;
        QObject::connect(&session, &Session::ended, &session, [&] { hasEnded = true; });
        // Behind the turn of the event loop that asks for the history.
        QObject::connect(&session, &Session::textMeasured, &session, [&] {
            QTimer::singleShot(0, &session,
                               [&] { QTimer::singleShot(0, &session, [&] { session.stop(); }); });
        });
        session.start();
        QTRY_VERIFY(hasEnded);
        QVERIFY(QThreadPool::globalInstance()->waitForDone(10000));
        QTest::qWait(20);
        QCOMPARE(session.state(), SessionState::Ended);
        QVERIFY(session.prompts().empty());
        QCOMPARE(world.recorder.count("run-stopped"), 1);
        QCOMPARE(world.recorder.count("prompt"), world.recorder.count("prompt-removed"));
    }

    void stopTakesPromptsAway() {
        SessionWorld world;
        world.addStep({{5, "x\n"}});
        world.open(SessionMode::Review);
        AskingAgent agent;
        SessionSetup setup;
        setup.workspace = Workspace::open(world.folder, world.scratch.folders()).value();
        Session session(setup, agent, world.measurer, world.recorder);
        bool hasEnded = false;
        QObject::connect(&session, &Session::ended, &session, [&] { hasEnded = true; });
        session.start();
        QTRY_COMPARE(session.prompts().size(), 1U);
        const AgentPrompt prompt = session.prompts()[0];
        QVERIFY(!session.answerPrompt("q1", prompt.epoch + 1, "yes"));
        QVERIFY(!session.answerPrompt("q2", prompt.epoch, "yes"));
        QVERIFY(session.answerPrompt("q1", prompt.epoch, "no")); // of that call only: the run goes on
        QCOMPARE(session.state(), SessionState::Proposing);
        emit agent.prompted({"q2", 0, "And now?", {"yes"}});
        session.stop();
        QVERIFY(session.prompts().empty());
        QVERIFY(!session.answerPrompt("q2", prompt.epoch, "yes"));
        QTRY_VERIFY(hasEnded);
        QCOMPARE(agent.answers, QStringList({"q1=no", "q2="}));
        QCOMPARE(world.recorder.count("prompt-removed"), 1);
    }

    void oneWriterAWorkspace() {
        SessionWorld world;
        world.addStep({{5, "x\n"}});
        world.open(SessionMode::Review);
        world.session->start();
        QVERIFY(world.waitFor(SessionState::AwaitingReview));
        auto other = ScriptAgent::open(world.script);
        SessionSetup setup;
        setup.workspace = Workspace::open(world.folder, world.scratch.folders()).value();
        MemoryRecorder recorder;
        Session second(setup, *other.value(), world.measurer, recorder);
        std::optional<SessionEnd> end;
        QObject::connect(&second, &Session::ended, &second, [&](SessionEnd how) { end = how; });
        second.start();
        QTRY_VERIFY(end.has_value());
        QCOMPARE(*end, SessionEnd::Failed);
        QVERIFY(recorder.events.empty());
        world.session->stop();
        QTRY_VERIFY(world.end.has_value());
    }

    void whatCannotBeRecordedWaits() {
        SessionWorld world;
        world.addStep({{5, "// time -50\n"}});
        world.addStep({{15, "// time -20\n"}});
        world.open(SessionMode::Auto);
        QObject::connect(world.session.get(), &Session::scored, world.session.get(),
                         [&] { world.recorder.refusal = "The disk is full."; });
        world.session->start();
        QTRY_VERIFY(world.session->isPaused());
        QVERIFY(world.troubles.back() == "The disk is full.");
        QTest::qWait(30);
        QCOMPARE(world.scored.size(), 1U);
        world.recorder.refusal.clear();
        world.session->stop();
        QTRY_VERIFY(world.end.has_value());
    }

    void aDeathBetweenHistoryAndFilesIsMadeGood() {
        SessionWorld world;
        const Workspace workspace = Workspace::open(world.folder, world.scratch.folders()).value();
        const AppliedText applied(workspace);
        CandidateTexts texts = applied.read().value();
        QVERIFY(applied.store().commit(texts, 0, {}).hasValue());
        const CandidateTexts before = texts;
        texts["kernels/a.cu"] = "accepted\n";
        QVERIFY(applied.store().commit(texts, 1, {AuthorKind::Script, "script"}).hasValue());
        world.scratch.write("work/.warpwright/applying.json", R"({"before": 1, "iteration": 2})");
        QCOMPARE(applied.finish().value(), 2);
        QCOMPARE(world.onDisk(), QByteArray("accepted\n"));
        QCOMPARE(applied.finish().value(), 0);
        // Where the person went on, theirs stays.
        world.scratch.write("work/.warpwright/applying.json", R"({"before": 1, "iteration": 2})");
        world.typeOnDisk(0, "mine\n");
        QCOMPARE(applied.finish().value(), 0);
        QCOMPARE(world.onDisk(), QByteArray("mine\n"));
    }

    void thirtyIterationsInEachMode_data() {
        QTest::addColumn<SessionMode>("mode");
        for (const SessionMode mode : {SessionMode::Review, SessionMode::Step, SessionMode::Auto})
            QTest::addRow("%s", qPrintable(sessionModeName(mode))) << mode;
    }
    void thirtyIterationsInEachMode() {
        QFETCH(const SessionMode, mode);
        SessionWorld world;
        addThirtySteps(world);
        world.open(mode);
        Session &session = *world.session;
        int typed = 0;
        int answered = 0;
        QObject::connect(&session, &Session::scored, &session, [&] {
            if (world.scored.size() % 7 == 3) // saved by hand between two steps
                world.typeOnDisk(39, "mine " + QByteArray::number(++typed) + '\n');
        });
        QObject::connect(
            &session, &Session::stateChanged, &session,
            [&](SessionState now) {
                if (now == SessionState::Scored && mode == SessionMode::Step) {
                    const bool isUndo = world.scored.size() % 5 == 0;
                    if (!isUndo || !session.answerStep(StepAnswer::Undo).hasValue())
                        QVERIFY(session.answerStep(StepAnswer::Keep).hasValue());
                }
                if (now != SessionState::AwaitingReview)
                    return;
                for (const int id : session.review()->hunkIds()) {
                    const HunkState state = session.review()->hunk(id)->state;
                    if (state == HunkState::Conflict)
                        QVERIFY(session.resolve(id, FileReview::Side::Theirs).hasValue());
                    else if (state == HunkState::Open)
                        switch (++answered % 4) {
                        case 0:
                            QVERIFY(session.reject(id, "no").hasValue());
                            break;
                        case 1:
                            QVERIFY(session.edit(id, {"edited\n"}).hasValue());
                            break;
                        default:
                            QVERIFY(session.accept(id).hasValue());
                            break;
                        }
                }
                QVERIFY(session.apply().hasValue());
            },
            Qt::QueuedConnection);
        session.start();
        QTRY_VERIFY_WITH_TIMEOUT(world.end.has_value(), 60000);
        QCOMPARE(world.end->first, SessionEnd::Done);
        QCOMPARE(world.scored.size(), 30U);
        QCOMPARE(world.recorder.count("proposal"), 30);
        QVERIFY(typed > 0);
        QCOMPARE(world.recorder.count("hand-edit"), typed);
        // The last text that was made is the one on the disk, and the history has it.
        QCOMPARE(
            textHashOf(session.texts()),
            textHashOf(
                AppliedText(Workspace::open(world.folder, world.scratch.folders()).value()).read().value()));
        const auto history = world.history();
        QVERIFY(std::any_of(history.begin(), history.end(), [&](const IterationRecord &record) {
            return record.iteration.textHash == textHashOf(session.texts());
        }));
    }
};

QObject *makeTestSessionStop() {
    return new TestSessionStop;
}

#include "tst_session_stop.moc"
