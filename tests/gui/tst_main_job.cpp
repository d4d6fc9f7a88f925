// SPDX-License-Identifier: GPL-3.0-or-later
// The main job, as a person does it: open, err, see it, mend it, check, look back, return.
#include "app/ide/editing/candidate_panel.h"
#include "app/ide/history/iteration_model.h"
#include "app/ide/kit/actions.h"
#include "app/ide/layout/dock.h"
#include "app/ide/measured/profile_panel.h"
#include "app/ide/results/iteration_choices.h"
#include "app/ide/results/verdict_banner.h"
#include "profiler_views/speedup_view.h"
#include "tests/gui/window_world.h"
#include "tests/toolchain/places.h"
#include "tests/toolchain/run_test_classes.h"
#include "toolchain/history/iteration_store.h"
#include "widgets/editor/code_editor.h"
#include "widgets/editor/diagnostic_marks.h"

#include <QAbstractItemModelTester>
#include <QApplication>
#include <QListView>
#include <QTableView>
#include <QTest>

using namespace warpwright;

class TestMainJob : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { NEED_TOOL(!CliWorld::python().isEmpty(), "a Python environment with torch"); }

    void aSampleIsOpenedAsACopy() {
        WindowWorld world;
        world.window->openSample(QStringLiteral("pointwise-chain"));
        QTRY_VERIFY_WITH_TIMEOUT(world.window->bench().workspace().has_value(), 30000);
        const QString folder = world.window->bench().workspace()->folder;
        QVERIFY2(folder.startsWith(world.cli.environment.value("WARPWRIGHT_DATA")), qPrintable(folder));
        QCOMPARE(bytesOf(folder + "/model.py"),
                 bytesOf(sourceFolder("/resources/samples/pointwise-chain/model.py")));
        world.window->openSample(QStringLiteral("no-such"));
        QTRY_VERIFY2(world.toasts().contains("no-such"), qPrintable(world.toasts()));
    }

    void openErrMendCheckLookBack() {
        WindowWorld world;
        QVERIFY(world.open(world.folder));
        QCOMPARE(world.word(), QString("Not checked"));
        CodeEditor *editor = world.editor("kernels/gate.cpp");
        const QString sound = editor->content();
        QVERIFY(sound.contains("launchGate"));

        // A typing error, checked: the diagnostic stands on its line, in the list, and F8 leads to it.
        editor->setCursorPosition(3, 0);
        QTest::keyClicks(editor, "int wrong = ;");
        QTest::keyClick(editor, Qt::Key_Return);
        QVERIFY(world.check());
        QCOMPARE(world.word(), QString("Build failed"));
        QVERIFY(!editor->decorator<DiagnosticMarks>().marks().empty());
        QCOMPARE(editor->decorator<DiagnosticMarks>().marks().front().line, 4);
        QCOMPARE(editor->decorator<DiagnosticMarks>().marks().front().severity, EditorMark::Error);
        auto *diagnostics = world.find<QTableView>("diagnosticsTable");
        QVERIFY(diagnostics->model()->rowCount() >= 1);
        QVERIFY(diagnostics->isVisible());
        editor->setCursorPosition(0, 0);
        QTest::keyClick(diagnostics, Qt::Key_Down);
        QTest::keyClick(diagnostics, Qt::Key_Return);
        QCOMPARE(editor->cursorPlace().line, 4);
        QCOMPARE(world.window->bench().iterations().size(), std::size_t(1));

        // Mended by undo: the evaluation is of another text now, and says so.
        while (editor->content() != sound && editor->isUndoAvailable())
            editor->undo();
        QCOMPARE(editor->content(), sound);
        QTRY_COMPARE(world.word(), QString("Stale"));

        QVERIFY(world.check());
        QCOMPARE(world.word(), QString("Pass"));
        QVERIFY(editor->decorator<DiagnosticMarks>().marks().empty());
        QCOMPARE(world.window->bench().iterations().size(), std::size_t(2));
        QVERIFY(world.banner()->cells().size() >= 3);
        auto *chart = world.find<SpeedupView>("speedupView");
        QVERIFY(!chart->isEmpty());
        QVERIFY2(chart->summary().contains("candidate"), qPrintable(chart->summary()));

        // The earlier iteration moves all panes, read-only; one key returns.
        auto *list = world.find<QListView>("iterationsList");
        list->setFocus();
        QTest::keyClick(list, Qt::Key_Up);
        QTRY_VERIFY(world.window->bench().shown().isEarlier);
        QTRY_COMPARE(world.word(), QString("Build failed"));
        auto *panel = world.window->findChild<CandidatePanel *>();
        QVERIFY(!panel->currentEditor()->readOnlyReason().isEmpty());
        QTRY_VERIFY(world.editor("kernels/gate.cpp")->content().contains("int wrong = ;"));
        QVERIFY(chart->isEmpty());
        QVERIFY(!world.window->actions().check->isEnabled());
        QCOMPARE(
            world.window->actions().share->text(),
            QStringLiteral("Share iteration %1 as a page…").arg(world.window->bench().shown().iteration));
        QTest::keyClick(list, Qt::Key_Backspace, Qt::ControlModifier);
        QTRY_VERIFY(!world.window->bench().shown().isEarlier);
        QTRY_COMPARE(world.word(), QString("Pass"));
        QCOMPARE(world.editor("kernels/gate.cpp")->content(), sound);
    }

    void aCheckOfTheSameTextIsNoNewIteration() {
        WindowWorld world;
        QVERIFY(world.open(world.folder));
        QVERIFY(world.check());
        world.tell("times=90,220,150");
        QVERIFY(world.check());
        QCOMPARE(world.window->bench().iterations().size(), std::size_t(1));
        QCOMPARE(world.window->bench().iterations().front().evaluations.size(), 2);
        QVERIFY(world.banner()->cells().front().value.startsWith("90"));
    }

    void branchFromAnEarlierIteration() {
        WindowWorld world;
        QVERIFY(world.open(world.folder));
        QVERIFY(world.check());
        CodeEditor *editor = world.editor("kernels/gate.cpp");
        const QString first = editor->content();
        editor->setCursorPosition(0, 0);
        QTest::keyClicks(editor, "// second");
        QTest::keyClick(editor, Qt::Key_Return);
        QVERIFY(world.check());
        world.window->bench().showIteration(1);
        QTRY_VERIFY(world.window->bench().shown().isEarlier);
        QVERIFY(world.window->actions().branchHere->isEnabled());
        world.window->actions().branchHere->trigger();
        QTRY_VERIFY(!world.window->bench().shown().isEarlier);
        QTRY_COMPARE(world.editor("kernels/gate.cpp")->content(), first);
        editor = world.editor("kernels/gate.cpp");
        editor->setCursorPosition(0, 0);
        QTest::keyClicks(editor, "// third");
        QTest::keyClick(editor, Qt::Key_Return);
        QVERIFY(world.check());
        const auto &records = world.window->bench().iterations();
        QCOMPARE(records.size(), std::size_t(3));
        QCOMPARE(records[2].iteration.parent, 1);
    }

    // Files that an earlier text has not go by our own hand: nobody is warned of it.
    void branchingTakesFilesAwayWithoutAWarning() {
        WindowWorld world;
        QVERIFY(world.open(world.folder));
        QVERIFY(world.check());
        const QString more = world.folder + QStringLiteral("/kernels/more.cpp");
        QFile file(more);
        QVERIFY(file.open(QIODevice::WriteOnly));
        QVERIFY(file.write("int more() { return 1; }\n") > 0);
        file.close();
        const auto *candidate = world.window->findChild<CandidatePanel *>();
        QTRY_VERIFY_WITH_TIMEOUT(candidate->editorOf(QStringLiteral("kernels/more.cpp")) != nullptr, 10000);
        QVERIFY(world.check());
        world.window->bench().showIteration(1);
        QTRY_VERIFY(world.window->bench().shown().isEarlier);
        world.window->actions().branchHere->trigger();
        QTRY_VERIFY(!QFile::exists(more));
        QTRY_VERIFY(candidate->editorOf(QStringLiteral("kernels/more.cpp")) == nullptr);
        QTest::qWait(500);
        QVERIFY2(!world.toasts().contains("has been deleted or moved"), qPrintable(world.toasts()));
    }

    void branchesFromTheFifthOfTwenty() {
        WindowWorld world;
        QVERIFY(world.open(world.folder));
        const auto checkWith = [&world](const QString &line) {
            CodeEditor *editor = world.editor("kernels/gate.cpp");
            editor->setCursorPosition(0, 0);
            QTest::keyClicks(editor, line);
            QTest::keyClick(editor, Qt::Key_Return);
            return world.check();
        };
        QVERIFY(world.check());
        QString fifth;
        for (int number = 2; number <= 20; ++number) {
            QVERIFY(checkWith(QStringLiteral("// step %1").arg(number)));
            if (number == 5)
                fifth = world.editor("kernels/gate.cpp")->content();
        }
        const QString tip = world.editor("kernels/gate.cpp")->content();
        world.window->bench().showIteration(5);
        QTRY_VERIFY(world.window->bench().shown().isEarlier);
        world.window->actions().branchHere->trigger();
        QTRY_VERIFY(!world.window->bench().shown().isEarlier);
        QTRY_COMPARE(world.editor("kernels/gate.cpp")->content(), fifth);
        QVERIFY(checkWith("// another way"));
        QVERIFY(checkWith("// and on"));
        const auto &records = world.window->bench().iterations();
        QCOMPARE(records.size(), std::size_t(22));
        QCOMPARE(records[20].iteration.parent, 5);
        QCOMPARE(records[21].iteration.parent, 21);
        QCOMPARE(IterationStore(world.folder + "/.warpwright").commonAncestor(20, 22), 5);
        // The branch that was left is whole, too, and can be gone on with.
        world.window->bench().showIteration(20);
        QTRY_VERIFY(world.window->bench().shown().isEarlier);
        world.window->actions().branchHere->trigger();
        QTRY_VERIFY(!world.window->bench().shown().isEarlier);
        QTRY_COMPARE(world.editor("kernels/gate.cpp")->content(), tip);
        QVERIFY(checkWith("// step 21"));
        QCOMPARE(world.window->bench().iterations()[22].iteration.parent, 20);
    }

    void branchingKeepsWhatWasTyped() {
        WindowWorld world;
        QVERIFY(world.open(world.folder));
        QVERIFY(world.check());
        CodeEditor *editor = world.editor("kernels/gate.cpp");
        const QString first = editor->content();
        editor->setCursorPosition(0, 0);
        QTest::keyClicks(editor, "// second");
        QTest::keyClick(editor, Qt::Key_Return);
        QVERIFY(world.check());
        editor->setCursorPosition(0, 0);
        QTest::keyClicks(editor, "// never checked");
        QTest::keyClick(editor, Qt::Key_Return);
        world.window->bench().showIteration(1);
        QTRY_VERIFY(world.window->bench().shown().isEarlier);
        world.window->actions().branchHere->trigger();
        QTRY_COMPARE(world.window->bench().iterations().size(), std::size_t(3));
        QTRY_COMPARE(world.editor("kernels/gate.cpp")->content(), first);
        QVERIFY(!world.editor("kernels/gate.cpp")->isModified());
        const IterationStore store(world.folder + "/.warpwright");
        const Result<CandidateTexts> kept = store.texts(3);
        QVERIFY(kept.hasValue());
        QVERIFY(kept.value().at("kernels/gate.cpp").contains("// never checked"));
    }

    void layoutFilesAndCursorComeBack() {
        WindowWorld world;
        QVERIFY(world.open(world.folder));
        CodeEditor *editor = world.editor("model_new.py");
        editor->goTo(3, 2);
        QVERIFY(world.window->showPane(QStringLiteral("assembly")));
        const int page = world.window->findChild<ProfilePanel *>()->currentPage();
        QVERIFY(page > 0);
        world.reopen();
        QCOMPARE(world.window->findChild<ProfilePanel *>()->currentPage(), page);
        QVERIFY(world.open(world.folder));
        auto *panel = world.window->findChild<CandidatePanel *>();
        QTRY_COMPARE(panel->currentEditor()->objectName(), QString("editor:model_new.py"));
        QTRY_COMPARE(panel->currentEditor()->cursorPlace().line, 3);
    }

    void everyActionIsInThePaletteAndMostHaveAKey() {
        WindowWorld world;
        QVERIFY(world.open(world.folder));
        world.window->actions().commands->trigger();
        auto *list = world.find<QListView>("paletteRows");
        QTRY_VERIFY(list->isVisible());
        QCOMPARE(list->model()->rowCount(), static_cast<int>(world.window->actions().all().size()));
        QHash<QString, QString> keys;
        for (const QAction *action : world.window->actions().all()) {
            const QString key = action->shortcut().toString();
            QVERIFY2(key.isEmpty() || !keys.contains(key),
                     qPrintable(key + ": " + action->text() + " and " + keys[key]));
            keys.insert(key, action->text());
        }
        auto *field = world.find<QWidget>("paletteField");
        QTest::keyClicks(field, "earlier");
        QVERIFY(list->model()->index(0, 0).data().toString().contains("Earlier"));
        QTest::keyClick(field, Qt::Key_Escape);
        QVERIFY(!list->isVisible());
    }

    // A pane that is a rail, or hidden, comes whole; F6 comes to it too.
    void theAgentsPaneIsAKeyAway() {
        WindowWorld world;
        QVERIFY(world.open(world.folder));
        auto *dock = world.window->findChild<Dock *>(QStringLiteral("agentDock"));
        Actions &actions = world.window->actions();
        emit dock->foldAsked(true);
        QVERIFY(dock->isFolded());
        actions.toggleAgent->trigger();
        QVERIFY(dock->isVisible() && !dock->isFolded());
        actions.toggleAgent->trigger();
        QVERIFY(!dock->isVisible());
        actions.toggleAgent->trigger();
        QVERIFY(dock->isVisible() && !dock->isFolded());
        emit dock->foldAsked(true);
        QWidget *rail = dock->widget()->findChildren<QWidget *>(QString(), Qt::FindDirectChildrenOnly).back();
        QVERIFY(rail->isVisible());
        QTest::mouseClick(rail, Qt::LeftButton, {}, rail->rect().center());
        QVERIFY(!dock->isFolded());
        bool comes = false;
        for (int presses = 0; presses < 7 && !comes; ++presses) {
            actions.nextPane->trigger();
            comes = dock->isAncestorOf(QApplication::focusWidget());
        }
        QVERIFY(comes);
    }

    void theTreeIsAModel() {
        IterationModel model;
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        std::vector<IterationRecord> records;
        for (const int parent : {0, 1, 1, 2, 4}) {
            IterationRecord record;
            record.iteration.number = static_cast<int>(records.size()) + 1;
            record.iteration.parent = parent;
            records.push_back(record);
        }
        model.setTree(makeIterationTree(records));
        QCOMPARE(model.rowCount(), 5);
        // 1 -> 2 -> 4 -> 5, and 3 is the last child of 1: it keeps the lane, 2 opens one.
        QCOMPARE(model.lane(0).own, 0);
        QCOMPARE(model.lane(1).own, 1);
        QCOMPARE(model.lane(2).own, 0);
        QCOMPARE(model.lane(3).own, 1);
        QCOMPARE(model.lane(4).own, 1);
        QCOMPARE(model.lane(2).passing, std::vector<int>{1});
        // What one of them may be held against: nothing, and the others from the newest on.
        IterationChoices choices;
        const QAbstractItemModelTester other(&choices,
                                             QAbstractItemModelTester::FailureReportingMode::QtTest);
        const SharedTree tree = makeIterationTree(records);
        QVERIFY(choices.set(tree, 4));
        QVERIFY(!choices.set(tree, 4));
        QList<int> numbers;
        for (int row = 0; row < choices.rowCount(); ++row) {
            numbers << choices.numberAt(row);
            QCOMPARE(choices.rowOf(choices.numberAt(row)), row);
        }
        QCOMPARE(numbers, (QList<int>{0, 5, 3, 2, 1}));
        QCOMPARE(choices.rowOf(4), 0);
        QVERIFY(choices.set(tree, 0));
        QCOMPARE(choices.rowCount(), 6);
    }
};

QObject *makeTestMainJob() {
    return new TestMainJob;
}

#include "tst_main_job.moc"
