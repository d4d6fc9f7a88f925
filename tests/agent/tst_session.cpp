// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/review/prediction_ledger.h"
#include "tests/agent/session_world.h"
#include "toolchain/history/iteration.h"

#include <QSignalSpy>
#include <QTest>

using namespace warpwright;

class TestSession : public QObject {
    Q_OBJECT
private slots:
    void reviewAppliesWhatWasAcceptedAndAdoptsTheMeasurement() {
        SessionWorld world;
        world.addStep({{5, "fast\n"}, {20, "// time -50\n"}},
                      {{"title", "faster"}, {"prediction", {{"timeRatio", 0.5}}}});
        world.open(SessionMode::Review);
        world.session->start();
        QVERIFY(world.waitFor(SessionState::AwaitingReview));
        QCOMPARE(world.session->review()->count().open, 2);
        QCOMPARE(world.onDisk(), SessionWorld::kernel()); // nothing before it is answered
        QVERIFY(world.session->apply().message().contains("2 of 2 hunks are not answered"));
        QTRY_VERIFY(world.session->evidence() != nullptr);
        QVERIFY(world.session->evidence()->ratio->isFaster());
        QVERIFY(world.session->evidence()->kernels.size() == 1);
        QVERIFY(!world.session->isEvidenceCurrent());
        QVERIFY(world.session->acceptRest().hasValue());
        QVERIFY(world.session->isEvidenceCurrent());
        const std::size_t asked = world.measurer.asked.size();
        QVERIFY(world.session->apply().hasValue());
        QTRY_VERIFY(world.end.has_value());
        QCOMPARE(world.end->first, SessionEnd::Done);
        QCOMPARE(world.measurer.asked.size(), asked); // measured once, in the shadow
        QCOMPARE(world.scored.size(), 1U);
        QCOMPARE(world.scored[0].outcome, QString("accepted"));
        QVERIFY(world.scored[0].ratio->isFaster());
        QCOMPARE(world.onDisk(), SessionWorld::kernel({{5, "fast\n"}, {20, "// time -50\n"}}));
        const auto history = world.history();
        QCOMPARE(history.size(), 2U);
        QCOMPARE(history[1].iteration.author, (Author{AuthorKind::Script, "script"}));
        QCOMPARE(history[1].iteration.note, QString("faster"));
        QVERIFY(history[1].latest && history[1].latest->verdict == Verdict::Pass);
        for (const char *kind : {"run-began", "proposal", "decision", "applied", "run-ended"})
            QVERIFY2(world.recorder.count(kind) == 1, kind);
        QVERIFY(world.recorder.last("applied")["resultHash"] == world.recorder.last("iteration")["textHash"]);
    }

    void aBaseOfAnotherTorchIsMeasuredAgain() {
        SessionWorld world;
        world.addStep({{20, "// time -50\n"}});
        world.addStep({{30, "// time -10\n"}});
        world.open(SessionMode::Review);
        world.session->start();
        QVERIFY(world.waitFor(SessionState::AwaitingReview));
        QTRY_VERIFY(world.session->evidence() != nullptr && world.session->evidence()->ratio);
        const std::size_t asked = world.measurer.asked.size(); // the text, and the proposal
        world.measurer.torch = QStringLiteral("2.12");
        QVERIFY(world.session->acceptRest().hasValue() && world.session->apply().hasValue());
        QTRY_COMPARE(world.scored.size(), 1U);
        QVERIFY(world.waitFor(SessionState::AwaitingReview));
        QTRY_VERIFY(world.session->evidence() != nullptr && world.session->evidence()->ratio);
        // The second proposal, and once more the text that it is compared with.
        QCOMPARE(world.measurer.asked.size(), asked + 2);
        QCOMPARE(world.session->evidence()->ratio->value, 0.8);
    }

