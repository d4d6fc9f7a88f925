// SPDX-License-Identifier: GPL-3.0-or-later
// A run that goes on, from its record: what its agent was told, and the numbers of its proposals.
#include "agent/record/run_index.h"
#include "agent/record/run_so_far.h"
#include "agent/record/trajectory_writer.h"
#include "tests/agent/session_world.h"

#include <QTest>

using namespace warpwright;

namespace {

/// A script, and all that it was asked.
class HearingAgent : public Agent {
    Q_OBJECT
public:
    explicit HearingAgent(const QString &folder) : m_script(ScriptAgent::open(folder).value()) {
        connect(m_script.get(), &Agent::proposed, this, &Agent::proposed);
        connect(m_script.get(), &Agent::done, this, &Agent::done);
        connect(m_script.get(), &Agent::failed, this, &Agent::failed);
    }
    [[nodiscard]] AgentIdentity identity() const override { return m_script->identity(); }
    void propose(const AgentRequest &request) override {
        asked.push_back(request);
        m_script->propose(request);
    }
    void cancel() override { m_script->cancel(); }
    std::vector<AgentRequest> asked;

private:
    std::unique_ptr<ScriptAgent> m_script;
};

/// Its record on the disk, and the run's id.
QString recordOf(const SessionWorld &world, const Workspace &workspace) {
    TrajectoryWriter writer = TrajectoryWriter::beginRun(workspace.state).value();
    for (const auto &[kind, body] : world.recorder.events)
        if (kind != QLatin1String("run-ended")) // as if its program had died
            Q_UNUSED(writer.append(kind, body).hasValue());
    return writer.run();
}

} // namespace

class TestRunGoesOn : public QObject {
    Q_OBJECT

    static void answer(Session &session, int proposal) {
        const std::vector<int> hunks = session.review()->hunkIds();
        QCOMPARE(hunks.size(), std::size_t(2));
        if (proposal == 1) {
            QVERIFY(session.rejectRest({}, "no").hasValue());
        } else if (proposal == 2) {
            QVERIFY(session.accept(hunks[0]).hasValue());
            QVERIFY(session.reject(hunks[1], "not this").hasValue());
        } else if (proposal == 3) {
            QVERIFY(session.accept(hunks[0]).hasValue());
            QVERIFY(session.edit(hunks[1], {"// time -7\n"}).hasValue());
        } else {
            QVERIFY(session.acceptRest().hasValue());
        }
        QVERIFY(session.apply().hasValue());
    }

private slots:
    // What an agent would have been told had its program lived is what it is told from the record.
    void tellsWhatTheAgentWasTold_data() {
        QTest::addColumn<SessionMode>("mode");
        QTest::addColumn<bool>("keepsBranches");
        QTest::newRow("review") << SessionMode::Review << true;
        QTest::newRow("step") << SessionMode::Step << true;
        QTest::newRow("auto") << SessionMode::Auto << true;
        QTest::newRow("auto, nothing beside") << SessionMode::Auto << false;
    }
    void tellsWhatTheAgentWasTold() {
        QFETCH(const SessionMode, mode);
        QFETCH(const bool, keepsBranches);
        SessionWorld world;
        for (int step = 0; step < 6; ++step)
            world.addStep({{2 + 6 * step, step == 4   ? "// wrong\n"
                                          : step == 2 ? "// time 30\n"
                                                      : "// time -10\n"},
                           {4 + 6 * step, "// time -2\n"}});
        HearingAgent agent(world.script);
        SessionSetup setup;
        setup.workspace = Workspace::open(world.folder, world.scratch.folders()).value();
        setup.device = "cpu";
        setup.mode = mode;
        setup.policy.keepsVerifiedAsBranch = keepsBranches;
        auto session = std::make_unique<Session>(setup, agent, world.measurer, world.recorder);
        bool hasEnded = false;
        QObject::connect(session.get(), &Session::ended, &agent, [&] { hasEnded = true; });
        session->start();
        const std::vector<StepAnswer> steps = {StepAnswer::Keep, StepAnswer::Undo, StepAnswer::Branch};
        for (int proposal = 0; mode != SessionMode::Auto && proposal < 6; ++proposal) {
            const QString id = QStringLiteral("p%1").arg(proposal + 1);
            const SessionState waits =
                mode == SessionMode::Review ? SessionState::AwaitingReview : SessionState::Scored;
            QTRY_VERIFY(session->review() != nullptr && session->review()->proposal().id == id &&
                        session->state() == waits);
            if (mode == SessionMode::Step)
                QVERIFY(session->answerStep(steps[static_cast<std::size_t>(proposal % 3)]).hasValue());
            else
                answer(*session, proposal);
        }
        QTRY_VERIFY(hasEnded);
        session.reset();
        const QString run = recordOf(world, setup.workspace);
        std::vector<AnsweredProposal> told;
        const Result<RunSoFar> so = readRunSoFar(setup.workspace, run, [&told](const AnsweredProposal &one) {
            told.push_back(one);
            return Result<void>::ok();
        });
        QVERIFY2(so.hasValue(), qPrintable(so.message()));
        QCOMPARE(told.size(), agent.asked.size() - 1); // the last one was asked for, and there was none
        QCOMPARE(so.value().beganIn, mode);
        for (std::size_t i = 0; i < told.size(); ++i) {
            const AgentRequest &asked = agent.asked[i];
            QCOMPARE(told[i].request.proposal, asked.proposal);
            QCOMPARE(told[i].request.iteration, asked.iteration);
            QCOMPARE(told[i].request.workspace, asked.workspace);
            QCOMPARE(told[i].request.device, asked.device);
            QCOMPARE(told[i].request.texts, asked.texts);
            QCOMPARE(told[i].evaluation, asked.lastEvaluation->id);
            const Feedback &is = told[i].feedback;
            const Feedback &was = agent.asked[i + 1].feedback.back();
            QCOMPARE(is.proposal, was.proposal);
            QCOMPARE(is.outcome, was.outcome);
            QCOMPARE(is.why, was.why);
            QCOMPARE(is.ratio.has_value(), was.ratio.has_value());
            if (is.ratio)
                QVERIFY(std::abs(is.ratio->value - was.ratio->value) < 1e-9 &&
                        std::abs(is.ratio->low - was.ratio->low) < 1e-9);
            QCOMPARE(is.hunks.size(), was.hunks.size());
            for (std::size_t hunk = 0; hunk < is.hunks.size(); ++hunk) {
                QCOMPARE(is.hunks[hunk].hunk, was.hunks[hunk].hunk);
                QCOMPARE(is.hunks[hunk].state, was.hunks[hunk].state);
                QCOMPARE(is.hunks[hunk].reason, was.hunks[hunk].reason);
            }
        }
    }

