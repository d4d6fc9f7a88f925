// SPDX-License-Identifier: GPL-3.0-or-later
// What a person says to a run beside the answers: messages, bets, budgets.
#include "agent/record/run_so_far.h"
#include "agent/record/trajectory_writer.h"
#include "agent/review/prediction_ledger.h"
#include "tests/agent/session_world.h"

#include <QSignalSpy>
#include <QTest>

using namespace warpwright;

namespace {

Prediction ratio(double value) {
    Prediction prediction;
    prediction.timeRatio = value;
    return prediction;
}

PredictionLedger ledgerOf(const MemoryRecorder &recorder) {
    PredictionLedger ledger;
    for (const auto &[kind, body] : recorder.events)
        ledger.take(kind, body);
    return ledger;
}

std::vector<std::string> messagesBy(const MemoryRecorder &recorder, const char *role) {
    std::vector<std::string> texts;
    for (const auto &[kind, body] : recorder.events)
        if (kind == QLatin1String("message") && body["role"] == Json(role))
            texts.push_back(body["text"]);
    return texts;
}

} // namespace

class TestSessionPerson : public QObject {
    Q_OBJECT
private slots:
    void messagesGoWithTheNextRequestAndBothAreRecorded() {
        SessionWorld world;
        for (const int line : {5, 15, 25})
            world.addStep({{line, "step\n"}});
        world.open(SessionMode::Review);
        QSignalSpy read(world.session.get(), &Session::messagesRead);
        QSignalSpy said(world.agent.get(), &Agent::message);
        world.session->start();
        QVERIFY(world.waitFor(SessionState::AwaitingReview));
        world.session->setMessages({"try shared memory", "and warps"});
        world.session->setMessages({"try shared memory first"}); // one changed, one taken back
        QCOMPARE(world.recorder.count("messages-waiting"), 2);
        QVERIFY(world.recorder.last("messages-waiting")["texts"] == Json::array({"try shared memory first"}));
        QCOMPARE(read.count(), 0);
        const auto answerNext = [&world] {
            return world.waitFor(SessionState::AwaitingReview) && world.session->rejectRest().hasValue() &&
                   world.session->apply().hasValue();
        };
        QVERIFY(answerNext());
        QTRY_COMPARE(read.count(), 1);
        QCOMPARE(read[0][0].toStringList(), QStringList("try shared memory first"));
        QVERIFY(world.session->messages().isEmpty());
        QVERIFY(messagesBy(world.recorder, "person") == std::vector<std::string>{"try shared memory first"});
        // A series of patches reads nothing, and says so: once.
        QTRY_COMPARE(said.count(), 1);
        QVERIFY(world.recorder.last("message")["role"] == Json("agent"));
        QVERIFY(said[0][0].value<AgentMessage>().text.contains("cannot read messages"));
        QTRY_COMPARE(world.session->state(), SessionState::AwaitingReview);
        world.session->setMessages({"once more"});
        QVERIFY(answerNext());
        QTRY_COMPARE(read.count(), 2);
        QTRY_COMPARE(world.session->state(), SessionState::AwaitingReview);
        QCOMPARE(said.count(), 1);
        // What the agent has not read when the run ends is still there.
        world.session->setMessages({"too late"});
        world.session->stop();
        QTRY_VERIFY(world.end.has_value());
        QCOMPARE(world.session->messages(), QStringList("too late"));
        QCOMPARE(messagesBy(world.recorder, "person").size(), 2U);
    }

    void aReasonMayFollowTheRejection() {
        SessionWorld world;
        world.addStep({{5, "step\n"}, {15, "step\n"}});
        world.open(SessionMode::Review);
        world.session->start();
        QVERIFY(world.waitFor(SessionState::AwaitingReview));
        const std::vector<int> ids = world.session->review()->hunkIds();
        QVERIFY(world.session->accept(ids[0]).hasValue());
        QVERIFY(world.session->reject(ids[1]).hasValue());
        QVERIFY(world.session->giveReason(ids, "too many registers").hasValue());
        QCOMPARE(world.session->review()->hunk(ids[1])->reason, QString("too many registers"));
        QVERIFY(world.session->review()->hunk(ids[0])->reason.isEmpty()); // that one was not rejected
        QCOMPARE(world.recorder.count("decision"), 3);
        QVERIFY(world.recorder.last("decision")["reason"] == Json("too many registers"));
        // It comes and goes with the answer.
        QVERIFY(world.session->undo());
        QVERIFY(world.session->review()->hunk(ids[1])->reason.isEmpty());
        QVERIFY(world.session->redo());
        QCOMPARE(world.session->review()->hunk(ids[1])->reason, QString("too many registers"));
    }

