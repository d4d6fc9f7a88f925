// SPDX-License-Identifier: GPL-3.0-or-later
// Whole runs of the script agent in the window, in each mode, with answers of every kind, edits by hand
// between and conflicts; Stop in every state. Afterwards the trajectory alone gives the text on the disk
// again. WARPWRIGHT_ITERATIONS says how many steps (6).
#include "agent/record/replay.h"
#include "app/ide/agent/agent_event_model.h"
#include "app/ide/agent/agent_panel.h"
#include "tests/gui/script_world.h"
#include "tests/toolchain/run_test_classes.h"
#include "toolchain/history/iteration_store.h"
#include "toolchain/workspace/candidate_texts.h"
#include "widgets/editor/code_editor.h"
#include "widgets/review/hunk_marks.h"

#include <QAbstractButton>
#include <QDir>
#include <QLineEdit>
#include <QTest>

using namespace warpwright;

namespace {

int stepsWanted() {
    bool isNumber = false;
    const int count = qEnvironmentVariableIntValue("WARPWRIGHT_ITERATIONS", &isNumber);
    return isNumber && count > 0 ? count : 6;
}

/// A window on a workspace, and steps whose times the fake judge reads in the text: every tenth is wrong,
/// every tenth slower.
struct RunWorld : ScriptWorld {
    explicit RunWorld(int count) {
        QByteArray remarks, times;
        const qsizetype top = base.indexOf('\n') + 1;
        for (int step = 1; step <= count; ++step) {
            times += step % 10 == 4 ? QByteArray("// fake judge: verdict=wrong\n")
                     : step % 10 == 7
                         ? QByteArray("// fake judge: times=100,220,150\n")
                         : "// fake judge: times=" + QByteArray::number(100 - 3 * step) + ",220,150\n";
            remarks.prepend("// remark " + QByteArray::number(step) + '\n');
            addStep(base.left(top) + remarks + base.mid(top) + times,
                    {{"prediction", {{"timeRatio", 0.97}}}});
        }
    }

    [[nodiscard]] SessionState state() const {
        return session() == nullptr ? SessionState::Ended : session()->state();
    }
    /// True: the run stands there; false: it has ended.
    [[nodiscard]] bool comesTo(SessionState wanted) const {
        const bool came = QTest::qWaitFor([&] { return !agent().isRunning() || state() == wanted; }, 120000);
        if (!came)
            qWarning("the run stays %s", qPrintable(sessionStateName(state())));
        return came && agent().isRunning();
    }

    /// The events of the only run, and what is wrong with them; the replayed texts against those on the disk.
    void verifyTrajectory(std::map<std::string, int> &kinds, std::map<std::string, int> &answers) const {
        const QString runs = runsFolder(window.folder + "/.warpwright");
        const QStringList names = QDir(runs).entryList(QDir::Dirs | QDir::NoDotAndDotDot);
        QCOMPARE(names.size(), 1);
        const IterationStore store(window.folder + "/.warpwright");
        auto opened = TrajectoryReplay::open(trajectoryFile(runs + '/' + names[0]),
                                             [&store](int iteration) { return store.texts(iteration); });
        QVERIFY2(opened.hasValue(), qPrintable(opened.message()));
        TrajectoryReplay replay = std::move(opened).value();
        for (;;) {
            const auto next = replay.next();
            QVERIFY2(next.hasValue(), qPrintable(next.message()));
            if (!next.value())
                break;
            const TrajectoryEvent &event = next.value()->event;
            ++kinds[event.kind.toStdString()];
            if (event.kind == "decision" || event.kind == "policy")
                ++answers[stringIn(event.body, "answer").toStdString()];
        }
        for (const TrajectoryReplay::Problem &problem : replay.problems())
            QFAIL(qPrintable(problem.message));
        QVERIFY(replay.texts() == readCandidateTexts(*window.window->bench().workspace()).value());
        QCOMPARE(kinds["run-ended"] + kinds["run-stopped"] >= 1, true);
    }
};

} // namespace

