// SPDX-License-Identifier: GPL-3.0-or-later
// One pane alone in the window, gone through by a presenter's keys; the words used here a key away.
#include "app/ide/agent/agent_panel.h"
#include "app/ide/editing/candidate_panel.h"
#include "app/ide/editing/reference_panel.h"
#include "app/ide/help/words_page.h"
#include "app/ide/history/past_runs_page.h"
#include "app/ide/history/replay_bar.h"
#include "app/ide/history/replay_controller.h"
#include "app/ide/layout/dock.h"
#include "app/ide/layout/presentation.h"
#include "app/ide/layout/top_bar.h"
#include "app/ide/lesson/guide_page.h"
#include "app/ide/lesson/readme_view.h"
#include "app/ide/measured/profile_panel.h"
#include "app/ide/results/verdict_banner.h"
#include "app/ide/start/start_page.h"
#include "tests/gui/review_world.h"
#include "tests/toolchain/run_test_classes.h"
#include "widgets/frame/fact_table.h"
#include "widgets/look/look.h"
#include "widgets/review/hunk_marks.h"

#include <QAbstractButton>
#include <QApplication>
#include <QLabel>
#include <QSignalSpy>
#include <QTest>
#include <QVBoxLayout>

#include <algorithm>

using namespace warpwright;

namespace {

struct PresentedWorld : ReviewWorld {
    using ReviewWorld::ReviewWorld;

    bool comes() { return window.open(window.folder) && begin() && waitsForReview(); }
    bool opensItsRun() {
        if (!window.open(window.folder) || !begin(SessionMode::Auto) ||
            !QTest::qWaitFor([this] { return !agent().isRunning(); }, 180000))
            return false;
        auto *page = part<PastRunsPage>();
        QSignalSpy listed(page, &PastRunsPage::listed);
        actions().pastRuns->trigger();
        if (!listed.wait(30000) || page->shownRuns().empty())
            return false;
        emit page->runPicked(page->shownRuns().front(), 1);
        return QTest::qWaitFor([this] { return window.window->replay().number() == 1; }, 30000);
    }
    template <typename T>
    [[nodiscard]] T *part() const {
        return window.window->findChild<T *>();
    }
    void present() const { actions().findChild<QAction *>(QStringLiteral("present"))->trigger(); }
    [[nodiscard]] QString about() const { return window.find<QLabel>("presentedAbout")->text(); }
    [[nodiscard]] QString place() const { return window.find<QLabel>("presentedPlace")->text(); }
    void press(int key) const {
        QWidget *focus = QApplication::focusWidget();
        QTest::keyClick(focus != nullptr ? focus : window.window.get(), static_cast<Qt::Key>(key));
    }
};

} // namespace