    // What is proposed once more is the same proposal: in the ledger, in lists, by its number.
    void aProposalKeepsItsNumber() {
        SessionWorld world;
        for (const int line : {5, 15, 25})
            world.addStep({{line, "// time -10\n"}}, {{"title", "line " + std::to_string(line)}});
        world.open(SessionMode::Review);
        world.session->start();
        const auto waitsFor = [&world](const QString &id, const QString &title) {
            return QTest::qWaitFor(
                [&] {
                    return world.session->state() == SessionState::AwaitingReview &&
                           world.session->review() && world.session->review()->proposal().id == id &&
                           world.session->review()->proposal().title == title;
                },
                5000);
        };
        QVERIFY(waitsFor("p1", "line 5"));
        QVERIFY(world.goOn()); // killed
        QVERIFY(waitsFor("p1", "line 5"));
        QVERIFY(world.session->acceptRest().hasValue() && world.session->apply().hasValue());
        QVERIFY(waitsFor("p2", "line 15"));
        world.session->stop();
        QTRY_VERIFY(world.end.has_value());
        QVERIFY(world.goOn()); // stopped
        QVERIFY(waitsFor("p2", "line 15"));
        // Killed before it was proposed once more.
        while (world.recorder.events.back().first != QLatin1String("run-continued"))
            world.recorder.events.pop_back();
        QVERIFY(world.goOn());
        QVERIFY(waitsFor("p2", "line 15"));
        QVERIFY(world.session->acceptRest().hasValue() && world.session->apply().hasValue());
        QVERIFY(waitsFor("p3", "line 25"));

        PredictionLedger ledger;
        for (const auto &[kind, body] : world.recorder.events)
            ledger.take(kind, body);
        QCOMPARE(ledger.rows().size(), std::size_t(3));
        QCOMPARE(ledger.rows()[1].title, QString("line 15"));
        QVERIFY(ledger.rows()[1].measured.has_value());
        const Workspace workspace = Workspace::open(world.folder, world.scratch.folders()).value();
        const QString run = recordOf(world, workspace);
        RunIndex index = RunIndex::open(workspace.state).value();
        const std::vector<IndexedRun> runs = index.runs().value();
        for (const IndexedRun &one : runs)
            if (one.run == run)
                QCOMPARE(one.proposals, 3);
    }
};

QObject *makeTestRunGoesOn() {
    return new TestRunGoesOn;
}
#include "tst_run_goes_on.moc"
