// SPDX-License-Identifier: GPL-3.0-or-later
// What the end of a run leaves: the text that was kept last on the disk, what was pending in the tree.
#include "tests/agent/session_world.h"

#include <QTest>

using namespace warpwright;

namespace {

std::vector<IterationRecord> marked(const SessionWorld &world, IterationMark mark) {
    std::vector<IterationRecord> found;
    for (const IterationRecord &record : world.history())
        if (record.mark == mark)
            found.push_back(record);
    return found;
}

/// A step that was tried, measured, and waits for keep or undo.
bool waitsForStep(SessionWorld &world) {
    world.addStep({{5, "// time -50\n"}}, {{"title", "tried"}});
    world.open(SessionMode::Step);
    world.session->start();
    return QTest::qWaitFor([&world] { return world.session->stepBase() > 0; }, 5000);
}

/// Says the same again and again, as a small model does.
class Parrot : public Agent {
public:
    Parrot(AuthorKind kind, bool isEmpty) : m_kind(kind), m_isEmpty(isEmpty) {}
    [[nodiscard]] AgentIdentity identity() const override { return {m_kind, "parrot", {}}; }
    void propose(const AgentRequest &request) override {
        QTimer::singleShot(0, this, [this, request] {
            Proposal proposal;
            proposal.id = request.proposal;
            proposal.author = identity().author();
            proposal.title = "again";
            proposal.base = request.texts;
            proposal.proposed = request.texts;
            if (!m_isEmpty)
                proposal.proposed["kernels/a.cu"] = SessionWorld::kernel({{5, "// time 900\n"}});
            if (++proposals > 10)
                emit done("enough");
            else
                emit proposed(proposal);
        });
    }
    void cancel() override {}

    int proposals = 0;

private:
    AuthorKind m_kind;
    bool m_isEmpty;
};

} // namespace

