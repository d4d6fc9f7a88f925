// SPDX-License-Identifier: GPL-3.0-or-later
// What was open comes back, also of a window that never heard that it ends.
#include "app/ide/compare/compare_page.h"
#include "app/ide/editing/candidate_panel.h"
#include "app/ide/history/iterations_panel.h"
#include "app/ide/kit/actions.h"
#include "app/ide/layout/dock.h"
#include "app/ide/layout/window_state.h"
#include "app/ide/settings/settings_page.h"
#include "tests/gui/window_world.h"
#include "tests/toolchain/run_test_classes.h"
#include "widgets/editor/code_editor.h"

#include <QDir>
#include <QLabel>
#include <QListView>
#include <QMenu>
#include <QTest>

using namespace warpwright;

namespace {

struct RestoredWorld : WindowWorld {
    [[nodiscard]] QByteArray kept() const {
        return bytesOf(cli.environment.value(QStringLiteral("WARPWRIGHT_DATA")) + "/window.json");
    }
    /// Two iterations, the second of a text with one more comment.
    bool checkTwice() {
        if (!open(folder) || !check())
            return false;
        CodeEditor *text = editor("kernels/gate.cpp");
        text->setCursorPosition(0, 0);
        QTest::keyClicks(text, "// another");
        QTest::keyClick(text, Qt::Key_Return);
        return check() && window->bench().iterations().size() == 2;
    }
    /// As by kill -9: nothing is written any more.
    void kill() {
        window.reset();
        reopen();
    }
    [[nodiscard]] Workbench &bench() const { return window->bench(); }
};

} // namespace

