// SPDX-License-Identifier: GPL-3.0-or-later
// Recordings that ship, watched in the window: what is said at an event is of that event.
#include "app/ide/editing/candidate_panel.h"
#include "app/ide/history/past_run_panel.h"
#include "app/ide/history/replay_bar.h"
#include "app/ide/history/replay_controller.h"
#include "app/ide/history/run_event_list.h"
#include "app/ide/results/verdict_banner.h"
#include "app/ide/results/verify_page.h"
#include "profiler_views/occupancy/occupancy_view.h"
#include "tests/gui/script_world.h"
#include "tests/toolchain/run_test_classes.h"

#include <QAbstractButton>
#include <QFile>
#include <QFileDialog>
#include <QPointer>
#include <QSignalSpy>
#include <QTest>

#include <algorithm>

using namespace warpwright;

namespace {

struct WatchedWorld : ScriptWorld {
    bool watch(const char *recording) {
        actions().startPage->trigger();
        QAbstractButton *row = nullptr;
        const bool isThere = QTest::qWaitFor(
            [&] {
                row = window.window->findChild<QAbstractButton *>(QLatin1String(recording));
                return row != nullptr;
            },
            30000);
        if (!isThere)
            return false;
        row->click();
        return isAt(1) && QTest::qWaitFor([this] { return !replay().records().empty(); }, 30000);
    }
    bool isAt(qint64 event) {
        return QTest::qWaitFor([&] { return replay().number() == event; }, 60000);
    }
    bool goesTo(qint64 event) {
        replay().goTo(event);
        return isAt(event);
    }
    [[nodiscard]] ReplayController &replay() const { return window.window->replay(); }
    [[nodiscard]] CandidatePanel &candidate() const { return *window.window->findChild<CandidatePanel *>(); }
    [[nodiscard]] const AgentView &view() const { return window.window->findChild<PastRunPanel *>()->view(); }
    [[nodiscard]] ReplayBar &bar() const { return *window.find<ReplayBar>("replayBar"); }
};

} // namespace