class TestSessionEnd : public QObject {
    Q_OBJECT
private slots:
    void endsWhereAModelOnlyRepeatsItself_data() {
        QTest::addColumn<int>("kind");
        QTest::addColumn<bool>("isEmpty");
        QTest::addColumn<int>("proposals");
        QTest::addColumn<QString>("why");
        const auto row = [](const char *name, AuthorKind kind, bool isEmpty, int proposals, const char *why) {
            QTest::newRow(name) << static_cast<int>(kind) << isEmpty << proposals << QString(why);
        };
        row("nothing", AuthorKind::Model, true, 3,
            "parrot has proposed 3 times in a row what changes nothing: \"again\".");
        row("what was not taken", AuthorKind::Acp, false, 3,
            "parrot has proposed the same text 3 times in a row: \"again\".");
        row("a script comes to its end", AuthorKind::Script, true, 11, "enough");
    }
    void endsWhereAModelOnlyRepeatsItself() {
        QFETCH(int, kind);
        QFETCH(bool, isEmpty);
        QFETCH(int, proposals);
        QFETCH(QString, why);
        SessionWorld world;
        Parrot parrot(static_cast<AuthorKind>(kind), isEmpty);
        SessionSetup setup;
        setup.workspace = Workspace::open(world.folder, world.scratch.folders()).value();
        setup.run = "r1";
        setup.device = "cpu";
        setup.mode = SessionMode::Auto;
        Session session(setup, parrot, world.measurer, world.recorder);
        std::optional<std::pair<SessionEnd, QString>> end;
        connect(&session, &Session::ended, &session, [&end](SessionEnd how, const QString &words) {
            end = {how, words};
        });
        session.start();
        QTRY_VERIFY_WITH_TIMEOUT(end.has_value(), 20'000);
        QCOMPARE(end->second, why);
        QCOMPARE(end->first, SessionEnd::Done);
        QCOMPARE(parrot.proposals, proposals);
    }

    void whatAutoHadPendingIsInTheTree() {
        SessionWorld world;
        world.addStep({{5, "// time -50\n"}}, {{"title", "pending"}});
        world.open(SessionMode::Auto);
        QObject::connect(world.session.get(), &Session::stateChanged, world.session.get(), [&world] {
            if (world.session->review() != nullptr && world.session->state() == SessionState::Verifying)
                world.session->stop();
        });
        world.session->start();
        QTRY_VERIFY(world.end.has_value());
        QCOMPARE(world.onDisk(), SessionWorld::kernel());
        const auto left = marked(world, IterationMark::NotDecided);
        QCOMPARE(left.size(), 1U);
        QCOMPARE(left[0].iteration.note, QString("pending"));
        QCOMPARE(noteOf(left[0]), QString("pending (not decided: the run ended)"));
        const IterationStore store(world.folder + "/.warpwright");
        QCOMPARE(store.texts(left[0].iteration.number).value().at("kernels/a.cu"),
                 SessionWorld::kernel({{5, "// time -50\n"}}));
        QCOMPARE(store.current(), 1); // what a person goes on from
        // Gone on with it is proposed once more.
        QVERIFY(world.goOn());
        QTRY_VERIFY(world.end.has_value());
        QCOMPARE(world.onDisk(), SessionWorld::kernel({{5, "// time -50\n"}}));
    }

    void aStepThatNobodyKeptIsTakenBack_data() {
        QTest::addColumn<QString>("ends");
        for (const char *ends : {"stop", "budget", "full disk"})
            QTest::newRow(ends) << QString(ends);
    }
    void aStepThatNobodyKeptIsTakenBack() {
        QFETCH(const QString, ends);
        SessionWorld world;
        QVERIFY(waitsForStep(world));
        QCOMPARE(world.onDisk(), SessionWorld::kernel({{5, "// time -50\n"}}));
        if (ends == "stop") {
            world.session->stop();
        } else if (ends == "budget") {
            RunBudgets budgets;
            budgets.minutes = 1e-9;
            world.session->setBudgets(budgets);
        } else {
            world.recorder.refusal = "The disk is full."; // the text goes back all the same
            world.session->stop();
        }
        QTRY_VERIFY(world.end.has_value());
        QCOMPARE(world.onDisk(), SessionWorld::kernel());
        QCOMPARE(world.session->iteration(), 1);
        QVERIFY(world.session->evaluation().has_value());
        QCOMPARE(world.recorder.count("restored"), ends == "full disk" ? 0 : 1);
        const auto left = marked(world, IterationMark::TakenBack);
        QCOMPARE(left.size(), 1U);
        QCOMPARE(left[0].iteration.note, QString("tried"));
        QVERIFY(!QFile::exists(world.folder + "/.warpwright/pending.json"));
    }

    void aKeptStepStays() {
        SessionWorld world;
        QVERIFY(waitsForStep(world));
        QVERIFY(world.session->answerStep(StepAnswer::Keep).hasValue());
        world.session->stop();
        QTRY_VERIFY(world.end.has_value());
        QCOMPARE(world.onDisk(), SessionWorld::kernel({{5, "// time -50\n"}}));
        QVERIFY(marked(world, IterationMark::TakenBack).empty());
    }

    void whatWasTypedUnderAStepStays() {
        SessionWorld world;
        QVERIFY(waitsForStep(world));
        world.typeOnDisk(30, "mine\n");
        world.session->stop();
        QTRY_VERIFY(world.end.has_value());
        QCOMPARE(world.onDisk(), SessionWorld::kernel({{30, "mine\n"}}));
        const auto history = world.history();
        QCOMPARE(history.back().iteration.author.kind, AuthorKind::You);
        QCOMPARE(history.back().iteration.parent, 1);
        QCOMPARE(history.back().iteration.number, world.session->iteration());
        QCOMPARE(textHashOf(world.session->texts()), history.back().iteration.textHash);
        QVERIFY(world.troubles.back().contains("was taken back"));
    }

    // A step with whole files knows nothing of the line: it must not take it back when it is proposed again.
    void whatWasTypedSurvivesInARunThatGoesOn() {
        SessionWorld world;
        QVERIFY(waitsForStep(world));
        world.typeOnDisk(30, "mine\n");
        world.session.reset(); // as a killed program does
        QVERIFY(world.goOn());
        QTRY_VERIFY(world.session->stepBase() > 0);
        QCOMPARE(world.onDisk(), SessionWorld::kernel({{5, "// time -50\n"}, {30, "mine\n"}}));
        QCOMPARE(world.session->review()->count().total(), 1);
        QVERIFY(world.session->answerStep(StepAnswer::Keep).hasValue());
        QTRY_VERIFY(world.end.has_value());
        QCOMPARE(world.onDisk(), SessionWorld::kernel({{5, "// time -50\n"}, {30, "mine\n"}}));
    }

    void whatWasTypedInTheLinesOfAStepIsNotLost() {
        SessionWorld world;
        QVERIFY(waitsForStep(world));
        world.typeOnDisk(5, "// time -60 by me\n");
        world.session->stop();
        QTRY_VERIFY(world.end.has_value());
        QCOMPARE(world.onDisk(), SessionWorld::kernel({{5, "// time -60 by me\n"}}));
        QCOMPARE(world.history().back().iteration.author.kind, AuthorKind::You);
        QVERIFY(world.troubles.back().contains("stays as you left it"));
    }

    void aDeathInAStepIsTakenBackAtTheNextStart() {
        SessionWorld world;
        QVERIFY(waitsForStep(world));
        const Workspace workspace = Workspace::open(world.folder, world.scratch.folders()).value();
        {
            WorkspaceLock other(workspace.state);
            QCOMPARE(other.take(), WorkspaceLock::State::HeldByOther);
            QCOMPARE(finishInterrupted(workspace, other).value(), QString()); // the run's own concern
        }
        world.session.reset(); // as a killed program does: nothing is taken back
        QCOMPARE(world.onDisk(), SessionWorld::kernel({{5, "// time -50\n"}}));
        WorkspaceLock lock(workspace.state);
        lock.take();
        QVERIFY(finishInterrupted(workspace, lock).value().contains("iteration 1"));
        QCOMPARE(world.onDisk(), SessionWorld::kernel());
        QCOMPARE(marked(world, IterationMark::TakenBack).size(), 1U);
        QCOMPARE(finishInterrupted(workspace, lock).value(), QString());
        lock.release();
        // Gone on with it is tried once more, and the text that it is compared with is the one before.
        QVERIFY(world.goOn());
        QTRY_VERIFY(world.session->stepBase() > 0);
        QCOMPARE(world.session->review()->proposal().title, QString("tried"));
        QVERIFY(world.session->answerStep(StepAnswer::Keep).hasValue());
        QTRY_VERIFY(world.end.has_value());
        QCOMPARE(world.onDisk(), SessionWorld::kernel({{5, "// time -50\n"}}));
    }

    // Between the two words of a step that is about to be written: the text there is the one that was kept.
    void aDeathBeforeAStepIsWrittenChangesNothing() {
        SessionWorld world;
        const Workspace workspace = Workspace::open(world.folder, world.scratch.folders()).value();
        const AppliedText applied(workspace);
        CandidateTexts texts = applied.read().value();
        QVERIFY(applied.store().commit(texts, 0, {}).hasValue());
        texts["kernels/a.cu"] = "tried\n";
        QVERIFY(applied.store().commit(texts, 1, {AuthorKind::Script, "script"}, "tried").hasValue());
        for (const char *mark : {"{\"kept\": 1, \"iteration\": 0}", "{\"kept\": 1, \"iteration\": 2}"}) {
            world.scratch.write("work/.warpwright/pending.json", mark);
            QVERIFY(applied.finish().hasValue());
            QCOMPARE(world.onDisk(), SessionWorld::kernel());
            QCOMPARE(applied.store().current(), 1);
        }
        world.scratch.write("work/.warpwright/pending.json", "{\"kept\": 1, \"iter"); // a full disk
        QVERIFY(applied.finish().hasValue());
        QVERIFY(!applied.hasUnfinished());
        QCOMPARE(world.onDisk(), SessionWorld::kernel());
    }

    void autoDecidesOnAStepThatWasBeingTried_data() {
        QTest::addColumn<QByteArray>("line");
        QTest::addColumn<bool>("isKept");
        QTest::newRow("faster") << QByteArray("// time -50\n") << true;
        QTest::newRow("slower") << QByteArray("// time 50\n") << false;
        QTest::newRow("wrong") << QByteArray("// wrong\n") << false;
    }
    void autoDecidesOnAStepThatWasBeingTried() {
        QFETCH(const QByteArray, line);
        QFETCH(const bool, isKept);
        for (const bool isMeasured : {false, true}) {
            SessionWorld world;
            world.addStep({{5, line}});
            world.open(SessionMode::Step);
            QObject::connect(world.session.get(), &Session::stateChanged, world.session.get(),
                             [&](SessionState now) {
                                 if (!isMeasured && now == SessionState::Verifying && world.session->review())
                                     world.session->setMode(SessionMode::Auto);
                             });
            world.session->start();
            if (isMeasured) {
                QTRY_VERIFY(world.session->stepBase() > 0);
                world.session->setMode(SessionMode::Auto);
            }
            QTRY_VERIFY(world.end.has_value());
            QCOMPARE(world.end->first, SessionEnd::Done);
            QCOMPARE(world.onDisk(), isKept ? SessionWorld::kernel({{5, line}}) : SessionWorld::kernel());
            QCOMPARE(world.recorder.count("policy"), 1);
            QCOMPARE(world.recorder.count("step"), 1);
        }
    }

    // In Auto nothing is written that was not measured as it is: neither with what was saved meanwhile.
    void autoMeasuresWhatItWrites() {
        SessionWorld world;
        world.addStep({{5, "// time -50\n"}});
        world.open(SessionMode::Auto);
        bool hasTyped = false;
        QObject::connect(world.session.get(), &Session::stateChanged, world.session.get(), [&] {
            if (!std::exchange(hasTyped, hasTyped || world.session->review() != nullptr) && hasTyped)
                world.typeOnDisk(30, "// wrong\n");
        });
        world.session->start();
        QTRY_VERIFY(world.end.has_value());
        QVERIFY(hasTyped);
        QCOMPARE(world.onDisk(), SessionWorld::kernel({{30, "// wrong\n"}})); // the person's alone
    }
};

QObject *makeTestSessionEnd() {
    return new TestSessionEnd;
}

#include "tst_session_end.moc"