    void anEditedHunkIsMeasuredAnew() {
        SessionWorld world;
        world.addStep({{5, "fast\n"}, {20, "// time -50\n"}});
        world.addStep({{30, "more\n"}});
        world.open(SessionMode::Review);
        world.session->start();
        QVERIFY(world.waitFor(SessionState::AwaitingReview));
        QTRY_VERIFY(world.session->evidence() != nullptr);
        const std::vector<int> ids = world.session->review()->hunkIds();
        QVERIFY(world.session->reject(ids[0], "unreadable").hasValue());
        QVERIFY(world.session->edit(ids[1], {"// time -20\n"}).hasValue());
        QVERIFY(!world.session->isEvidenceCurrent());
        QVERIFY(world.session->undo());
        QVERIFY(world.session->redo());
        QVERIFY(world.session->apply().hasValue());
        QTRY_COMPARE(world.scored.size(), 1U);
        QCOMPARE(world.scored[0].summary.candidate->medianMicroseconds, 80.0);
        QVERIFY(world.waitFor(SessionState::AwaitingReview));
        // The series goes on from what stands there now.
        QCOMPARE(world.session->review()->count().total(), 1);
        QCOMPARE(world.recorder.count("decision-undone"), 1);
        QCOMPARE(world.recorder.count("decision-redone"), 1);
        QVERIFY(world.session->rejectRest({}, "enough").hasValue());
        QVERIFY(world.session->apply().hasValue());
        QTRY_VERIFY(world.end.has_value());
        QCOMPARE(world.onDisk(), SessionWorld::kernel({{20, "// time -20\n"}}));
        QVERIFY(world.recorder.last("decision")["reason"] == Json("enough"));
    }

    void whatWasTakenNamesTheIteration_data() {
        QTest::addColumn<QString>("answers"); // of the line of code and of the comment: a, r, e
        QTest::addColumn<QString>("note");
        QTest::addColumn<AuthorKind>("author");
        QTest::addColumn<bool>("isBesideCode");
        const auto row = [](const char *name, const char *answers, const QString &note, AuthorKind author,
                            bool isBesideCode) {
            QTest::newRow(name) << QString::fromLatin1(answers) << note << author << isBesideCode;
        };
        row("all", "aa", QStringLiteral("One kernel"), AuthorKind::Script, false);
        row("the code alone", "ar", QStringLiteral("Part of “One kernel” (1 of 2 hunks)"), AuthorKind::Script,
            false);
        row("the comment alone", "ra", QStringLiteral("Comments of “One kernel” (1 of 2 hunks)"),
            AuthorKind::Script, true);
        row("the comment alone, edited", "re",
            QStringLiteral("Comments, edited by you (1 of 2 hunks of “One kernel”)"), AuthorKind::You, true);
        row("all, one of them edited", "ea", QStringLiteral("“One kernel”, edited by you"),
            AuthorKind::Script, false);
    }

    void whatWasTakenNamesTheIteration() {
        QFETCH(QString, answers);
        QFETCH(QString, note);
        QFETCH(AuthorKind, author);
        QFETCH(bool, isBesideCode);
        SessionWorld world;
        world.addStep({{5, "fast\n"}, {20, "line 20\n// time -50\n"}}, {{"title", "One kernel"}});
        world.open(SessionMode::Review);
        world.session->start();
        QVERIFY(world.waitFor(SessionState::AwaitingReview));
        const std::vector<int> ids = world.session->review()->hunkIds();
        QCOMPARE(ids.size(), 2U);
        for (std::size_t i = 0; i < ids.size(); ++i) {
            const QChar answer = answers[static_cast<qsizetype>(i)];
            const TextLines own{i == 0 ? "faster\n" : "// time -60\n"};
            QVERIFY((answer == u'a'   ? world.session->accept(ids[i])
                     : answer == u'r' ? world.session->reject(ids[i])
                                      : world.session->edit(ids[i], own))
                        .hasValue());
        }
        QVERIFY(world.session->apply().hasValue());
        QTRY_VERIFY(world.end.has_value());
        const auto history = world.history();
        QCOMPARE(history.size(), 2U);
        QCOMPARE(history[1].iteration.note, note);
        QCOMPARE(history[1].iteration.author.kind, author);
        QCOMPARE(history[1].mark == IterationMark::BesideCode, isBesideCode);
        QVERIFY(history[1].latest.has_value());
        QCOMPARE(competes(history[1]), !isBesideCode);
        QCOMPARE(world.recorder.last("applied").contains("besideCode"), isBesideCode);
        QCOMPARE(world.recorder.last("evaluation").contains("besideCode"), isBesideCode);
    }

