// SPDX-License-Identifier: GPL-3.0-or-later
// A lesson in the window: its page and strip while it runs, after a restart, and begun anew.
#include "app/ide/agent/agent_event_model.h"
#include "app/ide/lesson/lesson_controller.h"
#include "app/ide/lesson/lesson_page.h"
#include "profiler_views/lesson/lesson_times_view.h"
#include "tests/gui/script_world.h"
#include "tests/toolchain/run_test_classes.h"
#include "widgets/frame/action_button.h"
#include "widgets/frame/empty_state.h"
#include "widgets/look/theme.h"

#include <QAbstractButton>
#include <QDir>
#include <QFile>
#include <QImage>
#include <QLabel>
#include <QMenu>
#include <QTest>

#include <algorithm>

using namespace warpwright;

namespace {

/// A window on a workspace that was made of a lesson of two steps; the second one is wrong.
struct LessonWorld : ScriptWorld {
    LessonWorld() {
        script = window.folder + "/lesson";
        addStep(base + "// fake judge: times=80,220,150\n",
                {{"taught", "Less is faster."},
                 {"prediction", {{"timeRatio", 0.5}, {"low", 0.4}, {"high", 0.9}}}});
        addStep(base + "// fake judge: verdict=wrong\n", {{"taught", "Look at the edges."}});
        window.cli.write(script + "/lesson.json",
                         R"({"name": "two", "title": "Two steps", "goals": ["To see one."]})");
        window.cli.write(window.folder + "/README.md", "# Two steps\n\nRead `kernels/gate.cpp` first.\n");
    }
    [[nodiscard]] LessonController &controller() const {
        return *window.window->findChild<LessonController *>();
    }
    [[nodiscard]] bool opens() { return window.open(window.folder) && isRead(); }
    [[nodiscard]] bool isRead() const {
        return QTest::qWaitFor([this] { return controller().contents().has_value(); }, 10000);
    }
    [[nodiscard]] bool decides(int count) const {
        return QTest::qWaitFor(
            [this, count] {
                return controller().contents() && controller().contents()->story.decided() == count;
            },
            60000);
    }
    [[nodiscard]] QString emptyWords() const {
        QString words;
        for (const EmptyState *empty : window.find<AgentPanel>("agentPanel")->findChildren<EmptyState *>())
            words += empty->accessibleName();
        return words;
    }
    template <typename T>
    [[nodiscard]] T *part(const char *name) const {
        return window.window->findChild<T *>(QString::fromLatin1(name));
    }
};

} // namespace

class TestLessonWindow : public QObject {
    Q_OBJECT

private slots:
    void aWorkspaceThatIsNoLessonShowsNone() {
        WindowWorld world;
        QVERIFY(world.open(world.folder));
        const QAction *show = world.window->actions().showLesson;
        QTRY_VERIFY(!show->isEnabled());
        QVERIFY(show->property("whyDisabled").toString().contains("not made of a lesson"));
        QVERIFY(world.find<QWidget>("lessonStrip")->isHidden());
    }