class TestAgentModes : public QObject {
    Q_OBJECT

    /// Until the run has ended: one proposal after the other is answered, each in another way.
    static void reviewAll(RunWorld &world) {
        for (int number = 0; world.comesTo(SessionState::AwaitingReview); ++number) {
            Session *session = world.session();
            if (session->review() == nullptr || session->review()->count().unanswered() == 0) {
                world.actions().run->trigger();
                QTest::qWait(20);
                continue;
            }
            CodeEditor *editor = world.window.editor(RunWorld::kernelFile);
            QTRY_VERIFY(!editor->decorator<HunkMarks>().hunks().empty());
            switch (number % 5) {
            case 0: // typed in the editor meanwhile
                editor->SendScintilla(QsciScintillaBase::SCI_GOTOPOS, 0);
                editor->insert(QStringLiteral("// typed %1\n").arg(number));
                world.actions().acceptHunk->trigger();
                break;
            case 1: // all of it goes, with a reason
                QTest::mouseClick(world.window.find<QAbstractButton>("rejectAllButton"), Qt::LeftButton);
                world.window.find<QLineEdit>("reasonField")->setText(QStringLiteral("slower than I like"));
                break;
            case 2: // the agent's lines, and on from them
                world.actions().editHunk->trigger();
                editor->insert(QStringLiteral("/* edited */ "));
                break;
            case 3: { // saved on the disk by something else, where the agent writes, too
                QByteArray text = bytesOf(world.kernel);
                text.insert(text.indexOf('\n') + 1, "// by hand " + QByteArray::number(number) + '\n');
                world.window.cli.write(world.kernel, text);
                world.actions().rejectHunk->trigger();
                world.actions().undoDecision->trigger();
                break;
            }
            default:
                break;
            }
            settle(world);
        }
    }

    /// Every hunk gets an answer, a conflict the agent's lines.
    static void settle(RunWorld &world) {
        for (int round = 0; round < 50; ++round) {
            Session *session = world.session();
            if (session == nullptr || session->state() != SessionState::AwaitingReview ||
                session->review() == nullptr)
                return;
            world.actions().acceptAllHunks->trigger();
            for (const int id : session->review()->hunkIds())
                if (session->review()->hunk(id)->state == HunkState::Conflict)
                    QVERIFY(session->resolve(id, FileReview::Side::Theirs).hasValue());
            QTest::qWait(50); // what was typed is taken when the keys rest
            if (session->review()->count().unanswered() == 0 && world.actions().run->isEnabled()) {
                world.actions().run->trigger();
                if (!QTest::qWaitFor(
                        [&] {
                            return world.session() == nullptr ||
                                   world.state() != SessionState::AwaitingReview;
                        },
                        2000))
                    continue; // a conflict came up with what was saved meanwhile
                return;
            }
        }
        QFAIL("a proposal cannot be answered");
    }

private slots:
    void initTestCase() { NEED_TOOL(!CliWorld::python().isEmpty(), "a Python environment with torch"); }

    void review() {
        RunWorld world(stepsWanted());
        QVERIFY(world.window.open(world.window.folder));
        QVERIFY(world.begin());
        reviewAll(world);
        QVERIFY(!QTest::currentTestFailed());
        std::map<std::string, int> kinds, answers;
        world.verifyTrajectory(kinds, answers);
        QCOMPARE(kinds["proposal"], stepsWanted());
        QVERIFY(answers["accept"] > 0 && answers["reject"] > 0 && answers["edit"] > 0);
        QVERIFY(kinds["hand-edit"] > 0 && kinds["decision-undone"] > 0);
        const QByteArray text = bytesOf(world.kernel);
        QVERIFY2(text.contains("// typed 0\n") && text.contains("// by hand 3\n"), text);
    }