    void whatIsRejectedWhollyMakesNoIteration() {
        SessionWorld world;
        world.addStep({{5, "fast\n"}, {20, "// time -50\n"}});
        world.open(SessionMode::Review);
        world.session->start();
        QVERIFY(world.waitFor(SessionState::AwaitingReview));
        QVERIFY(world.session->edit(world.session->review()->hunkIds()[1], {"// time -50\n"}).hasValue());
        QCOMPARE(world.session->review()->count().open, 2); // nothing is changed in it
        QVERIFY(!world.session->apply().hasValue());
        QVERIFY(world.session->rejectRest({}, "no").hasValue());
        QVERIFY(world.session->apply().hasValue());
        QTRY_VERIFY(world.end.has_value());
        QCOMPARE(world.history().size(), 1U);
    }

    void eachHunkAloneTellsWhichCarriesTheGain() {
        SessionWorld world;
        world.addStep({{5, "// time -30\n"}, {15, "// time 20\n"}, {25, "// time -10\n"}});
        world.open(SessionMode::Review);
        std::map<int, double> alone, without;
        QObject::connect(world.session.get(), &Session::hunkMeasured, world.session.get(),
                         [&](int hunk, bool isWithout, const Evidence &evidence) {
                             (isWithout ? without : alone)[hunk] = evidence.difference->value;
                         });
        world.session->start();
        QVERIFY(world.waitFor(SessionState::AwaitingReview));
        for (const int id : world.session->review()->hunkIds())
            QVERIFY(world.session->measureHunk(id, false).hasValue() &&
                    world.session->measureHunk(id, true).hasValue());
        QTRY_VERIFY(alone.size() == 3 && without.size() == 3);
        const std::vector<int> ids = world.session->review()->hunkIds();
        QCOMPARE(alone[ids[0]], -30.0);
        QCOMPARE(alone[ids[1]], 20.0);
        QCOMPARE(without[ids[1]], -40.0);
        QVERIFY(!world.session->measureHunk(99, false).hasValue());
        world.session->stop();
        QTRY_VERIFY(world.end.has_value());
    }

    void handEditsBetweenStepsAreTheirOwnIterations() {
        SessionWorld world;
        world.addStep({{5, "one\n"}});
        world.addStep({{10, "two\n"}});
        world.open(SessionMode::Review);
        world.session->start();
        QVERIFY(world.waitFor(SessionState::AwaitingReview));
        QVERIFY(world.session->acceptRest().hasValue());
        world.typeOnDisk(30, "mine\n"); // saved while it was being read
        QVERIFY(world.session->apply().hasValue());
        QTRY_COMPARE(world.scored.size(), 1U);
        QVERIFY(world.waitFor(SessionState::AwaitingReview));
        QCOMPARE(world.onDisk(), SessionWorld::kernel({{5, "one\n"}, {30, "mine\n"}}));
        QCOMPARE(world.recorder.count("hand-edit"), 1);
        const auto history = world.history();
        QCOMPARE(history.size(), 3U);
        QCOMPARE(history[1].iteration.author.kind, AuthorKind::You);
        QCOMPARE(history[2].iteration.parent, 2);
        world.session->stop();
        QTRY_VERIFY(world.end.has_value());
    }

    void whatIsTypedInAnEditorAndNotSavedIsThePersons() {
        SessionWorld world;
        world.addStep({{5, "theirs\n"}});
        world.open(SessionMode::Review);
        world.session->start();
        QVERIFY(world.waitFor(SessionState::AwaitingReview));
        QVERIFY(world.session->typed("kernels/a.cu", {20, 1, {"mine\n"}}));
        QVERIFY(world.session->acceptRest().hasValue());
        QVERIFY(world.session->apply().hasValue());
        QTRY_VERIFY(world.end.has_value());
        QCOMPARE(world.onDisk(), SessionWorld::kernel({{5, "theirs\n"}, {20, "mine\n"}}));
        const auto history = world.history();
        QCOMPARE(history.size(), 3U);
        QCOMPARE(history[1].iteration.author.kind, AuthorKind::You);
        QCOMPARE(history[2].iteration.author.kind, AuthorKind::Script);
    }

