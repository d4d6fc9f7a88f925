// SPDX-License-Identifier: GPL-3.0-or-later
// What a past run proposed and what was answered, in the files that it is about; and its charts, drawn from
// what was recorded.
#include "app/ide/editing/candidate_panel.h"
#include "app/ide/editing/reference_panel.h"
#include "app/ide/history/past_run_panel.h"
#include "app/ide/history/past_runs_page.h"
#include "app/ide/history/replay_controller.h"
#include "app/ide/measured/profile_panel.h"
#include "app/ide/results/verify_page.h"
#include "app/ide/review/proposal_face.h"
#include "profiler_views/distribution_view.h"
#include "profiler_views/history_view.h"
#include "profiler_views/hunk_contributions_view.h"
#include "profiler_views/speedup_view.h"
#include "tests/gui/review_world.h"
#include "tests/toolchain/run_test_classes.h"
#include "toolchain/base/text_file.h"
#include "toolchain/evaluation/evaluation_store.h"
#include "widgets/frame/empty_state.h"
#include "widgets/frame/tab_strip.h"
#include "widgets/review/hunk_marks.h"

#include <QAbstractButton>
#include <QAbstractItemModel>
#include <QDir>
#include <QFile>
#include <QSignalSpy>
#include <QTest>

using namespace warpwright;

namespace {

/// A window on a workspace in which a step of three hunks and a new file was reviewed.
struct ReviewedWorld : ReviewWorld {
    static constexpr const char *made = "kernels/more_binding.cpp";

    ReviewedWorld() : ReviewWorld(0) {
        QByteArray text = base;
        text.replace("#include <cmath>", "#include <cmath>\n// step 1");
        text.replace("for (int row = 0;", "/* 1 */ for (int row = 0;");
        text += "// fake judge: times=95,220,150\n";
        addStep(text, {{"reason", "Because rows are short."}});
        window.cli.write(script + "/01-step/" + made, "// more\nint more() {\n    return 1;\n}\n");
    }
    /// Accepts the first hunk, which is measured by itself, rejects the second with a reason, writes the
    /// third itself, and takes the new file.
    bool review() {
        if (!window.open(window.folder))
            return false;
        if (!begin())
            return false;
        if (!waitsForReview() || session()->review()->hunkIds().size() != 4 || !isMeasured())
            return false;
        if (!session()->measureHunk(1, false).hasValue() ||
            !QTest::qWaitFor(
                [this] {
                    const auto proposal = agent().proposal();
                    return proposal && (proposal->hunks.front().alone.state == ShownFigure::Known ||
                                        proposal->hunks.front().alone.state == ShownFigure::Noise);
                },
                60000))
            return false;
        const bool isAnswered =
            session()->accept(1).hasValue() &&
            session()->reject(2, QStringLiteral("Says nothing.")).hasValue() &&
            session()->edit(3, {"// mine\n", "// fake judge: times=80,220,150\n"}).hasValue() &&
            session()->accept(4).hasValue();
        if (!isAnswered || !session()->apply().hasValue())
            return false;
        return QTest::qWaitFor([this] { return !agent().isRunning(); }, 90000);
    }
    bool openRun() {
        auto *page = window.window->findChild<PastRunsPage *>();
        QSignalSpy listed(page, &PastRunsPage::listed);
        actions().pastRuns->trigger();
        if (!listed.wait(30000) || page->shownRuns().empty())
            return false;
        emit page->runPicked(page->shownRuns().front(), 1);
        return QTest::qWaitFor([this] { return replay().number() == 1; }, 30000);
    }
    /// To the next event of this kind, of this hunk.
    bool goesTo(const QString &kind, const QString &hunk = {}) {
        for (const TrajectoryEvent &event : events())
            if (event.number > replay().number() && event.kind == kind && event.text("hunk") == hunk) {
                replay().goTo(event.number);
                return QTest::qWaitFor([&] { return replay().number() == event.number; }, 30000);
            }
        return false;
    }
    [[nodiscard]] std::vector<TrajectoryEvent> events() const {
        const QString file =
            trajectoryFile(runsFolder(window.folder + "/.warpwright") + '/' + replay().run()->run);
        return TrajectoryReader(file).page(0, 1000).value().events;
    }
    [[nodiscard]] ReplayController &replay() const { return window.window->replay(); }
    [[nodiscard]] CandidatePanel &candidate() const { return *window.window->findChild<CandidatePanel *>(); }
    [[nodiscard]] CodeEditor &viewer() const { return *window.find<CodeEditor>("earlierEditor"); }
    [[nodiscard]] std::vector<ShownHunk> hunks() const { return viewer().decorator<HunkMarks>().hunks(); }
    [[nodiscard]] PastRunPanel &past() const { return *window.window->findChild<PastRunPanel *>(); }
    [[nodiscard]] QString disk() const {
        return QString::fromUtf8(window.window->bench().shown().texts.at(kernelFile));
    }
};

template <typename T>
T *chart(const WindowWorld &window, const char *name) {
    return window.window->findChild<T *>(QString::fromLatin1(name));
}

} // namespace

