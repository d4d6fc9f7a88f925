// SPDX-License-Identifier: GPL-3.0-or-later
// By keys alone: on every page Tab comes to all that can be used, and back; all of it has a name.
#include "app/ide/editing/candidate_panel.h"
#include "app/ide/kit/actions.h"
#include "app/ide/results/build_panel.h"
#include "app/ide/settings/settings_page.h"
#include "app/ide/start/start_page.h"
#include "app/ide/start/start_rows.h"
#include "tests/gui/reach.h"
#include "tests/gui/review_world.h"
#include "tests/gui/window_world.h"
#include "widgets/editor/code_editor.h"
#include "widgets/frame/action_button.h"
#include "widgets/frame/tab_strip.h"
#include "widgets/review/hunk_marks.h"

#include <QApplication>
#include <QHelpEvent>
#include <QLineEdit>
#include <QListView>
#include <QPushButton>
#include <QTest>
#include <QThreadPool>
#include <QToolTip>
#include <QVBoxLayout>

#include <cmath>
#include <initializer_list>

using namespace warpwright;

namespace {

constexpr int laidOutMs = 60;
constexpr int mostSteps = 800; ///< the settings have a row for each key

/// What is read in the pool is on the page, and the page laid out.
void settle() {
    QTRY_VERIFY_WITH_TIMEOUT(QThreadPool::globalInstance()->activeThreadCount() == 0, 15000);
    QTest::qWait(laidOutMs);
}

QStringList troublesOf(QWidget &window) {
    const TabWalk walk = walkByTab(window, mostSteps);
    QStringList troubles = namelessOf(window);
    if (walk.trouble.isEmpty())
        troubles << unreachedOf(window, walk.stops);
    else
        troubles << walk.trouble;
    return troubles;
}

QAction *actionOf(const WindowWorld &world, const char *name) {
    return world.window->actions().findChild<QAction *>(QString::fromLatin1(name));
}

bool holdsFocus(const QWidget *part) {
    return part != nullptr && QApplication::focusWidget() != nullptr &&
           (part == QApplication::focusWidget() || part->isAncestorOf(QApplication::focusWidget()));
}

} // namespace

class TestReach : public QObject {
    Q_OBJECT
private slots:
    // The finder itself: what is whole is not blamed.
    void findsWhatIsOutOfReach() {
        const Look look;
        QWidget window;
        auto *column = new QVBoxLayout(&window);
        auto *named = new QPushButton(QStringLiteral("Named"), &window);
        auto *bare = new QPushButton(&window);
        auto *aside = new QPushButton(QStringLiteral("Aside"), &window);
        auto *field = new QLineEdit(&window);
        field->setAccessibleName(QStringLiteral("Field"));
        for (QWidget *part : std::initializer_list<QWidget *>{named, bare, aside, field})
            column->addWidget(part);
        window.show();
        window.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        field->setFocus();
        QCOMPARE(troublesOf(window).size(), 1); // no name
        bare->setAccessibleName(QStringLiteral("Bare"));
        QCOMPARE(troublesOf(window), QStringList());
        aside->setFocusPolicy(Qt::ClickFocus);
        QCOMPARE(troublesOf(window).size(), 1);
        aside->setFocusPolicy(Qt::StrongFocus);
        auto *icon = new ActionButton(look, ActionButton::Kind::Flat, &window);
        icon->setAccessibleName(QStringLiteral("Icon"));
        column->addWidget(icon);
        QTest::qWait(laidOutMs);
        QCOMPARE(troublesOf(window).size(), 1); // no tool tip
        icon->setToolTip(QStringLiteral("What it does"));
        QCOMPARE(troublesOf(window), QStringList());
        icon->setEnabled(false);
        QCOMPARE(troublesOf(window), QStringList());
        icon->setToolTip(QStringLiteral("Icon"));
        QCOMPARE(troublesOf(window).size(), 1); // no reason
    }

    void everyPageIsUsedByKeys_data() {
        QTest::addColumn<QString>("verdict");
        for (const char *verdict : {"pass", "wrong", "none"})
            QTest::newRow(verdict) << QString::fromLatin1(verdict);
    }