    void step() {
        RunWorld world(stepsWanted());
        QVERIFY(world.window.open(world.window.folder));
        QVERIFY(world.begin(SessionMode::Step));
        for (int number = 0; world.comesTo(SessionState::Scored); ++number) {
            QAction *answer = number % 3 == 1 ? world.actions().undoStep : world.actions().run;
            QTRY_VERIFY(answer->isEnabled());
            answer->trigger();
            QTRY_VERIFY(world.state() != SessionState::Scored || !world.agent().isRunning());
        }
        std::map<std::string, int> kinds, answers;
        world.verifyTrajectory(kinds, answers);
        QCOMPARE(kinds["proposal"], stepsWanted());
        const auto history = IterationStore(world.window.folder + "/.warpwright").list().value();
        QCOMPARE(static_cast<int>(history.size()), 1 + stepsWanted());
    }

    void autoRun() {
        RunWorld world(stepsWanted());
        QVERIFY(world.window.open(world.window.folder));
        QVERIFY(world.begin(SessionMode::Auto));
        QTRY_VERIFY_WITH_TIMEOUT(!world.agent().isRunning(), 280000);
        std::map<std::string, int> kinds, answers;
        world.verifyTrajectory(kinds, answers);
        QCOMPARE(kinds["proposal"], stepsWanted());
        QCOMPARE(kinds["policy"], stepsWanted());
        QVERIFY(answers["accept"] > 0 && answers["discard"] > 0);
    }

    void stopsInEveryState_data() {
        QTest::addColumn<int>("mode");
        QTest::addColumn<int>("state");
        QTest::addColumn<QString>("slow");
        const auto row = [](const char *name, SessionMode mode, SessionState state, const char *slow) {
            QTest::newRow(name) << static_cast<int>(mode) << static_cast<int>(state) << slow;
        };
        row("proposing", SessionMode::Review, SessionState::Proposing, "");
        row("awaiting review", SessionMode::Review, SessionState::AwaitingReview, "");
        row("verifying", SessionMode::Step, SessionState::Verifying, " slow=verify:2");
        row("profiling", SessionMode::Step, SessionState::Profiling, " slow=profile:2");
        row("scored", SessionMode::Step, SessionState::Scored, "");
        row("verifying by itself", SessionMode::Auto, SessionState::Verifying, " slow=verify:2");
    }

    void stopsInEveryState() {
        QFETCH(int, mode);
        QFETCH(int, state);
        QFETCH(QString, slow);
        RunWorld world(2);
        world.window.tell("intext" + slow);
        QVERIFY(world.window.open(world.window.folder));
        QVERIFY(world.begin(static_cast<SessionMode>(mode)));
        QVERIFY(world.comesTo(static_cast<SessionState>(state)));
        const bool isOfProposal = world.session()->review() != nullptr;
        world.actions().stop->trigger();
        // Nobody kept it: the text before lies on the disk at once, in the editor too, and it is in the tree.
        QCOMPARE(bytesOf(world.kernel), world.base);
        QTRY_VERIFY_WITH_TIMEOUT(!world.agent().isRunning(), 30000);
        QTRY_COMPARE(world.window.editor(RunWorld::kernelFile)->text().toUtf8(), world.base);
        QTRY_VERIFY(world.actions().check->isEnabled());
        const auto history = IterationStore(world.window.folder + "/.warpwright").list().value();
        QCOMPARE(history.back().mark, !isOfProposal ? IterationMark::None
                                      : static_cast<SessionMode>(mode) == SessionMode::Step
                                          ? IterationMark::TakenBack
                                          : IterationMark::NotDecided);
        QTRY_COMPARE(world.window.window->bench().liveIteration(), 1);
        std::map<std::string, int> kinds, answers;
        world.verifyTrajectory(kinds, answers);
        QCOMPARE(kinds["run-stopped"], 1);
    }