    void aConflictIsAskedAboutAndNeverResolvedByTheWay() {
        SessionWorld world;
        world.addStep({{5, "theirs\n"}, {30, "other\n"}});
        world.open(SessionMode::Review);
        world.session->start();
        QVERIFY(world.waitFor(SessionState::AwaitingReview));
        QVERIFY(world.session->acceptRest().hasValue());
        world.typeOnDisk(5, "mine\n");
        QVERIFY(world.session->apply().hasValue());
        QTRY_COMPARE(world.troubles.size(), 1U);
        QVERIFY(world.waitFor(SessionState::AwaitingReview));
        QCOMPARE(world.session->review()->count().conflict, 1);
        QCOMPARE(world.recorder.count("conflict"), 1);
        QVERIFY(!world.session->apply().hasValue());
        const int id = world.session->review()->nextUnanswered();
        QVERIFY(!world.session->accept(id).hasValue());
        QVERIFY(world.session->resolveWith(id, {"both\n"}).hasValue());
        QVERIFY(world.session->apply().hasValue());
        QTRY_VERIFY(world.end.has_value());
        QCOMPARE(world.onDisk(), SessionWorld::kernel({{5, "both\n"}, {30, "other\n"}}));
        QVERIFY(world.recorder.last("conflict-resolved")["resolution"] == Json("edit"));
    }

    void stepWaitsForKeepUndoOrBranch() {
        SessionWorld world;
        for (int step = 0; step < 3; ++step)
            world.addStep({{5 + 10 * step, "step " + QByteArray::number(step) + '\n'}});
        world.open(SessionMode::Step);
        world.session->start();
        QVERIFY(!world.session->answerStep(StepAnswer::Keep).hasValue());
        for (const StepAnswer answer : {StepAnswer::Keep, StepAnswer::Undo, StepAnswer::Branch}) {
            const std::size_t before = world.scored.size();
            QTRY_COMPARE(world.scored.size(), before + 1);
            QVERIFY(world.waitFor(SessionState::Scored));
            QVERIFY(world.session->answerStep(answer).hasValue());
        }
        QTRY_VERIFY(world.end.has_value());
        QCOMPARE(world.onDisk(), SessionWorld::kernel({{5, "step 0\n"}}));
        QCOMPARE(world.history().size(), 4U); // nothing is ever removed
        QCOMPARE(IterationStore(world.folder + "/.warpwright").current(), 2);
    }

    void stepDoesNotUndoWhatWasTypedSince() {
        SessionWorld world;
        world.addStep({{5, "step\n"}});
        world.open(SessionMode::Step);
        world.session->start();
        QTRY_COMPARE(world.scored.size(), 1U);
        world.typeOnDisk(20, "mine\n");
        QVERIFY(world.session->answerStep(StepAnswer::Undo).message().contains("changed by hand"));
        QVERIFY(world.session->answerStep(StepAnswer::Keep).hasValue());
        QTRY_VERIFY(world.end.has_value());
        QCOMPARE(world.onDisk(), SessionWorld::kernel({{5, "step\n"}, {20, "mine\n"}}));
    }

    void autoAcceptsWhatIsFasterAndKeepsTheRestBeside() {
        SessionWorld world;
        world.addStep({{5, "// time -50\n"}});
        world.addStep({{10, "no difference\n"}});
        world.addStep({{15, "// wrong\n"}});
        world.open(SessionMode::Auto);
        world.session->start();
        QTRY_VERIFY(world.end.has_value());
        QCOMPARE(world.scored.size(), 3U);
        QCOMPARE(world.scored[0].outcome, QString("accepted"));
        QCOMPARE(world.scored[1].outcome, QString("branch"));
        QCOMPARE(world.scored[2].outcome, QString("discarded"));
        QCOMPARE(world.onDisk(), SessionWorld::kernel({{5, "// time -50\n"}}));
        QCOMPARE(world.history().size(), 3U);
        QCOMPARE(IterationStore(world.folder + "/.warpwright").current(), 2);
        QCOMPARE(world.recorder.count("policy"), 3);
    }

    void autoDiscardsAConflict() {
        SessionWorld world;
        world.addStep({{5, "// time -50\n"}});
        world.addStep({{5, "// time -90\n"}});
        world.open(SessionMode::Auto);
        // The person types over the first step while the second is being made.
        bool hasTyped = false;
        QObject::connect(world.session.get(), &Session::scored, world.session.get(), [&] {
            if (!std::exchange(hasTyped, true))
                world.typeOnDisk(5, "mine\n");
        });
        world.session->start();
        QTRY_VERIFY(world.end.has_value());
        QCOMPARE(world.scored.size(), 2U);
        QCOMPARE(world.scored[1].outcome, QString("discarded"));
        QVERIFY(world.scored[1].why.contains("changed by hand"));
        QCOMPARE(world.onDisk(), SessionWorld::kernel({{5, "mine\n"}}));
    }