class TestRecordings : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { NEED_TOOL(!CliWorld::python().isEmpty(), "a Python environment with torch"); }

    // Where p7 is found wrong, the text before it passes: what is shown is of p7.
    void aWrongProposalIsShownAndNotTheTextBefore() {
        WatchedWorld world;
        QVERIFY(world.watch("recording-gemm"));
        // Beside the lesson that it is of, and on another machine than it was measured on.
        QCOMPARE(world.window.window->windowTitle(), QStringLiteral("gemm, recording – Warpwright"));
        QTRY_VERIFY(world.window.find<QAbstractButton>("deviceButton")
                        ->accessibleName()
                        .contains(QStringLiteral("recorded on NVIDIA")));
        QVERIFY(world.goesTo(89));
        QTRY_COMPARE(world.window.word(), QString("Pass"));
        for (const qint64 event : {qint64{91}, qint64{92}}) { // its check, and the rejection
            QVERIFY(world.goesTo(event));
            QTRY_COMPARE(world.window.word(), QString("Wrong"));
            QVERIFY2(world.window.banner()->below().startsWith("proposal 7"),
                     qPrintable(world.window.banner()->below()));
            const Shown &shown = world.window.window->bench().shown();
            QVERIFY(!shown.figures.verify.worst.empty());
            QCOMPARE(shown.evaluated, QString("proposal 7"));
            QCOMPARE(shown.iteration, 7); // whose text lies there
        }
        // Its page is in front, and the file stands at one of its hunks.
        QTRY_VERIFY(world.window.find<QWidget>("worstTable")->isVisible());
        QVERIFY(world.candidate().currentHunk() > 0);
        const auto *page = world.window.window->findChild<VerifyPage *>();
        QVERIFY(page->findChild<QWidget *>("textHead")->accessibleName().startsWith("Of proposal 7"));
        QVERIFY(world.goesTo(95));
        QTRY_COMPARE(world.window.word(), QString("Pass"));
        QVERIFY(world.window.window->bench().shown().evaluated.isEmpty());
        QVERIFY(!page->findChild<QWidget *>("textHead")->isVisible());
    }

    // The page of a run is of its end, whichever event is open.
    void aRunIsSharedToItsEnd() {
        WatchedWorld world;
        QVERIFY(world.watch("recording-gemm"));
        QVERIFY(world.goesTo(66));
        QTRY_VERIFY(world.actions().share->isEnabled());
        world.actions().share->trigger();
        QPointer<QFileDialog> dialog;
        QTRY_VERIFY((dialog = world.window.window->findChild<QFileDialog *>("fileDialog")));
        const QString file = world.window.cli.path("shared-run.html");
        emit dialog->fileSelected(file);
        dialog->reject();
        QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(file), 60000);
        QFile page(file);
        QVERIFY(page.open(QIODevice::ReadOnly));
        const QString text = QString::fromUtf8(page.readAll()).simplified();
        QVERIFY(text.contains("are of iteration 7, the last that the run made."));
    }

    // A row that is not the event which is shown is not highlighted.
    void aFilterDoesNotHighlightAnotherEvent() {
        WatchedWorld world;
        QVERIFY(world.watch("recording-gemm"));
        QVERIFY(world.goesTo(95));
        auto *list = world.window.find<RunEventList>("runEvents");
        QTRY_VERIFY(list->selectionModel()->hasSelection());
        QSignalSpy filtered(&list->events(), &RunEventModel::filtered);
        list->events().setFilter(EventFilter::Failures);
        QTRY_VERIFY_WITH_TIMEOUT(!filtered.isEmpty(), 30000);
        const qint64 before = list->events().numberAt(list->events().rowOf(95));
        QVERIFY2(before > 0 && before < 95, qPrintable(QString::number(before)));
        QVERIFY(!list->selectionModel()->hasSelection());
        // Up goes to the row before, which was only the place to go on from.
        QTest::keyClick(list, Qt::Key_Up);
        QVERIFY(world.isAt(before));
        QVERIFY(list->selectionModel()->hasSelection());
        QCOMPARE(list->events().numberAt(list->currentIndex().row()), before);
    }

    // Numbers of the whole are said to be of the whole, until what was accepted is measured.
    void tellsWhatTheNumbersOfACardAreOf() {
        WatchedWorld world;
        QVERIFY(world.watch("recording-gemm"));
        QVERIFY(world.goesTo(66));
        QVERIFY(!world.view().proposal->isAsProposed);
        QVERIFY(world.goesTo(67)); // one hunk is edited
        QCOMPARE(world.view().proposal->number, 5);
        QVERIFY(world.view().proposal->isAsProposed);
        QVERIFY(world.goesTo(72));
        QVERIFY(!world.view().proposal->isAsProposed);
        QVERIFY2(world.view().proposal->words.contains("iteration 6"),
                 qPrintable(world.view().proposal->words));
    }

    // From afar, too: a list of failures leads past whatever was looked at before.
    void aJumpStandsAtAHunk() {
        WatchedWorld world;
        QVERIFY(world.watch("recording-gemm"));
        QVERIFY(world.goesTo(20));
        QVERIFY(world.goesTo(91));
        QTRY_VERIFY(world.candidate().currentHunk() > 0);
    }

    void anIterationIsShownWithItsVerdict() {
        WatchedWorld world;
        QVERIFY(world.watch("recording-model-softmax-cuda"));
        const std::vector<IterationRecord> records = world.replay().records();
        QCOMPARE(records.size(), std::size_t(8));
        for (const IterationRecord &record : records) {
            world.replay().goToIteration(record.iteration.number);
            QTRY_COMPARE_WITH_TIMEOUT(world.window.window->bench().shown().iteration, record.iteration.number,
                                      60000);
            QTRY_COMPARE(world.window.word(), QString("Pass"));
            const std::optional<Evaluation> &evaluation = world.window.window->bench().shown().evaluation;
            QVERIFY(evaluation.has_value());
            QCOMPARE(evaluation->id, record.latest->id);
        }
        // What its check was told of registers is enough for the page.
        auto *occupancy = world.window.find<OccupancyView>("occupancyView");
        QTRY_VERIFY(!occupancy->isEmpty());
        QVERIFY(world.goesTo(1));
        QTRY_VERIFY(occupancy->isEmpty());
    }

    // Accepted in part: what was measured of it is the iteration that it became.
    void aProposalThatWasWrittenInPartIsMeasured() {
        WatchedWorld world;
        QVERIFY(world.watch("recording-model-softmax-cuda"));
        QVERIFY(world.goesTo(151));
        QCOMPARE(world.view().proposal->number, 2);
        QVERIFY(world.view().proposal->measured.state == ShownFigure::None);
        QVERIFY(world.goesTo(164));
        QCOMPARE(world.view().proposal->number, 2);
        QVERIFY2(world.view().proposal->words.contains("iteration 3"),
                 qPrintable(world.view().proposal->words));
        QVERIFY(world.view().proposal->measured.state == ShownFigure::Known ||
                world.view().proposal->measured.state == ShownFigure::Noise);
        QVERIFY(world.view().proposal->wouldBe.state == ShownFigure::Known);
        for (const ProposalView::Check &check : world.view().proposal->checks)
            QVERIFY(check.state == ProposalView::Check::Passed);
        // Its plan was told once: what was done since is done.
        QVERIFY(world.goesTo(world.replay().last()));
        const std::vector<PlanStep> &plan = world.view().plan;
        QCOMPARE(plan.size(), std::size_t(7));
        QVERIFY(std::all_of(plan.begin(), plan.end(),
                            [](const PlanStep &step) { return step.state == PlanStep::Done; }));
    }

    void aBadgeLeadsToItsStep() {
        WatchedWorld world;
        QVERIFY(world.watch("recording-gemm"));
        QTRY_VERIFY_WITH_TIMEOUT(world.window.find<QAbstractButton>("lessonStep-7") != nullptr, 30000);
        world.window.find<QAbstractButton>("lessonStep-7")->click();
        QVERIFY(world.isAt(90));
        QVERIFY(world.replay().isOpen());
        QVERIFY(world.bar().isVisible()); // the page did not come over it
    }

    void stopsAtEachProposalAndIsPlayedByPlainKeys() {
        WatchedWorld world;
        QVERIFY(world.watch("recording-gemm"));
        world.bar().stopsAtProposals()->setChecked(true);
        for (const double speed : {0.0, 16.0}) {
            world.replay().setSpeed(speed);
            world.replay().setPlaying(true);
            const qint64 proposal = speed > 0 ? 17 : 6;
            QVERIFY(world.isAt(proposal));
            QTRY_VERIFY(!world.replay().isPlaying());
            QTest::qWait(200);
            QCOMPARE(world.replay().number(), proposal);
        }
        QTRY_VERIFY(!world.bar().scrubber().marks().empty());
        QTest::keyClick(&world.bar().scrubber(), Qt::Key_PageDown);
        QVERIFY(world.isAt(26)); // applied
        QTest::keyClick(&world.bar().scrubber(), Qt::Key_PageUp);
        QVERIFY(world.isAt(17));
        // Whichever of its buttons has the keys.
        QTest::keyClick(world.window.find<QAbstractButton>("replayPlayButton"), Qt::Key_Right);
        QVERIFY(world.isAt(18));
        QTest::keyClick(world.window.find<QWidget>("runEvents"), Qt::Key_PageDown);
        QVERIFY(world.isAt(26));
        world.replay().setSpeed(0.25);
        QTest::keyClick(&world.bar().scrubber(), Qt::Key_Space);
        QVERIFY(world.replay().isPlaying());
        QTest::keyClick(&world.bar().scrubber(), Qt::Key_Space);
        QVERIFY(!world.replay().isPlaying());
    }

    // One way out, and it says what it leads out of; whoever branches is told where the text lies.
    void saysWhereABranchWent() {
        WatchedWorld world;
        QVERIFY(world.watch("recording-gemm"));
        QCOMPARE(world.actions().backToText->text(), QString("Leave the replay"));
        QVERIFY(world.goesTo(13));
        QTRY_VERIFY(world.actions().branchHere->isEnabled());
        const QString folder = world.window.window->bench().workspace()->folder;
        world.actions().branchHere->trigger();
        QTRY_VERIFY_WITH_TIMEOUT(!world.replay().isOpen(), 30000);
        QTRY_VERIFY2(world.window.toasts().contains(folder) &&
                         world.window.toasts().contains("event 13 of 95"),
                     qPrintable(world.window.toasts()));
        QCOMPARE(world.actions().backToText->text(), QString("Back to my text"));
    }
};

QObject *makeTestRecordings() {
    return new TestRecordings;
}

#include "tst_recordings.moc"
