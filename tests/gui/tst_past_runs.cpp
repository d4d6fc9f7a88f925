// SPDX-License-Identifier: GPL-3.0-or-later
// Past runs in the window: listed, searched, replayed byte for byte, branched from and gone on with.
#include "agent/record/replay.h"
#include "agent/record/run_scene.h"
#include "app/ide/agent/agent_panel.h"
#include "app/ide/history/iteration_model.h"
#include "app/ide/history/iterations_panel.h"
#include "app/ide/history/past_run_panel.h"
#include "app/ide/history/past_runs_models.h"
#include "app/ide/history/past_runs_page.h"
#include "app/ide/history/replay_bar.h"
#include "app/ide/history/replay_controller.h"
#include "app/ide/history/run_event_list.h"
#include "app/ide/results/verdict_banner.h"
#include "tests/gui/script_world.h"
#include "tests/toolchain/run_test_classes.h"
#include "toolchain/history/iteration_store.h"
#include "widgets/editor/code_editor.h"
#include "widgets/frame/empty_state.h"

#include <QAbstractButton>
#include <QDir>
#include <QFile>
#include <QLineEdit>
#include <QSignalSpy>
#include <QTableView>
#include <QTest>

using namespace warpwright;

namespace {

/// A window on a workspace in which a script of steps has run by itself.
struct PastWorld : ScriptWorld {
    explicit PastWorld(int count = 3) {
        QByteArray text = base;
        for (int step = 1; step <= count; ++step) {
            text.replace("#include <cmath>", "#include <cmath>\n// step " + QByteArray::number(step));
            text += "// fake judge: times=" + QByteArray::number(100 - 5 * step) + ",220,150\n";
            addStep(text, {{"reason", "Because rows are short."},
                           {"move", "vectorize"},
                           {"prediction", {{"timeRatio", 0.95}}}});
        }
    }
    bool run(SessionMode mode = SessionMode::Auto) {
        if (!window.open(window.folder))
            return false;
        if (!begin(mode))
            return false;
        return QTest::qWaitFor([this] { return !agent().isRunning(); }, 180000);
    }
    bool openPage() {
        auto *page = window.window->findChild<PastRunsPage *>();
        QSignalSpy listed(page, &PastRunsPage::listed);
        window.window->actions().pastRuns->trigger();
        return listed.wait(30000);
    }
    bool openRun(qint64 event = 1) {
        if (!openPage() || page().shownRuns().empty())
            return false;
        emit page().runPicked(page().shownRuns().front(), event);
        return goesTo(event);
    }
    bool goesTo(qint64 event) {
        return QTest::qWaitFor([&] { return replay().number() == event; }, 30000);
    }
    [[nodiscard]] ReplayController &replay() const { return window.window->replay(); }
    [[nodiscard]] Workbench &bench() const { return window.window->bench(); }
    [[nodiscard]] PastRunsPage &page() const { return *window.window->findChild<PastRunsPage *>(); }
    [[nodiscard]] PastRunPanel &panel() const { return *window.window->findChild<PastRunPanel *>(); }
    [[nodiscard]] QString trajectory() const {
        return trajectoryFile(runsFolder(window.folder + "/.warpwright") + '/' + replay().run()->run);
    }
};

} // namespace