class TestRestoredWindow : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { NEED_TOOL(!CliWorld::python().isEmpty(), "a Python environment with torch"); }

    void workspaceAndIterationComeBackAfterAKill() {
        RestoredWorld world;
        QVERIFY(world.checkTwice());
        world.bench().showIteration(1);
        QTRY_VERIFY(world.bench().shown().isEarlier);
        QTRY_VERIFY_WITH_TIMEOUT(world.kept().contains("\"iteration\": 1"), 20000);
        world.kill();
        world.window->resume();
        QTRY_VERIFY_WITH_TIMEOUT(world.bench().workspace() && world.bench().shown().isEarlier, 10000);
        QCOMPARE(world.bench().workspace()->folder, world.folder);
        QCOMPARE(world.bench().shown().iteration, 1);
    }

    void fileAndCursorComeBackAfterAKill() {
        RestoredWorld world;
        QVERIFY(world.open(world.folder));
        const QString file = QStringLiteral("kernels/gate.cpp");
        CodeEditor *text = world.editor("kernels/gate.cpp");
        auto *panel = world.window->findChild<CandidatePanel *>();
        QTRY_COMPARE(panel->editorOf(file), text); // its text is there
        text->goTo(4, 3);                          // line 3 is empty: from there Left goes to line 2
        QTest::keyClick(text, Qt::Key_Left);
        QCOMPARE(text->cursorPlace().line, 4);
        QCOMPARE(text->cursorPlace().column, 2);
        QTRY_VERIFY2_WITH_TIMEOUT(world.kept().contains("\"line\": 4"), world.kept().constData(), 20000);
        world.kill();
        QVERIFY(world.open(world.folder));
        panel = world.window->findChild<CandidatePanel *>();
        QTRY_COMPARE(panel->currentFile(), file);
        QTRY_COMPARE(panel->currentEditor()->cursorPlace().line, 4);
    }

    void theComparisonComesBack() {
        RestoredWorld world;
        QVERIFY(world.checkTwice());
        world.window->actions().compareWithParent->trigger();
        auto *page = world.window->findChild<ComparePage *>();
        QTRY_VERIFY(page->isVisible());
        QTest::keyClick(page, Qt::Key_Shift);
        QTRY_VERIFY_WITH_TIMEOUT(world.kept().contains("\"compareLeft\": \"1\""), 20000);
        world.kill();
        world.window->resume();
        page = world.window->findChild<ComparePage *>();
        QTRY_VERIFY_WITH_TIMEOUT(page->isVisible(), 10000);
        QCOMPARE(page->sides().first, ComparisonChoice::ofIteration(1));
        QCOMPARE(page->sides().second, ComparisonChoice::ofIteration(2));
    }

    void docksComeBackAsTheyWere() {
        RestoredWorld world;
        auto *dock = world.window->findChild<Dock *>("agentDock");
        QTRY_VERIFY(!dock->isFolded());
        emit dock->foldAsked(true);
        QTest::keyClick(world.window.get(), Qt::Key_Shift);
        const QString file = world.cli.environment.value(QStringLiteral("WARPWRIGHT_DATA")) + "/window.json";
        QTRY_COMPARE_WITH_TIMEOUT(WindowState(file).bytes("folds").split(' ').value(2), QByteArray("1"),
                                  5000);
        world.kill();
        dock = world.window->findChild<Dock *>("agentDock");
        QTRY_VERIFY(dock->isFolded());
        QVERIFY(!world.window->findChild<Dock *>("iterationsDock")->isFolded());
    }

    void docksThatAreResetOnAnotherPageComeBackWithThePanes() {
        RestoredWorld world;
        QVERIFY(world.open(world.folder));
        auto *agent = world.window->findChild<Dock *>("agentDock");
        auto *iterations = world.window->findChild<Dock *>("iterationsDock");
        QTRY_VERIFY(agent->isVisible());
        agent->close();
        world.window->showSettings();
        QVERIFY(!iterations->isVisible());
        world.window->actions().resetLayout->trigger();
        QVERIFY(!agent->isVisible());
        QVERIFY(!iterations->isVisible());
        emit world.window->findChild<SettingsPage *>()->closed();
        QVERIFY(agent->isVisible());
        QVERIFY(iterations->isVisible());
    }

    void docksThatWereResetOnAnotherPageAreThereTheNextTime() {
        RestoredWorld world;
        QVERIFY(world.open(world.folder));
        auto *agent = world.window->findChild<Dock *>("agentDock");
        QTRY_VERIFY(agent->isVisible());
        agent->close();
        world.window->showSettings();
        world.window->actions().resetLayout->trigger();
        world.reopen();
        QVERIFY(world.open(world.folder));
        QTRY_VERIFY(world.window->findChild<Dock *>("agentDock")->isVisible());
    }

    void aWorkspaceThatIsGoneIsSaidOnTheStartPage() {
        RestoredWorld world;
        QVERIFY(world.open(world.folder));
        QTest::keyClick(world.window.get(), Qt::Key_Shift);
        QTRY_VERIFY_WITH_TIMEOUT(world.kept().contains("\"open\": \"" + world.folder.toUtf8().toBase64()),
                                 5000);
        world.window.reset();
        QVERIFY(QDir().rename(world.folder, world.folder + "-away"));
        world.reopen();
        world.window->resume();
        auto *said = world.window->findChild<QLabel *>("startSaid");
        QTRY_VERIFY_WITH_TIMEOUT(said->isVisible(), 10000);
        QVERIFY2(said->text().contains(QDir(world.folder).dirName()), qPrintable(said->text()));
        QVERIFY(!world.bench().workspace());
        QVERIFY(QDir().rename(world.folder + "-away", world.folder));
    }

    void whatAnotherWindowHasIsNotOpenedAgain() {
        RestoredWorld world;
        QVERIFY(world.open(world.folder));
        QTest::keyClick(world.window.get(), Qt::Key_Shift);
        QTRY_VERIFY_WITH_TIMEOUT(world.kept().contains("\"open\": \"" + world.folder.toUtf8().toBase64()),
                                 5000);
        MainWindow second(DataFolders::find(), QStringLiteral("test"));
        second.show();
        second.resume();
        QTRY_VERIFY_WITH_TIMEOUT(second.findChild<QWidget *>("startPage")->isVisible(), 10000);
        QVERIFY(!second.bench().workspace());
    }

    void anIterationHasAMenu() {
        RestoredWorld world;
        QVERIFY(world.checkTwice());
        auto *panel = world.window->findChild<IterationsPanel *>();
        emit panel->menuAsked(2, QPoint(10, 10));
        auto *menu = world.window->findChild<QMenu *>("iterationMenu");
        QVERIFY(menu != nullptr);
        QVERIFY(menu->actions().contains(world.window->actions().branchHere));
        QVERIFY(menu->actions().contains(world.window->actions().compareWithParent));
        auto *other = menu->findChild<QMenu *>("iterationCompareMenu");
        QVERIFY(other != nullptr);
        other->actions().last()->trigger(); // the only other iteration
        auto *page = world.window->findChild<ComparePage *>();
        QTRY_VERIFY(page->isVisible());
        QCOMPARE(page->sides().first, ComparisonChoice::ofIteration(1));
        QCOMPARE(page->sides().second, ComparisonChoice::ofIteration(2));
        menu->close();
    }

    void noticesGoWithTheirWorkspace() {
        RestoredWorld world;
        world.window->openWorkspace("/nowhere/at/all");
        QTRY_VERIFY(world.toasts().contains("/nowhere/at/all"));
        QVERIFY(world.open(world.folder));
        QTRY_VERIFY2(!world.toasts().contains("/nowhere/at/all"), qPrintable(world.toasts()));
    }

    void settingsThatAreEditedElsewhereCountAtOnce() {
        RestoredWorld world;
        QVERIFY(world.open(world.folder));
        QVERIFY(world.bench().settings().tier != Tier::Certify);
        world.cli.write("config/warpwright/settings.json",
                        "{\"device\": \"cpu\", \"theme\": \"light\", \"tier\": \"certify\"}");
        QTRY_VERIFY_WITH_TIMEOUT(world.bench().settings().tier == Tier::Certify, 20000);
        world.cli.write("config/warpwright/settings.json", "{\"device\": ");
        QTRY_VERIFY_WITH_TIMEOUT(world.toasts().contains("The edited settings cannot be used"), 20000);
        QVERIFY(world.bench().settings().tier == Tier::Certify); // what counted stays
    }
};

QObject *makeTestRestoredWindow() {
    return new TestRestoredWindow;
}

#include "tst_restored_window.moc"