    void whatWaitsBeforeTheRunIsReadWithItsFirstRequest() {
        SessionWorld world;
        world.addStep({{5, "step\n"}});
        world.open(SessionMode::Review);
        world.session->setMessages({"from the run before"});
        world.session->start();
        QVERIFY(world.waitFor(SessionState::AwaitingReview));
        QCOMPARE(world.recorder.events[0].first, QString("run-began"));
        QCOMPARE(world.recorder.count("messages-waiting"), 1);
        QVERIFY(messagesBy(world.recorder, "person") == std::vector<std::string>{"from the run before"});
    }

    void aBetIsPlacedBeforeTheResultIsShown() {
        SessionWorld world;
        world.addStep({{5, "// time -50\n"}}, {{"prediction", {{"timeRatio", 0.9}}}});
        world.open(SessionMode::Review);
        world.session->setBetsFirst(true);
        world.session->start();
        QVERIFY(world.waitFor(SessionState::AwaitingReview));
        QVERIFY(world.session->isResultHidden());
        QTRY_VERIFY(world.session->evidence() != nullptr); // measured, and still hidden
        QVERIFY(world.session->isResultHidden());
        QCOMPARE(world.recorder.count("evaluation"), 2);
        QVERIFY(world.session->bet("person", ratio(0.5)).hasValue());
        QVERIFY(!world.session->isResultHidden() && world.session->hasBet());
        for (const char *kind : {"result-hidden", "bet", "result-shown"})
            QVERIFY2(world.recorder.count(kind) == 1, kind);
        // Once it was shown it is too late, for a bet and for hiding it.
        QVERIFY(world.session->bet("person", ratio(0.6)).message().contains("was shown already"));
        const PredictionLedger ledger = ledgerOf(world.recorder);
        QCOMPARE(ledger.rows().size(), 1U);
        QCOMPARE(ledger.rows()[0].bets.size(), 1U);
        QCOMPARE(ledger.rows()[0].bets.at("person"), ratio(0.5));
        QVERIFY(ledger.rows()[0].measured.has_value() && !ledger.rows()[0].isHidden);
        QCOMPARE(ledger.ofBets("person").count, 1);
    }

    void aBetCanBeChangedUntilThereIsAResult() {
        SessionWorld world;
        world.addStep({{5, "// time -50\n"}}, {{"prediction", {{"timeRatio", 0.9}}}});
        world.open(SessionMode::Review);
        world.session->setBetsFirst(true);
        const auto held = QObject::connect(
            world.session.get(), &Session::stateChanged, world.session.get(), [&world](SessionState now) {
                world.measurer.isHeld = world.measurer.isHeld || now == SessionState::Proposing;
            });
        world.session->start();
        QTRY_VERIFY(world.session->review() != nullptr && world.measurer.asked.size() == 2);
        QVERIFY(world.session->evidence() == nullptr && world.session->isResultHidden());
        QVERIFY(world.session->bet("person", ratio(0.07)).hasValue());
        QVERIFY(world.session->hasBet() && world.session->isResultHidden());
        QVERIFY(world.session->bet("person", {}).hasValue()); // taken back
        QVERIFY(!world.session->hasBet() && world.session->isResultHidden());
        QVERIFY(ledgerOf(world.recorder).rows()[0].bets.empty());
        QVERIFY(world.session->bet("person", ratio(0.5)).hasValue());
        QVERIFY(world.session->bet("person", ratio(0.6)).hasValue());
        QObject::disconnect(held);
        world.measurer.isHeld = false;
        world.measurer.release();
        QTRY_VERIFY(world.session->evidence() != nullptr);
        QVERIFY(!world.session->isResultHidden());
        QVERIFY(!world.session->bet("person", ratio(0.7)).hasValue());
        const PredictionLedger ledger = ledgerOf(world.recorder);
        QCOMPARE(ledger.rows()[0].bets.size(), 1U);
        QCOMPARE(ledger.rows()[0].bets.at("person"), ratio(0.6));
        QVERIFY(ledger.rows()[0].measured.has_value() && !ledger.rows()[0].isHidden);
    }