class TestPastRuns : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { NEED_TOOL(!CliWorld::python().isEmpty(), "a Python environment with torch"); }

    void saysThatThereAreNone() {
        PastWorld world;
        QVERIFY(!world.actions().pastRuns->isEnabled());
        QVERIFY(world.window.open(world.window.folder));
        QVERIFY(world.openPage());
        QVERIFY(world.page().shownRuns().empty());
        QVERIFY(!world.replay().isOpen());
    }

    void playsARecordingThatShips() {
        PastWorld world;
        world.actions().startPage->trigger();
        auto *row = [&world] {
            QAbstractButton *found = nullptr;
            const bool isThere = QTest::qWaitFor(
                [&] {
                    found = world.window.window->findChild<QAbstractButton *>(
                        "recording-playbook-pointwise-chain-cpu");
                    return found != nullptr;
                },
                30000);
            return isThere ? found : nullptr;
        }();
        QVERIFY(row != nullptr);
        row->click();
        QTRY_COMPARE_WITH_TIMEOUT(world.replay().number(), 1, 60000);
        QCOMPARE(world.replay().run()->agent, QStringLiteral("playbook"));
        QTRY_COMPARE(world.replay().records().size(), std::size_t(4));
        // Its evaluations do not ship; their summaries are in the run.
        world.replay().goTo(world.replay().last());
        QVERIFY(world.goesTo(world.replay().last()));
        QTRY_COMPARE(world.window.word(), QStringLiteral("Pass"));
        QVERIFY2(world.window.banner()->below().startsWith("iteration 3 of 4"),
                 qPrintable(world.window.banner()->below()));
        QCOMPARE(world.window.banner()->cells().at(1).value, QStringLiteral("7.56×"));
        QTRY_COMPARE(world.panel().view().proposal->state, ProposalView::Rejected); // it was taken back
        // Branched from, it is a workspace as any other.
        world.actions().branchHere->trigger();
        QTRY_VERIFY_WITH_TIMEOUT(!world.replay().isOpen(), 30000);
        QTRY_VERIFY_WITH_TIMEOUT(
            QFile::exists(world.bench().workspace()->folder + "/kernels/fused_pointwise.cpp"), 30000);
    }

    void listsFiltersAndFinds() {
        PastWorld world;
        QVERIFY(world.run());
        // The index is made anew where it is missing.
        QFile::remove(RunIndex::fileIn(world.window.folder + "/.warpwright"));
        QVERIFY(world.openPage());
        QCOMPARE(world.page().shownRuns().size(), std::size_t(1));
        const IndexedRun run = world.page().shownRuns().front();
        QCOMPARE(run.agent, QStringLiteral("script"));
        QCOMPARE(run.iterations, 4); // with the text that it began with
        QVERIFY(run.best.has_value());
        QCOMPARE(run.best->candidate->medianMicroseconds, 85.0);
        QVERIFY2(run.ending.startsWith("ended"), qPrintable(run.ending));
        // Beside the text that it began with, by the same number: 220 us of eager against 100 and 85.
        QCOMPARE(run.startIteration, 1);
        PastRunsModel model;
        model.setRuns({run});
        const auto said = [&model](PastRunsModel::Column column) {
            return model.headerData(column, Qt::Horizontal, Qt::DisplayRole).toString() + ": " +
                   model.index(0, column).data().toString();
        };
        QVERIFY2(said(PastRunsModel::Start).startsWith("start, over eager: 2.20×"),
                 qPrintable(said(PastRunsModel::Start)));
        QVERIFY2(said(PastRunsModel::Best).startsWith("its best, over eager: 2.59×"),
                 qPrintable(said(PastRunsModel::Best)));
        // So does the tree say what its best goes by.
        const auto *tree = world.window.window->findChild<IterationModel *>();
        const QString best = tree->indexOf(tree->best()).data(Qt::ToolTipRole).toString();
        QVERIFY2(best.contains("Best with 2.59× over eager: the highest speed-up over eager"),
                 qPrintable(best));
        auto *filter = world.window.find<QLineEdit>("runFilter");
        filter->setText("no such run");
        QVERIFY(world.page().shownRuns().empty());
        filter->setText("SCRIPT auto");
        QCOMPARE(world.page().shownRuns().size(), std::size_t(1));
        auto *found = world.window.find<QTableView>("foundEvents");
        QSignalSpy answered(&world.page(), &PastRunsPage::found);
        world.window.find<QLineEdit>("runSearch")->setText("rows short");
        QVERIFY(answered.wait(30000));
        QCOMPARE(found->model()->rowCount(), 3);
        // A click on what was found opens the run at that event.
        emit found->clicked(found->model()->index(2, 0));
        QTRY_VERIFY_WITH_TIMEOUT(world.replay().number() > 1, 30000);
        QTRY_VERIFY(world.panel().view().proposal.has_value());
        QVERIFY(world.panel().isVisible());
    }

    void replayIsByteForByteAndLeavesTheTextAlone() {
        PastWorld world;
        QVERIFY(world.run());
        QTRY_VERIFY(world.window.editor(PastWorld::kernelFile)->content().contains("// step 3"));
        CodeEditor *editor = world.window.editor(PastWorld::kernelFile);
        editor->SendScintilla(QsciScintillaBase::SCI_GOTOPOS, 0);
        editor->insert(QStringLiteral("// typed and not saved\n"));
        const QString typed = editor->content();
        const QByteArray disk = world.onDisk();
        QVERIFY(world.openRun());
        QVERIFY(world.window.find<ReplayBar>("replayBar")->isVisible());
        QVERIFY(!world.actions().check->isEnabled());
        TrajectoryReplay truth =
            TrajectoryReplay::open(world.trajectory(), historyBeside(world.trajectory())).value();
        const qint64 last = world.replay().last();
        QVERIFY(last > 10);
        const auto agrees = [&](qint64 number) {
            return truth.seek(number).hasValue() && world.bench().shown().texts == truth.texts();
        };
        for (qint64 number = 1; number <= last; ++number) {
            world.replay().goTo(number);
            QVERIFY(world.goesTo(number));
            QVERIFY2(agrees(number), qPrintable(QString::number(number)));
        }
        QVERIFY(truth.problems().empty());
        QCOMPARE(world.panel().view().ledger.size(), std::size_t(3));
        QVERIFY(!world.panel().view().ledger.back().measured.isEmpty());
        // Back, by the key of the bar and by the tree: what came later is not known there.
        world.actions().replayBack->trigger();
        QVERIFY(world.goesTo(last - 1));
        QVERIFY(agrees(last - 1));
        QTRY_COMPARE(world.replay().records().size(), std::size_t(4));
        world.replay().goToIteration(world.replay().records()[1].iteration.number);
        QTRY_VERIFY_WITH_TIMEOUT(
            world.bench().shown().texts.at(PastWorld::kernelFile).contains("times=95") &&
                !world.bench().shown().texts.at(PastWorld::kernelFile).contains("times=90"),
            30000);
        QCOMPARE(world.panel().view().ledger.size(), std::size_t(1));
        QVERIFY(world.bench().shown().isEarlier);
        auto *viewer = world.window.find<CodeEditor>("earlierEditor");
        QTRY_VERIFY(viewer->isVisible() && viewer->content().contains("times=95"));

        world.actions().backToText->trigger();
        QTRY_VERIFY(!world.replay().isOpen());
        QTRY_VERIFY(!world.bench().shown().isEarlier);
        QCOMPARE(world.window.editor(PastWorld::kernelFile)->content(), typed);
        QVERIFY(world.window.editor(PastWorld::kernelFile)->isUndoAvailable());
        QCOMPARE(world.onDisk(), disk);
        QTRY_VERIFY(!world.window.find<ReplayBar>("replayBar")->isVisible());
        QTRY_COMPARE(world.window.window->findChild<IterationsPanel *>()->recordOf(1) != nullptr, true);
    }

    void playsToTheEndAndPauses() {
        PastWorld world;
        QVERIFY(world.run());
        QVERIFY(world.openRun());
        QCOMPARE(world.actions().replayBack->property("iconName").toString(), QStringLiteral("chevron-left"));
        world.replay().setSpeed(16);
        world.actions().replayPlay->trigger();
        QTRY_VERIFY_WITH_TIMEOUT(world.replay().number() > 1, 30000);
        world.actions().replayPlay->trigger();
        QVERIFY(!world.replay().isPlaying());
        const qint64 paused = world.replay().number();
        world.actions().replayForward->trigger();
        QVERIFY(world.goesTo(paused + 1));
        world.replay().setSpeed(0);
        world.actions().replayPlay->trigger();
        QTRY_COMPARE_WITH_TIMEOUT(world.replay().number(), world.replay().last(), 60000);
        QTRY_VERIFY(!world.replay().isPlaying());
        QVERIFY(!world.actions().replayForward->isEnabled());
        // The scrubber's marks are the proposals and the texts that were applied, and its end.
        const auto &marks = world.window.find<ReplayScrubber>("replayScrubber")->marks();
        QTRY_COMPARE(
            std::count_if(marks.begin(), marks.end(), [](const RunMark &mark) { return mark.isProposal; }),
            std::ptrdiff_t(3));
        QCOMPARE(marks.size(), std::size_t(7));
        QTest::keyClick(world.window.find<ReplayScrubber>("replayScrubber"), Qt::Key_Home);
        QVERIFY(world.goesTo(1));
    }

    void branchesIntoTheLiveText() {
        PastWorld world;
        QVERIFY(world.run());
        QTRY_VERIFY(world.window.editor(PastWorld::kernelFile)->content().contains("// step 3"));
        CodeEditor *editor = world.window.editor(PastWorld::kernelFile);
        editor->SendScintilla(QsciScintillaBase::SCI_GOTOPOS, 0);
        editor->insert(QStringLiteral("// typed and not saved\n"));
        QVERIFY(world.openRun());
        QTRY_COMPARE(world.replay().records().size(), std::size_t(4));
        const int second = world.replay().records()[2].iteration.number;
        world.replay().goToIteration(second);
        QTRY_COMPARE_WITH_TIMEOUT(world.bench().shown().iteration, second, 30000);
        QVERIFY(world.actions().branchHere->isEnabled());
        world.actions().branchHere->trigger();
        QTRY_VERIFY_WITH_TIMEOUT(!world.replay().isOpen(), 30000);
        QTRY_VERIFY(world.onDisk().contains("times=90") && !world.onDisk().contains("times=85"));
        QCOMPARE(world.bench().liveIteration(), second);
        const IterationStore store(world.window.folder + "/.warpwright");
        QCOMPARE(store.current(), second);
        QVERIFY(store.texts(store.head())
                    .value()
                    .at(PastWorld::kernelFile)
                    .startsWith("// typed and not saved\n"));
        QTRY_VERIFY(world.window.editor(PastWorld::kernelFile)->content().contains("// step 2") &&
                    !world.window.editor(PastWorld::kernelFile)->content().contains("times=85"));
        // And a run can begin from there.
        QVERIFY(world.begin());
        QTRY_VERIFY_WITH_TIMEOUT(
            world.agent().session() != nullptr && world.agent().session()->review() != nullptr, 60000);
        QCOMPARE(world.agent().session()->iteration(), second);
        world.agent().stop();
        QTRY_VERIFY_WITH_TIMEOUT(!world.agent().isRunning(), 60000);
    }

    // What was before can be looked up while a proposal waits, and the review is there again afterwards.
    void isLookedAtWhileAnotherRunWaits() {
        PastWorld world;
        QVERIFY(world.run());
        QVERIFY(world.begin(SessionMode::Review)); // of the same steps: the text of the first is another now
        QTRY_VERIFY_WITH_TIMEOUT(world.agent().session() != nullptr &&
                                     world.agent().session()->state() == SessionState::AwaitingReview &&
                                     world.agent().session()->review() != nullptr,
                                 90000);
        QTRY_VERIFY(world.actions().pastRuns->isEnabled());
        const ReviewCount before = world.agent().session()->review()->count();
        QVERIFY(world.openPage());
        QCOMPARE(world.page().shownRuns().size(), std::size_t(2));
        const std::vector<IndexedRun> runs = world.page().shownRuns();
        const auto ended = std::find_if(runs.begin(), runs.end(),
                                        [](const IndexedRun &run) { return run.ending.startsWith("ended"); });
        QVERIFY(ended != runs.end());
        emit world.page().runPicked(*ended, 1);
        QVERIFY(world.goesTo(1));
        world.replay().goTo(5);
        QVERIFY(world.goesTo(5));
        QTest::qWait(300);
        QVERIFY(world.replay().isOpen()); // the run that waits does not take it away
        QVERIFY(!world.actions().acceptHunk->isEnabled());
        world.actions().acceptAllHunks->trigger();
        QCOMPARE(world.agent().session()->review()->count(), before);
        world.actions().backToText->trigger();
        QTRY_VERIFY(!world.replay().isOpen() && !world.bench().shown().isEarlier);
        QTRY_VERIFY(world.actions().acceptAllHunks->isEnabled());
        world.actions().acceptAllHunks->trigger();
        QTRY_VERIFY(world.agent().session()->review()->count() != before);
        world.agent().stop();
        QTRY_VERIFY_WITH_TIMEOUT(!world.agent().isRunning(), 60000);
    }

    void aStoppedRunGoesOn() {
        PastWorld world;
        QVERIFY(world.window.open(world.window.folder));
        QVERIFY(world.begin(SessionMode::Review));
        const auto waits = [&world](const QString &title) {
            return QTest::qWaitFor(
                [&] {
                    Session *session = world.agent().session();
                    return session != nullptr && session->state() == SessionState::AwaitingReview &&
                           session->review() != nullptr && session->review()->proposal().title == title;
                },
                90000);
        };
        QVERIFY(waits("step 1"));
        world.actions().acceptAllHunks->trigger();
        QTRY_VERIFY(world.actions().run->isEnabled());
        world.actions().run->trigger();
        QVERIFY(waits("step 2"));
        world.agent().stop();
        QTRY_VERIFY_WITH_TIMEOUT(!world.agent().isRunning(), 60000);
        QVERIFY(world.openRun());
        QVERIFY(world.actions().continueRun->isEnabled());
        world.actions().continueRun->trigger();
        QVERIFY(waits("step 2")); // it was not answered
        QVERIFY(!world.replay().isOpen());
        QVERIFY(world.window.window->findChild<AgentPanel *>()->isVisible());
        QCOMPARE(world.agent().session()->meter().iterations, 1);
        world.actions().modeAuto->trigger();
        QTRY_VERIFY_WITH_TIMEOUT(!world.agent().isRunning(), 180000);
        QVERIFY2(world.onDisk().contains("times=85"), world.onDisk());
        // One run, to its end; it does not go on any more.
        QVERIFY(world.openRun());
        QCOMPARE(world.page().shownRuns().size(), std::size_t(1));
        QCOMPARE(world.page().shownRuns().front().iterations, 5); // with the one that was not decided on
        QVERIFY(!world.actions().continueRun->isEnabled());
        TrajectoryReplay truth = TrajectoryReplay::open(world.trajectory()).value();
        QVERIFY(truth.seek(world.replay().last()).hasValue());
        QVERIFY(truth.problems().empty());
        QCOMPARE(truth.texts().at(PastWorld::kernelFile), world.onDisk());
    }

    // Whoever comes back to a workspace is told that a run was left in it, and goes on with one click.
    void aRunThatWasLeftIsOffered() {
        PastWorld world;
        QVERIFY(world.window.open(world.window.folder));
        const auto said = [&world] {
            const auto *empty = world.window.window->findChild<AgentPanel *>()->findChild<EmptyState *>(
                QString(), Qt::FindDirectChildrenOnly);
            return empty->isVisible() ? empty->accessibleName() : QString();
        };
        QVERIFY(!world.actions().continueRun->isEnabled());
        QVERIFY2(said().contains("No agent runs"), qPrintable(said()));
        QVERIFY(world.begin(SessionMode::Review));
        const auto waits = [&world] {
            return QTest::qWaitFor(
                [&] {
                    Session *session = world.agent().session();
                    return session != nullptr && session->state() == SessionState::AwaitingReview;
                },
                90000);
        };
        QVERIFY(waits());
        QVERIFY(!world.actions().continueRun->isEnabled()); // it runs
        world.window.reopen();                              // the window is closed over it
        QVERIFY(world.window.open(world.window.folder));
        QTRY_VERIFY(world.actions().continueRun->isEnabled());
        QVERIFY2(said().contains("A run was left before its end") && said().contains("proposal 1, «step 1»"),
                 qPrintable(said()));
        world.actions().continueRun->trigger();
        QVERIFY(waits());
        QCOMPARE(world.agent().session()->review()->proposal().id, QString("p1"));
        world.actions().modeAuto->trigger();
        QTRY_VERIFY_WITH_TIMEOUT(!world.agent().isRunning(), 180000);
        QTest::qWait(500);
        QVERIFY(!world.actions().continueRun->isEnabled()); // it came to its end
        world.window.reopen();
        QVERIFY(world.window.open(world.window.folder));
        QTest::qWait(500);
        QVERIFY2(said().contains("No agent runs"), qPrintable(said()));
    }

    // The built-in expert goes on as well: with the proposal that was not answered, and no other.
    void aStoppedPlaybookGoesOn() {
        PastWorld world;
        world.window.tell(QStringLiteral("intext times=5000,9000,8000")); // slower than its kernels should be
        QVERIFY(world.window.open(world.window.folder));
        world.actions().tunePlaybook->trigger();
        const auto isUnderReview = [&world](const QString &id) {
            Session *session = world.agent().session();
            return session != nullptr && session->state() == SessionState::AwaitingReview &&
                   session->review() != nullptr && session->review()->proposal().id == id;
        };
        const auto waits = [&isUnderReview](const QString &id) {
            return QTest::qWaitFor([&] { return isUnderReview(id); }, 90000);
        };
        const auto acceptAll = [&world] {
            world.actions().acceptAllHunks->trigger();
            if (QTest::qWaitFor([&world] { return world.actions().run->isEnabled(); }, 30000))
                world.actions().run->trigger();
        };
        QVERIFY(waits("p1"));
        const QString first = world.agent().session()->review()->proposal().title;
        acceptAll();
        QVERIFY(waits("p2"));
        const Proposal second = world.agent().session()->review()->proposal();
        QVERIFY(second.title != first);
        world.agent().stop();
        QTRY_VERIFY_WITH_TIMEOUT(!world.agent().isRunning(), 60000);
        world.window.reopen(); // as after a crash: nothing of the agent is in memory
        QVERIFY(world.window.open(world.window.folder));
        QVERIFY(world.openRun());
        QVERIFY2(world.actions().continueRun->isEnabled(),
                 qPrintable(world.actions().continueRun->toolTip()));
        world.actions().continueRun->trigger();
        QVERIFY2(waits("p2"), qPrintable(world.window.toasts()));
        const Proposal again = world.agent().session()->review()->proposal();
        QCOMPARE(again.title, second.title);
        QCOMPARE(again.base, second.base);
        QCOMPARE(again.proposed, second.proposed);
        QCOMPARE(world.agent().session()->meter().iterations, 1);
        acceptAll();
        // A third move where this processor has one left; else the run says that none is.
        QVERIFY(QTest::qWaitFor([&] { return !world.agent().isRunning() || isUnderReview("p3"); }, 90000));
        if (!world.agent().isRunning()) {
            QFile record(world.trajectory());
            QVERIFY(record.open(QIODevice::ReadOnly) && record.readAll().contains("No move is left"));
            return;
        }
        const QString third = world.agent().session()->review()->proposal().title;
        QVERIFY2(third != first && third != second.title, qPrintable(third));
        world.agent().stop();
        QTRY_VERIFY_WITH_TIMEOUT(!world.agent().isRunning(), 60000);
    }

    void isSeen() {
        const QString pictures = qEnvironmentVariable("WARPWRIGHT_PICTURES");
        if (pictures.isEmpty())
            QSKIP("WARPWRIGHT_PICTURES names no folder");
        PastWorld world;
        QVERIFY(world.run());
        for (const char *theme : {"dark", "light"}) {
            world.window.useTheme(theme);
            QVERIFY(world.openPage());
            world.window.find<QLineEdit>("runSearch")->setText("step");
            QTest::qWait(2000);
            QVERIFY(world.window.window->grab().save(QStringLiteral("%1/runs-%2.png").arg(pictures, theme)));
            QVERIFY(world.openRun());
            QTRY_COMPARE(world.replay().records().size(), std::size_t(4));
            world.replay().goToIteration(world.replay().records()[2].iteration.number);
            QTest::qWait(3000);
            QVERIFY(
                world.window.window->grab().save(QStringLiteral("%1/replay-%2.png").arg(pictures, theme)));
            world.actions().backToText->trigger();
            QTRY_VERIFY(!world.replay().isOpen());
        }
    }
};

QObject *makeTestPastRuns() {
    return new TestPastRuns;
}

#include "tst_past_runs.moc"