    void budgetsEndTheRun_data() {
        QTest::addColumn<QString>("budget");
        QTest::newRow("iterations") << "iterations";
        QTest::newRow("tokens") << "tokens";
        QTest::newRow("cost") << "cost";
        QTest::newRow("minutes") << "minutes";
    }
    void budgetsEndTheRun() {
        QFETCH(const QString, budget);
        SessionWorld world;
        for (int step = 0; step < 3; ++step)
            world.addStep({{5 + 10 * step, "// time -10\n"}});
        RunBudgets budgets;
        if (budget == "iterations")
            budgets.iterations = 2;
        else if (budget == "tokens")
            budgets.tokens = 100;
        else if (budget == "cost")
            budgets.cost = 0.5;
        else
            budgets.minutes = 0.0005; // 30 ms
        world.open(SessionMode::Auto, budgets);
        if (budget == "minutes")
            world.measurer.isHeld = true;
        QObject::connect(world.session.get(), &Session::scored, world.session.get(), [&] {
            AgentUsage usage;
            usage.tokensIn = 60;
            usage.tokensCached = 50; // a part of them
            usage.cost = 0.3;
            emit world.agent->used(usage);
        });
        world.session->start();
        QTRY_VERIFY(world.end.has_value());
        QCOMPARE(world.end->first, SessionEnd::Budget);
        QVERIFY(world.end->second.contains(budget));
        QCOMPARE(world.scored.size(), budget == "minutes" ? 0U : 2U);
        QVERIFY(world.recorder.last("budget-reached")["budget"] == Json(budget.toStdString()));
    }

    // Others have the device, or the judge is compiled, once for all runs: then the run does not work.
    void waitingIsNoneOfTheRunsMinutes() {
        SessionWorld world;
        world.addStep({{5, "// time -10\n"}});
        RunBudgets budgets;
        budgets.minutes = 0.05; // 3 s
        world.open(SessionMode::Auto, budgets);
        world.measurer.isHeld = true;
        world.session->start();
        QTRY_COMPARE(world.measurer.asked.size(), std::size_t(1));
        StageProgress waits;
        waits.stage = "wait";
        waits.wait = DeviceWait();
        emit world.measurer.progress(1, waits);
        const double used = world.session->meter().minutes;
        QTest::qWait(1800);
        StageProgress builds;
        builds.stage = "open";
        builds.step = judgeBuildStep("about 3 min left");
        emit world.measurer.progress(1, builds);
        QTest::qWait(1800);
        QVERIFY2(!world.end, world.end ? qPrintable(world.end->second) : "");
        QCOMPARE(world.session->meter().minutes, used);
        StageProgress works;
        works.stage = "compile";
        works.step = "compile kernels/a.cu";
        emit world.measurer.progress(1, works);
        QTRY_VERIFY_WITH_TIMEOUT(world.end.has_value(), 20000);
        QCOMPARE(world.end->first, SessionEnd::Budget);
        QVERIFY(world.end->second.contains("minutes"));
    }

    void aCostThatNobodyCountsStopsTheRun() {
        SessionWorld world;
        world.addStep({{5, "// time -10\n"}});
        world.addStep({{15, "// time -10\n"}});
        RunBudgets budgets;
        budgets.cost = 0.5;
        world.open(SessionMode::Auto, budgets);
        QObject::connect(world.session.get(), &Session::scored, world.session.get(), [&] {
            AgentUsage usage;
            usage.tokensIn = 60;
            emit world.agent->used(usage);
        });
        world.session->start();
        QTRY_VERIFY(world.end.has_value());
        QCOMPARE(world.end->first, SessionEnd::Failed);
        QVERIFY2(world.end->second.contains("has no prices"), qPrintable(world.end->second));
        QCOMPARE(world.scored.size(), 1U);
    }

    void theLedgerFollowsFromTheEvents();
    void modesChangeInFlight();
    void pauseHoldsAndResumeGoesOn();
};