    void nothingRunsBeforeThePersonBeginsAndAStopIsSeen() {
        LessonWorld world;
        QVERIFY(world.opens());
        // A lesson asks for bets, another workspace does not.
        QTRY_VERIFY(world.actions().betsFirst->isChecked());
        QTRY_VERIFY(!world.agent().isRunning() && world.actions().beginLesson->isEnabled());
        // The pane says how it begins.
        QTRY_VERIFY2(world.emptyWords().contains("The lesson has not begun"), qPrintable(world.emptyWords()));
        const auto *closing = world.actions().findChild<QAction *>("closingPicture");
        QVERIFY(closing != nullptr && !closing->isEnabled());
        // There is nothing to bet on yet: that is said.
        world.window.window->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(world.window.window.get()));
        world.window.press(Qt::Key_B, Qt::AltModifier);
        QTRY_VERIFY2(world.window.toasts().contains("Nothing to bet on"), qPrintable(world.window.toasts()));
        world.actions().showLesson->trigger();
        QTRY_VERIFY(world.part<QAbstractButton>("lesson-beginLesson")->isVisible());
        QVERIFY(world.part<QAbstractButton>("betSwitchBox")->isVisible());
        world.part<QAbstractButton>("lesson-beginLesson")->click();
        QTRY_VERIFY_WITH_TIMEOUT(world.agent().isRunning(), 30000);
        QVERIFY(!world.actions().beginLesson->isEnabled());
        QTRY_VERIFY_WITH_TIMEOUT(world.session() != nullptr && world.session()->evidence() != nullptr, 60000);
        QVERIFY(world.session()->isResultHidden());
        // Half of the time before is what the first step predicts.
        QTRY_COMPARE_WITH_TIMEOUT(world.part<QLabel>("lessonResult-1")->text(),
                                  QStringLiteral("numbers hidden until you bet · waits for you"), 10000);
        world.agent().stop();
        QTRY_VERIFY_WITH_TIMEOUT(!world.agent().isRunning(), 30000);
        QTRY_COMPARE(world.part<QLabel>("lessonPlace")->text(), QString("Lesson: stopped at step 1 of 2"));
        QVERIFY(world.part<QAbstractButton>("lessonStep-1")->accessibleName().contains("stopped here"));
        QVERIFY(!world.actions().beginLesson->isEnabled()); // it has begun
        QVERIFY(world.actions().beginLesson->property("whyDisabled").toString().contains("continue it"));
        const QString plain = world.window.cli.workspace("base", "plain");
        QVERIFY(world.window.open(plain));
        QTRY_VERIFY(!world.actions().betsFirst->isChecked());
    }

    // Another workspace has no bets: it shows nothing of what is hidden here.
    void whatIsHiddenStaysSoWhenAnotherWorkspaceIsOpened() {
        LessonWorld world;
        QVERIFY(world.opens());
        QTRY_VERIFY(world.actions().betsFirst->isChecked());
        world.actions().beginLesson->trigger();
        QTRY_VERIFY_WITH_TIMEOUT(world.session() != nullptr && world.session()->evidence() != nullptr, 60000);
        QVERIFY(world.session()->isResultHidden());
        QVERIFY(world.window.open(world.window.cli.workspace("base", "plain")));
        QTRY_VERIFY(!world.actions().betsFirst->isChecked());
        QTRY_VERIFY_WITH_TIMEOUT(!world.agent().isRunning(), 30000);
        QVERIFY(world.window.open(world.window.folder) && world.isRead());
        const LessonStep &step = world.controller().contents()->story.steps().front();
        QVERIFY(step.isHidden && step.state == LessonStep::State::Stopped);
    }

    void theStripFollowsTheRunAndThePageTellsIt() {
        LessonWorld world;
        QVERIFY(world.opens());
        QVERIFY(!world.part<QWidget>("lessonStrip")->isHidden());
        QCOMPARE(world.part<QLabel>("lessonPlace")->text(), QString("Lesson: 2 steps"));
        QVERIFY(world.begin(SessionMode::Auto));
        QVERIFY(!world.actions().beginLessonAnew->isEnabled());
        QTRY_VERIFY_WITH_TIMEOUT(!world.agent().isRunning(), 120000);
        QVERIFY(world.decides(2));
        QTRY_COMPARE(world.part<QLabel>("lessonPlace")->text(), QString("Lesson: all 2 steps decided"));
        QVERIFY(world.part<QAbstractButton>("lessonStep-1")->accessibleName().contains("kept"));
        QVERIFY(world.part<QAbstractButton>("lessonStep-2")->accessibleName().contains("left out"));
        // What was learnt stands in the conversation as well.
        QString said;
        const AgentEventModel &events = world.window.find<AgentPanel>("agentPanel")->events();
        for (int row = 0; row < events.rowCount(); ++row)
            said += events.event(row).text + '\n';
        QVERIFY2(said.contains("Less is faster.") && said.contains("Look at the edges."), qPrintable(said));
        // A line of the pane leads to what it has come to.
        auto *closing = world.actions().findChild<QAction *>("closingPicture");
        QTRY_VERIFY(closing->isEnabled());
        const auto leadsThere = [&world, closing] {
            const QList<ActionButton *> buttons =
                world.window.find<AgentPanel>("agentPanel")->findChildren<ActionButton *>();
            return std::any_of(buttons.begin(), buttons.end(), [closing](const ActionButton *button) {
                return button->text() == closing->text() && !button->isHidden();
            });
        };
        QTRY_VERIFY(leadsThere());
        closing->trigger();
        QTRY_VERIFY(world.controller().page().isVisible());
        QVERIFY(world.part<QLabel>("lessonTaught-1")->text().contains("Less is faster."));
        QVERIFY(!world.controller().page().chart().isEmpty());
        const QString picture = world.window.cli.path("lesson.png");
        const Result<void> written = world.controller().write("png", picture);
        QVERIFY2(written.hasValue(), qPrintable(written.message()));
        QVERIFY(!QImage(picture).isNull());
        // It is printed: light, whatever the window is.
        world.window.useTheme(QStringLiteral("dark"));
        const Result<void> printed = world.controller().write("png", picture);
        QVERIFY2(printed.hasValue(), qPrintable(printed.message()));
        QCOMPARE(QImage(picture).pixelColor(1, 1), Theme::light().color("bg.pane"));
        world.window.useTheme(QStringLiteral("light"));
        // A file that the README names is opened in its pane.
        emit world.controller().page().linkActivated("kernels/gate.cpp");
        QTRY_VERIFY(!world.controller().page().isVisible());

        // The same after a restart, from what was recorded.
        world.window.reopen();
        QVERIFY(world.opens());
        QCOMPARE(world.controller().contents()->story.decided(), 2);
        QTRY_VERIFY2(world.emptyWords().contains("All steps of the lesson are decided"),
                     qPrintable(world.emptyWords()));
        QVERIFY(!world.controller().page().chart().isEmpty());
        QVERIFY(world.part<QLabel>("lessonTaught-2")->text().contains("Look at the edges."));
    }

    void begunAnewItLosesNothing() {
        LessonWorld world;
        QVERIFY(world.opens());
        world.actions().beginLessonAnew->trigger();
        QMenu *menu = nullptr;
        QTRY_VERIFY((menu = world.part<QMenu>("beginAnewMenu")) != nullptr);
        QVERIFY2(menu->actions().first()->text().contains("/lessons/two"),
                 qPrintable(menu->actions().first()->text()));
        QVERIFY(menu->actions().last()->text().contains(world.window.folder));
        // No mouse has pointed: it stands inside the window, and Enter has something to do.
        const QRect frame(world.window.window->mapToGlobal(QPoint()), world.window.window->size());
        QVERIFY(frame.contains(menu->geometry().topLeft()) && menu->geometry().right() <= frame.right());
        QCOMPARE(menu->activeAction(), menu->actions().first());
        menu->close();
        // It came from no folder that is there, and no lesson of its name ships: that is said.
        const QByteArray before = world.onDisk();
        QTRY_VERIFY(world.part<QMenu>("beginAnewMenu") == nullptr);
        world.actions().beginLessonAnew->trigger();
        QTRY_VERIFY((menu = world.part<QMenu>("beginAnewMenu")) != nullptr);
        menu->actions().first()->trigger();
        QTRY_VERIFY(world.window.toasts().contains("There is no lesson \"two\""));
        QCOMPARE(world.onDisk(), before);
    }
};

QObject *makeTestLessonWindow() {
    return new TestLessonWindow;
}

#include "tst_lesson_window.moc"