    void aBetCanBeAskedForWhileItIsMeasured() {
        SessionWorld world;
        world.addStep({{5, "// time -50\n"}});
        world.addStep({{15, "// time -20\n"}});
        world.open(SessionMode::Review);
        QVERIFY(!world.session->hideResult().hasValue()); // nothing is under review
        const auto held = QObject::connect(
            world.session.get(), &Session::stateChanged, world.session.get(), [&world](SessionState now) {
                world.measurer.isHeld = world.measurer.isHeld || now == SessionState::Proposing;
            });
        world.session->start();
        QTRY_VERIFY(world.session->review() != nullptr && world.measurer.asked.size() == 2);
        QVERIFY(world.session->hideResult().hasValue());
        QObject::disconnect(held);
        world.measurer.isHeld = false;
        world.measurer.release();
        QTRY_VERIFY(world.session->evidence() != nullptr);
        QVERIFY(world.session->isResultHidden());
        world.session->showResult("asked for");
        QVERIFY(!world.session->isResultHidden());
        QVERIFY(world.session->hideResult().message().contains("Too late to bet"));
        // An answered proposal takes its hiding with it, and the next one is shown as always.
        QVERIFY(world.session->rejectRest().hasValue() && world.session->apply().hasValue());
        QTRY_VERIFY(world.session->review() != nullptr && world.session->review()->proposal().id == "p2");
        QTRY_COMPARE(world.session->state(), SessionState::AwaitingReview);
        QVERIFY(!world.session->isResultHidden());
        // Auto has nobody who bets.
        QTRY_VERIFY(world.session->evidence() != nullptr);
        world.session->setBetsFirst(true);
        world.session->setMode(SessionMode::Auto);
        QTRY_VERIFY(world.end.has_value());
        QCOMPARE(world.recorder.count("result-hidden"), 1);
    }

    void budgetsChangeWhileItRuns() {
        SessionWorld world;
        for (const int line : {5, 15, 25})
            world.addStep({{line, "// time -10\n"}});
        world.open(SessionMode::Review);
        world.session->start();
        QVERIFY(world.waitFor(SessionState::AwaitingReview));
        RunBudgets budgets;
        budgets.iterations = 2;
        world.session->setBudgets(budgets);
        world.session->setBudgets(budgets); // the same is no change
        QCOMPARE(world.recorder.count("budgets-changed"), 1);
        QVERIFY(world.recorder.last("budgets-changed")["from"] == Json::object());
        QVERIFY(world.recorder.last("budgets-changed")["to"]["iterations"] == Json(2));
        QCOMPARE(world.session->budgets(), budgets);
        world.session->setMode(SessionMode::Auto);
        QTRY_VERIFY(world.end.has_value());
        QCOMPARE(world.end->first, SessionEnd::Budget);
        QCOMPARE(world.session->meter().iterations, 2);
    }

    void changedBudgetsHoldForARunThatGoesOn() {
        SessionWorld world;
        world.addStep({{5, "step\n"}});
        RunBudgets first;
        first.iterations = 9;
        first.minutes = 30;
        world.open(SessionMode::Review, first);
        world.session->start();
        QVERIFY(world.waitFor(SessionState::AwaitingReview));
        RunBudgets later;
        later.iterations = 4; // and no limit of minutes any more
        world.session->setBudgets(later);
        world.session->stop();
        QTRY_VERIFY(world.end.has_value());
        world.session.reset(); // and with it the workspace's lock
        const Workspace workspace = Workspace::open(world.folder, world.scratch.folders()).value();
        QString run;
        {
            TrajectoryWriter writer = TrajectoryWriter::beginRun(workspace.state).value();
            run = writer.run();
            for (const auto &[kind, body] : world.recorder.events)
                QVERIFY(writer.append(kind, body).hasValue());
        }
        const Result<RunSoFar> so = readRunSoFar(workspace, run, {});
        QVERIFY2(so.hasValue(), qPrintable(so.message()));
        QCOMPARE(so.value().budgets, later);
    }