class TestPastReview : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { NEED_TOOL(!CliWorld::python().isEmpty(), "a Python environment with torch"); }

    void showsEachProposalAsItsReviewDid() {
        ReviewedWorld world;
        QVERIFY(world.review());
        QVERIFY(world.openRun());
        QVERIFY(world.hunks().empty()); // nothing is proposed at the first event
        // Made: the file comes to the front, all hunks stand in it, and nobody has answered.
        QVERIFY(world.goesTo("proposal"));
        QTRY_COMPARE(world.candidate().currentFile(), QString(ReviewedWorld::kernelFile));
        QCOMPARE(world.hunks().size(), std::size_t(3));
        for (const ShownHunk &hunk : world.hunks())
            QVERIFY(hunk.answer == "not answered" && hunk.state == ShownHunk::Open &&
                    !hunk.newLines.isEmpty());
        QCOMPARE(world.viewer().content(), world.disk());
        // Measured by itself: the number stands at its head, and in the card.
        QVERIFY(world.goesTo("evaluation", "1"));
        QCOMPARE(world.hunks().front().measure, ShownHunk::Measured);
        QTRY_VERIFY(world.past().view().proposal->hunks.front().alone.state != ShownFigure::None);
        QTRY_VERIFY(!chart<HunkContributionsView>(world.window, "hunksView")->isEmpty());

        // Each answer, by whom and why, in its place.
        QVERIFY(world.goesTo("decision", "1"));
        QCOMPARE(world.viewer().decorator<HunkMarks>().current(), 1);
        QCOMPARE(world.hunks()[0].answer, QString("accepted by person"));
        QVERIFY(world.viewer().content().contains("// step 1") && !world.disk().contains("// step 1"));
        QVERIFY(world.goesTo("decision", "2"));
        QCOMPARE(world.viewer().decorator<HunkMarks>().current(), 2);
        QCOMPARE(world.hunks()[1].answer, QString("rejected by person"));
        QCOMPARE(world.hunks()[1].remark, QString("Says nothing."));
        QVERIFY(!world.viewer().content().contains("/* 1 */"));
        QVERIFY(
            world.hunks()[1].newLines.join(' ').contains("/* 1 */")); // what was refused is there to be read
        QVERIFY(world.goesTo("decision", "3"));
        QCOMPARE(world.hunks()[2].answer, QString("edited by person"));
        QVERIFY(world.viewer().content().contains("// mine\n"));
        QVERIFY(world.goesTo("decision", "4")); // stepping follows the file
        QTRY_COMPARE(world.candidate().currentFile(), QString(ReviewedWorld::made));
        QCOMPARE(world.hunks().size(), std::size_t(1));
        QCOMPARE(world.hunks().front().title, QString("new file more_binding.cpp"));
        QVERIFY(world.goesTo("applied"));
        // A hunk of the card leads to its place, and so do the keys.
        emit world.past().findChild<ProposalFace *>()->hunkPicked(2);
        QTRY_COMPARE(world.candidate().currentFile(), QString(ReviewedWorld::kernelFile));
        QCOMPARE(world.viewer().decorator<HunkMarks>().current(), 2);
        QCOMPARE(world.viewer().content(), world.disk()); // what was accepted is on the disk now
        QCOMPARE(world.hunks()[0].goneLines, QStringList());
        QCOMPARE(world.hunks()[0].answer, QString("accepted by person"));
        world.actions().nextHunk->trigger();
        QCOMPARE(world.viewer().decorator<HunkMarks>().current(), 3);
        QCOMPARE(world.past().view().proposal->hunks[1].answer, QString("rejected by person"));
        // Back: what was answered later is not known there.
        world.replay().goTo(1);
        QTRY_COMPARE(world.replay().number(), 1);
        QTRY_VERIFY(world.hunks().empty());
        world.actions().backToText->trigger();
        QTRY_VERIFY(!world.replay().isOpen());
        QVERIFY(!world.actions().nextHunk->isEnabled());
    }

    void nothingOfARecordingCanBeAnswered() {
        ReviewedWorld world;
        QVERIFY(world.review());
        QVERIFY(world.openRun());
        QVERIFY(world.goesTo("proposal"));
        QCOMPARE(world.hunks().size(), std::size_t(3));
        for (const char *name : {"acceptHunk", "rejectHunk", "editHunk", "undoHunk", "resolveHunk"})
            for (const QAbstractButton *button : world.viewer().findChildren<QAbstractButton *>(name))
                QVERIFY2(!button->isVisible(), name);
        for (const QAction *answer : {world.actions().acceptHunk, world.actions().rejectAllHunks})
            QVERIFY(!answer->isEnabled() && answer->property("whyDisabled").toString().contains("recording"));
        const QString text = world.viewer().content();
        world.window.window->activateWindow();
        world.viewer().setFocus();
        world.window.press(Qt::Key_Y, Qt::AltModifier);
        QTRY_VERIFY2(world.window.toasts().contains("This is a recording"),
                     qPrintable(world.window.toasts()));
        QTest::keyClick(&world.viewer(), Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(world.viewer().content(), text);
        QCOMPARE(world.hunks().front().answer, QString("not answered"));
    }

    // Charts of a run whose evaluations are there are those of a check.
    void chartsAreDrawnFromWhatWasRecorded() {
        ReviewedWorld world;
        QVERIFY(world.review());
        QVERIFY(world.openRun());
        world.replay().goTo(world.replay().last());
        QTRY_COMPARE(world.replay().number(), world.replay().last());
        QTRY_VERIFY(!chart<SpeedupView>(world.window, "speedupView")->isEmpty());
        auto *history = chart<HistoryView>(world.window, "historyView");
        QTRY_COMPARE(history->model().rowCount(), 2);
        QVERIFY(!history->isEmpty());
        // Another folder's: only what the run itself says is left.
        const QDir kept(world.window.folder + "/.warpwright/evaluations");
        for (const QString &name : kept.entryList(QDir::Files))
            QVERIFY(QFile::remove(kept.filePath(name)));
        world.replay().goTo(1);
        QTRY_COMPARE(world.replay().number(), 1);
        world.replay().goTo(world.replay().last());
        QTRY_COMPARE(world.replay().number(), world.replay().last());
        QTRY_VERIFY(world.window.window->bench().shown().isSummary);
        const auto *speedup = chart<SpeedupView>(world.window, "speedupView");
        QVERIFY(!speedup->isEmpty());
        QVERIFY2(speedup->summary().contains("eager takes 220") && speedup->summary().contains("(derived)"),
                 qPrintable(speedup->summary()));
        QVERIFY(
            chart<DistributionView>(world.window, "distributionView")->summary().startsWith("Not recorded"));
    }

    // The text that it began with was there before it, and its end has left a proposal that nobody decided
    // on.
    void theReplayListsWhatTheHistoryKnows() {
        ReviewedWorld world;
        QVERIFY(world.window.open(world.window.folder));
        QVERIFY(world.window.check()); // iteration 1 is none of the run's
        QVERIFY(world.begin() && world.waitsForReview());
        QVERIFY(world.stop());
        // One run, gone on with or looked through.
        QTRY_VERIFY_WITH_TIMEOUT(world.actions().continueRun->isEnabled(), 30000);
        QCOMPARE(world.actions().openRun->text(), QStringLiteral("Replay this run so far"));
        QVERIFY(world.openRun());
        QTRY_COMPARE_WITH_TIMEOUT(world.replay().tree()->records.size(), std::size_t(2), 30000);
        const std::vector<IterationRecord> &records = world.replay().tree()->records;
        QCOMPARE(records[0].iteration.number, 1);
        QVERIFY(records[0].latest.has_value());
        QCOMPARE(records[1].mark, IterationMark::NotDecided);
        const qint64 last = world.replay().last();
        world.replay().goTo(last);
        QTRY_COMPARE(world.replay().number(), last);
        world.replay().goToIteration(1);
        QTRY_VERIFY(world.replay().number() < last);
        QTRY_COMPARE(world.window.window->bench().shown().iteration, 1);
        // There the run knows what was measured of it.
        QCOMPARE(world.events()[static_cast<std::size_t>(world.replay().number() - 1)].kind,
                 QString("evaluation"));
        QTRY_COMPARE(world.window.word(), QString("Pass"));
    }

    void aRecordingHasItsHistoryAndAsksForNoCheck() {
        ReviewWorld world(0);
        world.actions().startPage->trigger();
        QAbstractButton *row = nullptr;
        QTRY_VERIFY_WITH_TIMEOUT((row = world.window.window->findChild<QAbstractButton *>(
                                      "recording-playbook-pointwise-chain-cpu")) != nullptr,
                                 30000);
        row->click();
        ReplayController &replay = world.window.window->replay();
        QTRY_COMPARE_WITH_TIMEOUT(replay.number(), 1, 60000);
        auto *history = chart<HistoryView>(world.window, "historyView");
        QTRY_COMPARE_WITH_TIMEOUT(history->model().rowCount(), 4, 30000);
        QVERIFY(!history->isEmpty());
        // Of each chart that has nothing to show.
        const auto unrecorded = [&world] {
            QStringList other;
            for (const ChartView *view :
                 world.window.window->findChild<ProfilePanel *>()->findChildren<ChartView *>())
                // Those of the overview repeat a page's chart, where there is room for them.
                if (!view->objectName().startsWith("overview") && view->isEmpty() &&
                    !view->summary().startsWith("Not recorded"))
                    other << view->objectName() + ": " + view->summary();
            return other;
        };
        QTRY_VERIFY2_WITH_TIMEOUT(unrecorded().isEmpty(), qPrintable(unrecorded().join('\n')), 10000);
        const auto *speedup = chart<SpeedupView>(world.window, "speedupView");
        QTRY_VERIFY(speedup->summary().startsWith("Not recorded"));
        const auto heads = [](const QWidget *page) {
            QStringList names;
            for (const SectionHead *head : page->findChildren<SectionHead *>())
                names << head->accessibleName();
            return names;
        };
        const auto *reference = world.window.window->findChild<ReferencePanel *>();
        const auto *verify = world.window.window->findChild<VerifyPage *>();
        QVERIFY2(heads(reference).contains("Task facts, not recorded"),
                 qPrintable(heads(reference).join('\n')));
        QVERIFY(verify->findChild<EmptyState *>()->accessibleName().startsWith("Not recorded"));
        // An iteration that is picked in the chart is one of the run.
        const int third = replay.records()[2].iteration.number;
        emit history->iterationPicked(third);
        QTRY_COMPARE_WITH_TIMEOUT(world.window.window->bench().shown().iteration, third, 30000);
        QTRY_VERIFY(!speedup->isEmpty());
        QTRY_VERIFY2_WITH_TIMEOUT(unrecorded().isEmpty(), qPrintable(unrecorded().join('\n')), 10000);
        QVERIFY2(speedup->summary().contains("eager takes"), qPrintable(speedup->summary()));
        QVERIFY2(heads(verify).contains("How it was verified, not recorded"),
                 qPrintable(heads(verify).join('\n')));
    }

    void isSeen() {
        const QString pictures = qEnvironmentVariable("WARPWRIGHT_PICTURES");
        if (pictures.isEmpty())
            QSKIP("WARPWRIGHT_PICTURES names no folder");
        ReviewedWorld world;
        QVERIFY(world.review());
        const auto grab = [&](const QString &name) {
            QTest::qWait(1500);
            for (QWidget *toast : world.window.window->findChildren<QWidget *>("toast"))
                toast->hide();
            return world.window.window->grab().save(pictures + '/' + name + ".png");
        };
        for (const char *theme : {"dark", "light"}) {
            world.window.useTheme(theme);
            QVERIFY(world.openRun());
            QVERIFY(world.goesTo("proposal"));
            QVERIFY(grab(QStringLiteral("past-proposal-%1").arg(theme)));
            QVERIFY(world.goesTo("decision", "3"));
            QVERIFY(grab(QStringLiteral("past-answered-%1").arg(theme)));
            QVERIFY(world.goesTo("applied"));
            world.window.window->showPane(QStringLiteral("hunks"));
            emit world.past().findChild<ProposalFace *>()->hunkPicked(1);
            QVERIFY(grab(QStringLiteral("past-applied-%1").arg(theme)));
            world.actions().backToText->trigger();
            QTRY_VERIFY(!world.replay().isOpen());
        }
        for (const char *name : {"softmax", "gemm"})
            for (const char *theme : {"dark", "light"}) {
                world.window.useTheme(theme);
                world.actions().startPage->trigger();
                QAbstractButton *row = nullptr;
                QTRY_VERIFY_WITH_TIMEOUT((row = world.window.window->findChild<QAbstractButton *>(
                                              QStringLiteral("recording-%1").arg(name))) != nullptr,
                                         30000);
                row->click();
                QTRY_COMPARE_WITH_TIMEOUT(world.replay().number(), 1, 60000);
                world.window.window->showPane(QStringLiteral("history"));
                world.window.window->showPane(QStringLiteral("verify"));
                world.replay().goTo(52);
                QTRY_COMPARE_WITH_TIMEOUT(world.replay().number(), 52, 30000);
                QVERIFY(grab(QStringLiteral("recording-%1-%2").arg(name, theme)));
                world.window.window->showPane(QStringLiteral("speedup"));
                world.replay().goTo(60);
                QTRY_COMPARE_WITH_TIMEOUT(world.replay().number(), 60, 30000);
                QVERIFY(grab(QStringLiteral("recording-%1-speedup-%2").arg(name, theme)));
                world.window.window->showPane(QStringLiteral("distribution"));
                QVERIFY(grab(QStringLiteral("recording-%1-distribution-%2").arg(name, theme)));
                world.actions().backToText->trigger();
                QTRY_VERIFY(!world.replay().isOpen());
            }
    }
};

QObject *makeTestPastReview() {
    return new TestPastReview;
}

#include "tst_past_review.moc"