class TestPresenting : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { NEED_TOOL(!CliWorld::python().isEmpty(), "a Python environment with torch"); }

    void aReviewIsGoneThroughAlone() {
        PresentedWorld world(1);
        QVERIFY(world.comes());
        QTRY_VERIFY(world.editor()->isVisible());
        auto *agent = world.window.window->findChild<Dock *>(QStringLiteral("agentDock"));
        const bool hadAgent = agent->isVisible();
        world.present();
        QTRY_VERIFY(!world.part<TopBar>()->isVisible());
        QVERIFY(!world.part<ReferencePanel>()->isVisible() && !world.part<ProfilePanel>()->isVisible());
        QVERIFY(!world.window.banner()->isVisible() && !agent->isVisible());
        QVERIFY(world.editor()->isVisible());
        QVERIFY2(world.about().contains("Because it helps, see the loop."), qPrintable(world.about()));
        QVERIFY2(world.place().endsWith("Esc ends"), qPrintable(world.place()));
        // The editor has the room of the window, but for its own head, bars and the line.
        QTRY_VERIFY2(world.part<CandidatePanel>()->width() > world.window.window->width() - 8,
                     qPrintable(QStringLiteral("%1 of %2")
                                    .arg(world.part<CandidatePanel>()->width())
                                    .arg(world.window.window->width())));

        world.editor()->setFocus();
        const int first = world.editor()->decorator<HunkMarks>().current();
        world.press(Qt::Key_PageDown);
        QTRY_VERIFY(world.editor()->decorator<HunkMarks>().current() != first);
        world.press(Qt::Key_PageUp);
        QTRY_COMPARE(world.editor()->decorator<HunkMarks>().current(), first);
        // Answers are given as ever.
        world.trigger(world.actions().acceptHunk);
        QTRY_COMPARE(world.session()->review()->count().accepted, 1);

        world.press(Qt::Key_Escape);
        QTRY_VERIFY(world.part<TopBar>()->isVisible());
        QVERIFY(world.part<ReferencePanel>()->isVisible() && world.part<ProfilePanel>()->isVisible());
        QVERIFY(world.window.banner()->isVisible());
        QCOMPARE(agent->isVisible(), hadAgent);
        QVERIFY(!world.part<PresentedLine>()->isVisible());
        QVERIFY(world.stop());
    }

    void aReplayGoesByProposals() {
        PresentedWorld world(2);
        QVERIFY(world.opensItsRun());
        ReplayController &replay = world.window.window->replay();
        ReplayScrubber &scrubber = world.part<ReplayBar>()->scrubber();
        QTRY_VERIFY_WITH_TIMEOUT(!scrubber.marks().empty(), 30000);
        world.present();
        QTRY_VERIFY(!world.part<ReplayBar>()->isVisible());
        const auto isMark = [&scrubber](qint64 number) {
            const std::vector<RunMark> &marks = scrubber.marks();
            return std::any_of(marks.begin(), marks.end(),
                               [number](const RunMark &mark) { return mark.number == number; });
        };
        // What was measured is stopped at as well as what was proposed and applied, each in its order.
        QStringList kinds;
        const auto tellsKind = [&] {
            const QString kind =
                world.about().section(QStringLiteral(", "), 1).section(QLatin1Char(':'), 0, 0);
            if (kinds.isEmpty() || kinds.back() != kind)
                kinds << kind;
        };
        world.press(Qt::Key_PageDown);
        QTRY_VERIFY_WITH_TIMEOUT(replay.number() > 1, 30000);
        const qint64 here = replay.number();
        QTRY_VERIFY2(world.place().contains(QStringLiteral("event %1 of").arg(here)),
                     qPrintable(world.place()));
        // To the end, and it stays there.
        for (int presses = 0; presses < 60 && replay.number() < replay.last(); ++presses) {
            const qint64 before = replay.number();
            world.press(Qt::Key_PageDown);
            static_cast<void>(
                QTest::qWaitFor([&] { return replay.number() != before; }, 300)); // or another hunk of it
            tellsKind();
        }
        QCOMPARE(replay.number(), replay.last());
        QVERIFY(isMark(replay.last()));
        for (const char *kind : {"proposal", "evaluation", "applied"})
            QVERIFY2(kinds.contains(QLatin1String(kind)), qPrintable(kinds.join(QLatin1Char(' '))));
        QVERIFY2(!world.place().contains(QStringLiteral("hunk ")), qPrintable(world.place()));
        world.press(Qt::Key_Escape);
        QTRY_VERIFY(world.part<ReplayBar>()->isVisible());
        QVERIFY(replay.isOpen()); // Esc has ended one thing
    }

    void theAgentIsPresentedToo() {
        PresentedWorld world(1);
        QVERIFY(world.comes());
        auto *panel = world.part<AgentPanel>();
        auto *agent = world.window.window->findChild<Dock *>(QStringLiteral("agentDock"));
        const bool wasVisible = panel->isVisible(); // else a rail
        world.present();
        QTRY_VERIFY(!panel->isVisible());
        world.actions().toggleAgent->trigger();
        QTRY_VERIFY(panel->isVisible() && !world.part<CandidatePanel>()->isVisible());
        QVERIFY(panel->width() > world.window.window->width() - 8);
        world.actions().enlarge[1]->trigger();
        QTRY_VERIFY(!panel->isVisible() && world.part<CandidatePanel>()->isVisible());
        world.actions().toggleAgent->trigger();
        QTRY_VERIFY(panel->isVisible());
        world.press(Qt::Key_Escape);
        QTRY_VERIFY(world.part<TopBar>()->isVisible() && world.part<CandidatePanel>()->isVisible());
        QVERIFY(agent->isAncestorOf(panel));
        QTRY_COMPARE(panel->isVisible(), wasVisible);
        QVERIFY(world.stop());
    }

    void whatItIsAboutIsReadableToItsEnd() {
        QWidget window;
        window.resize(600, 600);
        Look look;
        auto *line = new PresentedLine(look, &window);
        auto *column = new QVBoxLayout(&window);
        column->addWidget(line);
        column->addStretch(1);
        window.show();
        const QString reason =
            QStringLiteral("It expects 20.0 % of the time, for each row is read once. ").repeated(4);
        line->say(QStringLiteral("Short"), QStringLiteral("Esc ends"));
        line->show();
        auto *about = line->findChild<QLabel *>(QStringLiteral("presentedAbout"));
        const int low = line->height();
        line->say(reason, QStringLiteral("Esc ends"));
        QTRY_VERIFY(line->height() > 2 * low && line->height() <= 200);
        QCOMPARE(about->text(), reason);
        QTRY_VERIFY(about->height() >= about->heightForWidth(about->width()));
        // No more than a third; the rest is told to be there.
        line->say(reason.repeated(20), QStringLiteral("Esc ends"));
        QTRY_VERIFY(about->text().endsWith(QStringLiteral("…")));
        QVERIFY(line->height() <= 200 && line->height() > 150);
        line->say(QStringLiteral("Short"), QStringLiteral("Esc ends"));
        QTRY_COMPARE(line->height(), low);
    }

    void anotherPaneIsPresentedByItsKey() {
        PresentedWorld world(0);
        QVERIFY(world.window.open(world.window.folder));
        world.present();
        QTRY_VERIFY(!world.part<ProfilePanel>()->isVisible());
        world.actions().enlarge[3]->trigger();
        QTRY_VERIFY(world.part<ProfilePanel>()->isVisible() && !world.part<CandidatePanel>()->isVisible());
        // What is gone to comes into sight.
        world.window.window->goTo(QString::fromLatin1(PresentedWorld::kernelFile), 3, 1);
        QTRY_VERIFY(world.part<CandidatePanel>()->isVisible());
        // Another page ends it.
        world.window.window->showSettings();
        QTRY_VERIFY(world.part<TopBar>()->isVisible());
        QVERIFY(!world.part<PresentedLine>()->isVisible());
    }

    void factsYieldToTheTextInALowPane() {
        PresentedWorld world(0);
        QVERIFY(world.window.open(world.window.folder));
        QVERIFY(world.window.check());
        auto *reference = world.part<ReferencePanel>();
        auto *facts = reference->findChild<FactTable *>();
        world.window.window->resize(1600, 1000);
        QTRY_VERIFY(facts->isVisible() && !facts->facts().empty());
        world.window.window->resize(1280, 600);
        QTRY_VERIFY(!facts->isVisible());
        world.window.window->resize(1600, 1000);
        QTRY_VERIFY(facts->isVisible());
        // Nor is it the window alone that makes room: larger text takes it.
        world.window.window->resize(1280, 720);
        for (int step = 0; step < 4; ++step)
            world.actions().findChild<QAction *>(QStringLiteral("larger"))->trigger();
        QTRY_VERIFY(!facts->isVisible());
        world.actions().findChild<QAction *>(QStringLiteral("normalSize"))->trigger(); // it is kept
    }

    void theWordsAreAKeyAway() {
        PresentedWorld world(0);
        QVERIFY(world.window.open(world.window.folder));
        world.window.press(Qt::Key_F1);
        auto *words = world.part<WordsPage>();
        QTRY_VERIFY(words->isVisible());
        QVERIFY(words->shownWords().contains("judge"));
        world.press(Qt::Key_Escape);
        QTRY_VERIFY(!words->isVisible() && world.part<CandidatePanel>()->isVisible());
        world.actions().findChild<QAction *>(QStringLiteral("judgePromises"))->trigger();
        auto *promises = world.window.find<GuidePage>("promisesPage");
        QTRY_VERIFY(promises->isVisible());
        QVERIFY(promises->findChild<ReadmeView *>()->text().contains("Not promised"));
    }
};

QObject *makeTestPresenting() {
    return new TestPresenting;
}

#include "tst_presenting.moc"