void TestSession::modesChangeInFlight() {
    SessionWorld world;
    for (int step = 0; step < 4; ++step)
        world.addStep({{5 + 10 * step - (step == 3 ? 5 : 0), "// time -10\n"}});
    world.open(SessionMode::Review);
    world.session->start();
    QVERIFY(world.waitFor(SessionState::AwaitingReview));
    world.session->setMode(SessionMode::Step); // nothing is answered yet: at once
    QTRY_COMPARE(world.scored.size(), 1U);
    QVERIFY(world.waitFor(SessionState::Scored));
    world.session->setMode(SessionMode::Review); // keeps it
    QVERIFY(world.waitFor(SessionState::AwaitingReview));
    QVERIFY(world.session->acceptRest().hasValue());
    world.session->setMode(SessionMode::Auto); // answered already: from the next one on
    QTest::qWait(50);
    QCOMPARE(world.session->state(), SessionState::AwaitingReview);
    QVERIFY(world.session->apply().hasValue());
    QTRY_VERIFY(world.end.has_value());
    QCOMPARE(world.scored.size(), 4U);
    QCOMPARE(world.recorder.count("mode-changed"), 3);
}

void TestSession::pauseHoldsAndResumeGoesOn() {
    SessionWorld world;
    world.addStep({{5, "// time -50\n"}});
    world.open(SessionMode::Auto);
    world.session->start();
    QVERIFY(world.waitFor(SessionState::Compiling));
    world.session->pause();
    QTest::qWait(50);
    QVERIFY(world.scored.empty() && world.session->isPaused());
    QCOMPARE(world.onDisk(), SessionWorld::kernel());
    world.session->resume();
    QTRY_VERIFY(world.end.has_value());
    QCOMPARE(world.scored.size(), 1U);
    QCOMPARE(world.recorder.count("run-paused"), 1);
    QCOMPARE(world.recorder.count("run-resumed"), 1);
}

void TestSession::theLedgerFollowsFromTheEvents() {
    SessionWorld world;
    world.addStep({{5, "// time -50\n"}},
                  {{"move", "one-pass"}, {"prediction", {{"timeRatio", 0.5}, {"low", 0.4}, {"high", 0.6}}}});
    world.addStep({{15, "// time 50\n"}}, {{"move", "one-pass"}, {"prediction", {{"timeRatio", 0.5}}}});
    world.open(SessionMode::Review);
    world.session->start();
    for (int step = 0; step < 2; ++step) {
        world.measurer.isHeld = step == 1;
        QVERIFY(world.waitFor(SessionState::AwaitingReview));
        if (step == 1) {
            QVERIFY(world.session->bet("person", {2.0, {}, {}, {}, {}}).hasValue());
            world.measurer.isHeld = false;
            world.measurer.release();
        }
        QTRY_VERIFY(world.session->evidence() != nullptr);
        QVERIFY(!world.session->bet("person", {0.1, {}, {}, {}, {}}).hasValue()); // it is shown
        QVERIFY(world.session->acceptRest().hasValue());
        world.measurer.isHeld = step == 0;
        QVERIFY(world.session->apply().hasValue());
        QTRY_COMPARE(world.scored.size(), static_cast<std::size_t>(step + 1));
    }
    QTRY_VERIFY(world.end.has_value());
    PredictionLedger ledger;
    for (const auto &[kind, body] : world.recorder.events)
        ledger.take(kind, body);
    QCOMPARE(ledger.rows().size(), 2U);
    QVERIFY(std::abs(ledger.rows()[0].measured->value - 0.5) < 1e-9);
    QVERIFY(std::abs(ledger.rows()[1].measured->value - 2.0) < 1e-9);
    const Calibration agent = ledger.ofAgent("script");
    QCOMPARE(agent.count, 2);
    QCOMPARE(agent.sameDirection, 1);
    QCOMPARE(agent.withRange, 1);
    QCOMPARE(agent.insideRange, 1);
    QVERIFY(std::abs(agent.typicalFactor - 2) < 1e-9); // exact, and off by four
    QCOMPARE(ledger.ofMove("one-pass").count, 2);
    const Calibration person = ledger.ofBets("person");
    QCOMPARE(person.count, 1);
    QVERIFY(std::abs(person.typicalFactor - 1) < 1e-9);
}

QObject *makeTestSession() {
    return new TestSession;
}

#include "tst_session.moc"