    // The program is killed while a person answers: what was answered stands, and is not asked again.
    void answersStandInARunThatGoesOn() {
        SessionWorld world;
        world.addStep({{5, "first\n"}, {15, "second\n"}, {25, "third\n"}, {35, "fourth\n"}});
        world.open(SessionMode::Review);
        world.session->start();
        QVERIFY(world.waitFor(SessionState::AwaitingReview));
        const std::vector<int> hunks = world.session->review()->hunkIds();
        QCOMPARE(hunks.size(), std::size_t(4));
        QVERIFY(world.session->accept(hunks[0]).hasValue());
        QVERIFY(world.session->reject(hunks[1], "no").hasValue());
        QVERIFY(world.session->undo());
        QVERIFY(world.session->redo()); // of a rejection: it is none of an acceptance
        QVERIFY(world.session->edit(hunks[2], {"mine\n"}).hasValue());
        world.session->setMessages({"read me", "and me"});
        QVERIFY(world.goOn());
        QVERIFY(world.waitFor(SessionState::AwaitingReview));
        const ProposalReview &review = *world.session->review();
        QCOMPARE(review.hunk(hunks[0])->state, HunkState::Accepted);
        QCOMPARE(review.hunk(hunks[1])->state, HunkState::Rejected);
        QCOMPARE(review.hunk(hunks[1])->reason, QString("no"));
        QCOMPARE(review.hunk(hunks[2])->state, HunkState::Edited);
        QCOMPARE(review.hunk(hunks[3])->state, HunkState::Open);
        QCOMPARE(messagesBy(world.recorder, "person"), (std::vector<std::string>{"read me", "and me"}));
        QVERIFY(world.session->acceptRest().hasValue());
        QVERIFY(world.session->apply().hasValue());
        QTRY_VERIFY(world.end.has_value());
        QCOMPARE(world.onDisk(), SessionWorld::kernel({{5, "first\n"}, {25, "mine\n"}, {35, "fourth\n"}}));
    }

    // Answers that are given again are told of one by one: none of it before the numbers are hidden.
    void aRunThatGoesOnHidesBeforeItTells() {
        SessionWorld world;
        world.addStep({{5, "first\n"}, {15, "second\n"}}, {{"prediction", {{"timeRatio", 0.9}}}});
        world.open(SessionMode::Review);
        world.session->start();
        QVERIFY(world.waitFor(SessionState::AwaitingReview));
        const int first = world.session->review()->hunkIds().front();
        QVERIFY(world.session->accept(first).hasValue());
        QVERIFY(world.goOn());
        world.session->setBetsFirst(true);
        int told = 0, shown = 0;
        QObject::connect(world.session.get(), &Session::reviewChanged, world.session.get(), [&] {
            told += world.session->review() != nullptr ? 1 : 0;
            shown += world.session->review() != nullptr && !world.session->isResultHidden() ? 1 : 0;
        });
        QVERIFY(world.waitFor(SessionState::AwaitingReview));
        QCOMPARE(world.session->review()->hunk(first)->state, HunkState::Accepted);
        QVERIFY2(told > 1, qPrintable(QString::number(told)));
        QCOMPARE(shown, 0);
    }

    void answersToAnotherTextDoNotStand() {
        SessionWorld world;
        world.addStep({{5, "first\n"}, {15, "second\n"}});
        world.open(SessionMode::Review);
        world.session->start();
        QVERIFY(world.waitFor(SessionState::AwaitingReview));
        QVERIFY(world.session->accept(1).hasValue());
        world.session.reset();
        world.typeOnDisk(30, "by hand\n");
        QVERIFY(world.goOn());
        QVERIFY(world.waitFor(SessionState::AwaitingReview));
        const ReviewCount count = world.session->review()->count();
        QCOMPARE(count.accepted, 0);
        QVERIFY(count.open > 0);
    }