    void aClosedWindowLeavesTheKeptText() {
        RunWorld world(1);
        QVERIFY(world.window.open(world.window.folder));
        QVERIFY(world.begin(SessionMode::Step));
        QVERIFY(world.comesTo(SessionState::Scored));
        QVERIFY(bytesOf(world.kernel) != world.base);
        world.window.window->close();
        QCOMPARE(bytesOf(world.kernel), world.base);
    }

    // The window is told by the history what the program before it had left half done.
    void aKilledStepIsTakenBackWhenItsWorkspaceIsOpened() {
        RunWorld world(1);
        const IterationStore store(world.window.folder + "/.warpwright");
        const Workspace workspace = Workspace::open(world.window.folder, DataFolders::find()).value();
        CandidateTexts texts = readCandidateTexts(workspace).value();
        QVERIFY(store.commit(texts, 0, {}).hasValue());
        texts[RunWorld::kernelFile] = world.base + "// tried\n";
        QVERIFY(store.commit(texts, 1, {AuthorKind::Script, "script"}, "tried").hasValue());
        world.window.cli.write(world.kernel, texts[RunWorld::kernelFile]);
        world.window.cli.write(world.window.folder + "/.warpwright/pending.json",
                               "{\"kept\": 1, \"iteration\": 2}");
        QVERIFY(world.window.open(world.window.folder));
        QCOMPARE(bytesOf(world.kernel), world.base);
        QTRY_COMPARE(world.window.editor(RunWorld::kernelFile)->text().toUtf8(), world.base);
        QCOMPARE(store.list().value().back().mark, IterationMark::TakenBack);
    }

    // A lesson on a machine that is busy: the clock cannot decide, and the series goes on.
    void anUndecidedStepOfASeriesIsKept() {
        RunWorld world(0);
        const Json keeps{{"undecided", "keep"}, {"prediction", {{"timeRatio", 0.8}}}};
        const QByteArray unsure = "// fake judge: verdict=inconclusive\n";
        world.addStep(world.base + unsure, keeps);
        world.addStep(world.base + "// fake judge: times=80,220,150\n", keeps);
        QVERIFY(world.window.open(world.window.folder));
        QVERIFY(world.begin(SessionMode::Auto));
        QTRY_VERIFY_WITH_TIMEOUT(!world.agent().isRunning(), 120000);
        QCOMPARE(bytesOf(world.kernel), world.base + "// fake judge: times=80,220,150\n");
        QString said;
        const AgentEventModel &events = world.window.find<AgentPanel>("agentPanel")->events();
        for (int row = 0; row < events.rowCount(); ++row)
            said += events.event(row).text + '\n';
        QVERIFY2(said.contains("Verified, time undecided"), qPrintable(said));
        QVERIFY2(!said.contains("by hand"), qPrintable(said));
    }

    // What was promised stays what it was, before, while and after it is measured.
    void aPredictionStaysTheSame() {
        RunWorld world(1);
        QVERIFY(world.window.open(world.window.folder));
        QStringList shown;
        QObject::connect(&world.agent(), &AgentController::runChanged, &world.agent(), [&] {
            if (const auto proposal = world.agent().proposal())
                shown << QString::number(proposal->predicted.state) + proposal->predicted.value +
                             proposal->predicted.spread;
        });
        QVERIFY(world.begin(SessionMode::Step));
        QVERIFY(world.comesTo(SessionState::Scored));
        QTRY_VERIFY(!shown.isEmpty());
        shown.removeDuplicates();
        QCOMPARE(shown.size(), 1);
        QVERIFY2(shown[0].contains(QStringLiteral("\u22123.00")), qPrintable(shown[0]));
        world.actions().stop->trigger();
        QTRY_VERIFY_WITH_TIMEOUT(!world.agent().isRunning(), 30000);
    }
};

QObject *makeTestAgentModes() {
    return new TestAgentModes;
}

#include "tst_agent_modes.moc"