    void everyPageIsUsedByKeys() {
        QFETCH(QString, verdict);
        WindowWorld world(QStringLiteral("base"), verdict == QLatin1String("wrong")
                                                      ? QStringLiteral("verdict=wrong")
                                                      : QStringLiteral("times=100,220,150"));
        QVERIFY(world.open(world.folder));
        if (verdict != QLatin1String("none"))
            QVERIFY(world.check());
        world.window->resize(1600, 1000);
        world.window->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(world.window.get()));
        QStringList troubles;
        const auto walk = [&](const QString &page) {
            settle();
            if (QTest::currentTestFailed())
                return;
            for (const QString &one : troublesOf(*world.window))
                troubles << page + QStringLiteral(": ") + one;
        };
        for (const char *page : {"compile",   "verify",       "console", "command",  "find",     "overview",
                                 "speedup",   "graph",        "history", "assembly", "hunks",    "roofline",
                                 "timeline",  "distribution", "configs", "counters", "findings", "heat",
                                 "occupancy", "settings",     "models",  "compare",  "setup"}) {
            if (QByteArray(page) == "compare" && !world.window->actions().compareWithEager->isEnabled())
                continue; // nothing was checked
            QVERIFY2(world.window->showPane(QString::fromLatin1(page)), page);
            walk(QString::fromLatin1(page));
        }
        world.window->actions().writeLesson->trigger();
        walk(QStringLiteral("guide"));
        world.window->actions().pastRuns->trigger();
        walk(QStringLiteral("past runs"));
        world.window->showStartPage();
        walk(QStringLiteral("start"));
        troubles.removeDuplicates();
        QVERIFY2(troubles.isEmpty(), qPrintable(QLatin1Char('\n') + troubles.join(QLatin1Char('\n'))));
    }

    void aReviewIsUsedByKeys() {
        ReviewWorld world;
        QVERIFY(world.window.open(world.window.folder));
        QVERIFY(world.begin());
        QVERIFY(world.waitsForReview());
        QTRY_VERIFY_WITH_TIMEOUT(!world.editor()->decorator<HunkMarks>().hunks().empty(), 5000);
        QVERIFY(world.isMeasured()); // what comes with it moves what stands below it
        world.window.window->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(world.window.window.get()));
        settle();
        const QStringList troubles = troublesOf(*world.window.window);
        QVERIFY2(troubles.isEmpty(), qPrintable(QLatin1Char('\n') + troubles.join(QLatin1Char('\n'))));
        QVERIFY(world.stop());
    }

    // The one thing that keeps Tab.
    void paneKeysLeaveTheEditor() {
        WindowWorld world;
        QVERIFY(world.open(world.folder));
        QVERIFY(QTest::qWaitForWindowActive(world.window.get()));
        auto *panel = world.window->findChild<CandidatePanel *>();
        panel->focusHere();
        QTRY_VERIFY(holdsFocus(panel));
        world.window->actions().nextPane->trigger();
        QVERIFY(!holdsFocus(panel));
        world.window->actions().previousPane->trigger();
        QVERIFY(holdsFocus(panel));
    }

    void escLeadsBackToWhereTheKeysWere() {
        WindowWorld world;
        QVERIFY(world.open(world.folder));
        QVERIFY(QTest::qWaitForWindowActive(world.window.get()));
        settle();
        auto *tabs = world.window->findChild<BuildPanel *>()->findChild<TabStrip *>();
        QVERIFY(tabs != nullptr);
        tabs->setFocus(Qt::TabFocusReason);
        world.window->showSettings();
        const auto *settings = world.window->findChild<SettingsPage *>();
        QTRY_VERIFY(holdsFocus(settings));
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Escape);
        QTRY_VERIFY_WITH_TIMEOUT(tabs->hasFocus(), 2000);
        world.window->showStartPage();
        const auto *start = world.window->findChild<StartPage *>();
        QTRY_VERIFY(holdsFocus(start));
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Escape);
        QTRY_VERIFY_WITH_TIMEOUT(tabs->hasFocus(), 2000);
    }

    void theStartPageNamesTheKeysOfTheSettings() {
        WindowWorld world;
        world.window.reset();
        world.cli.write(QStringLiteral("config/warpwright/settings.json"),
                        "{\"device\": \"cpu\", \"languageServer\": \"off\", "
                        "\"keys\": {\"open\": \"Ctrl+Alt+W\"}}");
        world.reopen();
        const QString key = world.window->actions().open->shortcut().toString(QKeySequence::NativeText);
        QCOMPARE(key, QString("Ctrl+Alt+W"));
        QStringList named;
        for (const StartRow *row : world.window->findChild<StartPage *>()->findChildren<StartRow *>())
            named << row->key();
        QVERIFY2(named.contains(key), qPrintable(named.join(u' ')));
    }

    // There is nothing to go back to.
    void escStaysOnTheStartPageWithoutAWorkspace() {
        WindowWorld world;
        QVERIFY(QTest::qWaitForWindowActive(world.window.get()));
        world.window->showStartPage();
        settle();
        auto *start = world.window->findChild<StartPage *>();
        start->setFocus();
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Escape);
        QTest::qWait(laidOutMs);
        QVERIFY(start->isVisible());
    }

    void tabMovesInThePaletteInsteadOfClosingIt() {
        WindowWorld world;
        QVERIFY(world.open(world.folder));
        QVERIFY(QTest::qWaitForWindowActive(world.window.get()));
        world.window->actions().commands->trigger();
        auto *rows = world.find<QListView>("paletteRows");
        QTRY_VERIFY(rows->isVisible());
        auto *field = world.find<QLineEdit>("paletteField");
        const int before = rows->currentIndex().row();
        QTest::keyClick(field, Qt::Key_Tab);
        QVERIFY(rows->isVisible());
        QCOMPARE(rows->currentIndex().row(), before + 1);
        QTest::keyClick(field, Qt::Key_Backtab, Qt::ShiftModifier);
        QCOMPARE(rows->currentIndex().row(), before);
        QTest::keyClick(field, Qt::Key_Escape);
        QVERIFY(!rows->isVisible());
    }

    void theMenuUndoesWhereTheKeysAre() {
        WindowWorld world;
        QVERIFY(world.open(world.folder));
        QVERIFY(QTest::qWaitForWindowActive(world.window.get()));
        CodeEditor *editor = world.editor(QStringLiteral("kernels/gate.cpp"));
        editor->setFocus();
        const QString text = editor->content();
        QTest::keyClick(editor, Qt::Key_X);
        QVERIFY(editor->content() != text);
        actionOf(world, "undo")->trigger();
        QCOMPARE(editor->content(), text);
        actionOf(world, "redo")->trigger();
        QVERIFY(editor->content() != text);
        actionOf(world, "undo")->trigger();
        QCOMPARE(editor->content(), text);

        // In a field these act on the field.
        world.window->showSettings();
        auto *settings = world.window->findChild<SettingsPage *>();
        QTRY_VERIFY(holdsFocus(settings));
        QLineEdit *field = nullptr;
        for (QLineEdit *one : settings->findChildren<QLineEdit *>())
            if (one->accessibleName() == QLatin1String("Search the settings"))
                field = one;
        QVERIFY(field != nullptr);
        field->setFocus();
        QTest::keyClicks(field, QStringLiteral("cuda"));
        actionOf(world, "selectAll")->trigger();
        actionOf(world, "cut")->trigger();
        QCOMPARE(field->text(), QString());
        actionOf(world, "paste")->trigger();
        actionOf(world, "paste")->trigger();
        QCOMPARE(field->text(), QStringLiteral("cudacuda"));
        QCOMPARE(editor->content(), text);
    }

    void theKeysAreListedByAnAction() {
        WindowWorld world;
        QVERIFY(world.open(world.folder));
        actionOf(world, "keyboardShortcuts")->trigger();
        const auto *settings = world.window->findChild<SettingsPage *>();
        QTRY_VERIFY(settings->isVisible());
        const auto *keys = settings->findChild<QWidget *>(QStringLiteral("keyTable"));
        QVERIFY(keys != nullptr);
        QTRY_VERIFY_WITH_TIMEOUT(std::abs(keys->mapTo(settings, QPoint()).y()) < settings->height() / 2,
                                 3000);
        // What texts answer to by themselves is no key of the window.
        QVERIFY(keys->findChild<QWidget *>(QStringLiteral("key-check")) != nullptr);
        QVERIFY(keys->findChild<QWidget *>(QStringLiteral("key-undo")) == nullptr);
    }

    void theStatusLineSaysTheKeysOfItsParts() {
        WindowWorld world;
        QVERIFY(world.open(world.folder));
        auto *status = world.window->findChild<QWidget *>(QStringLiteral("statusLine"));
        QVERIFY(status != nullptr);
        (void)status->grab(); // its parts have their places when they were painted
        const QPoint place(status->width() - 20, status->height() / 2);
        QHelpEvent help(QEvent::ToolTip, place, status->mapToGlobal(place));
        QApplication::sendEvent(status, &help);
        QVERIFY2(QToolTip::text().contains(QStringLiteral("Ctrl+Shift+P")), qPrintable(QToolTip::text()));
        QToolTip::hideText();
    }

    void fillsTheScreenAndComesBack() {
        WindowWorld world;
        QVERIFY(world.open(world.folder));
        QVERIFY(!world.window->isFullScreen());
        actionOf(world, "fullScreen")->trigger();
        QTRY_VERIFY(world.window->isFullScreen());
        actionOf(world, "fullScreen")->trigger();
        QTRY_VERIFY(!world.window->isFullScreen());
    }
};

QObject *makeTestReach() {
    return new TestReach;
}

#include "tst_reach.moc"