    void messagesThatWaitedAreReadByARunThatGoesOn() {
        SessionWorld world;
        world.addStep({{5, "step\n"}});
        world.addStep({{15, "step\n"}});
        world.open(SessionMode::Review);
        world.session->start();
        QVERIFY(world.waitFor(SessionState::AwaitingReview));
        world.session->setMessages({"one", "two"});
        world.session->setMessages({"two"}); // the other was taken back
        QVERIFY(world.goOn());
        QVERIFY(world.waitFor(SessionState::AwaitingReview));
        QCOMPARE(messagesBy(world.recorder, "person"), std::vector<std::string>{"two"});
        QVERIFY(world.session->messages().isEmpty());
    }

    // It is stored behind the run's back; that it could not be is told, and the run goes on.
    void anEvaluationThatCannotBeStoredIsTold_data() {
        QTest::addColumn<bool>("isTaken");
        QTest::newRow("the proposal is rejected") << false;
        QTest::newRow("the proposal is taken") << true; // measured as the iteration that it becomes
    }

    void anEvaluationThatCannotBeStoredIsTold() {
        QFETCH(bool, isTaken);
        SessionWorld world;
        world.addStep({{5, "// time -10\n"}});
        world.scratch.write("work/.warpwright/evaluations", "a file is in the way");
        world.open(SessionMode::Review);
        std::size_t ofText = 0;
        connect(world.session.get(), &Session::textMeasured, this,
                [&world, &ofText] { ofText = world.troubles.size(); });
        world.session->start();
        QTRY_VERIFY(world.session->evidence() != nullptr);
        QCOMPARE(ofText, std::size_t(1));
        QCOMPARE(world.troubles.size(), std::size_t(2)); // the other is of the proposal
        for (const QString &one : world.troubles)
            QVERIFY2(one.contains("evaluations"), qPrintable(one));
        QVERIFY((isTaken ? world.session->acceptRest() : world.session->rejectRest()).hasValue());
        QVERIFY(world.session->apply().hasValue());
        QTRY_VERIFY(world.end.has_value());
        QCOMPARE(world.troubles.size(), std::size_t(2));
        QCOMPARE(world.scored.back().outcome,
                 isTaken ? QStringLiteral("accepted") : QStringLiteral("rejected"));
    }

    // Accepted in part, the text is measured as the iteration that it is: once.
    void anEvaluationIsRecordedOnce() {
        SessionWorld world;
        world.addStep({{5, "// time -10\n"}, {15, "// time -20\n"}});
        world.addStep({{25, "// time -30\n"}});
        world.open(SessionMode::Review);
        world.session->start();
        QVERIFY(world.waitFor(SessionState::AwaitingReview));
        QVERIFY(world.session->accept(1).hasValue() && world.session->reject(2).hasValue());
        QVERIFY(world.session->apply().hasValue());
        QTRY_VERIFY(world.session->review() != nullptr && world.session->review()->proposal().id == "p2");
        QVERIFY(world.waitFor(SessionState::AwaitingReview));
        const auto told = [&world] {
            std::map<std::string, int> count;
            for (const auto &[kind, body] : world.recorder.events)
                if (kind == "evaluation" && body["of"] == Json("iteration"))
                    ++count[body["evaluation"].get<std::string>()];
            return count;
        };
        for (const auto &[id, count] : told())
            QVERIFY2(count == 1, id.c_str());
        // A run that goes on does not tell it again.
        QVERIFY(world.goOn());
        QVERIFY(world.waitFor(SessionState::AwaitingReview));
        for (const auto &[id, count] : told())
            QVERIFY2(count == 1, id.c_str());
    }

    void stepSaysWhatItGoesBackTo() {
        SessionWorld world;
        world.addStep({{5, "// time -10\n"}});
        world.addStep({{15, "// time -10\n"}});
        world.open(SessionMode::Step);
        QCOMPARE(world.session->stepBase(), 0);
        world.session->start();
        QVERIFY(world.waitFor(SessionState::Scored));
        QCOMPARE(world.session->stepBase(), 1);
        QVERIFY(world.session->answerStep(StepAnswer::Branch).hasValue());
        QCOMPARE(world.session->stepBase(), 0);
        QCOMPARE(world.onDisk(), SessionWorld::kernel());
        QCOMPARE(world.history().size(), 2U); // it stays in the tree
        QVERIFY(world.recorder.last("step")["answer"] == Json("branch"));
    }
};

QObject *makeTestSessionPerson() {
    return new TestSessionPerson;
}

#include "tst_session_person.moc"
