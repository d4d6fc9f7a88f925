// SPDX-License-Identifier: GPL-3.0-or-later
// Writing in the whole window: keys, tabs, a file beside, changes against git, what leaving does to unsaved
// text.
#include "app/ide/editing/candidate_panel.h"
#include "app/ide/files/beside_view.h"
#include "app/ide/kit/actions.h"
#include "tests/gui/window_world.h"
#include "widgets/editor/change_marks.h"
#include "widgets/editor/code_editor.h"
#include "widgets/frame/tab_strip.h"
#include "widgets/listing/log_view.h"

#include <QAbstractButton>
#include <QApplication>
#include <QDir>
#include <QLineEdit>
#include <QMenu>
#include <QProcess>
#include <QSignalSpy>
#include <QStandardPaths>
#include <QTest>

using namespace warpwright;

namespace {

const char *const kKernel = "kernels/gate.cpp";

CandidatePanel *panelOf(const WindowWorld &world) {
    return world.window->findChild<CandidatePanel *>();
}

BesideView *besideOf(const WindowWorld &world) {
    return panelOf(world)->findChild<BesideView *>(QStringLiteral("besideView"));
}

} // namespace

class TestEditingWindow : public QObject {
    Q_OBJECT

private slots:
    // Each act by its key, as the window hands keys on.
    void keysOfWritingWork() {
        WindowWorld world;
        QVERIFY(world.open(world.folder));
        QVERIFY(QTest::qWaitForWindowActive(world.window.get()));
        CodeEditor *editor = world.editor(kKernel);
        editor->setFocus();
        const QString before = editor->content();
        const QString second = before.section(u'\n', 1, 1);
        editor->setCursorPosition(0, 0);
        for (const QAction *action :
             {world.window->actions().moveLinesDown, world.window->actions().duplicateLines,
              world.window->actions().deleteLines, world.window->actions().joinLines,
              world.window->actions().indentLines, world.window->actions().toggleComment}) {
            QVERIFY2(!action->shortcut().isEmpty(), qPrintable(action->text()));
            const QKeyCombination keys = action->shortcut()[0];
            QTest::keyClick(editor, keys.key(), keys.keyboardModifiers());
            QVERIFY2(editor->content() != before, qPrintable(action->text()));
            while (editor->isUndoAvailable())
                editor->undo();
            QVERIFY2(editor->content() == before, qPrintable(action->text()));
            editor->setCursorPosition(0, 0);
        }
        QTest::keyClick(editor, Qt::Key_Down, Qt::AltModifier | Qt::ShiftModifier);
        QCOMPARE(editor->sci(QsciScintillaBase::SCI_GETSELECTIONS), 2);
    }

    void keysOfOtherEditorsWorkToo() {
        WindowWorld world;
        QVERIFY(world.open(world.folder));
        QVERIFY(QTest::qWaitForWindowActive(world.window.get()));
        CodeEditor *editor = world.editor(kKernel);
        editor->setFocus();
        const QString before = editor->content();
        editor->setCursorPosition(0, 0);
        QTest::keyClick(editor, Qt::Key_Down, Qt::AltModifier);
        QCOMPARE(editor->content().section(u'\n', 1, 1), before.section(u'\n', 0, 0));
        QTest::keyClick(editor, Qt::Key_Up, Qt::AltModifier);
        QCOMPARE(editor->content(), before);
        // In a review they are the hunks' alone.
        Actions &actions = world.window->actions();
        const QKeySequence down(QStringLiteral("Alt+Down"));
        actions.setNoReview({});
        QVERIFY(!actions.moveLinesDown->shortcuts().contains(down));
        actions.setNoReview(QStringLiteral("no proposal is under review"));
        QVERIFY(actions.moveLinesDown->shortcuts().contains(down));
        for (int press = 0; press < 2; ++press) {
            QTest::keyClick(editor, Qt::Key_QuoteLeft, Qt::ControlModifier);
            QTest::qWait(50); // what comes later may not take the focus back
            QVERIFY(world.find<QWidget>("commandLine")->hasFocus());
        }
        // From another page, too.
        actions.settings->trigger();
        QTest::qWait(50);
        actions.runCommand->trigger();
        QTest::qWait(50);
        QVERIFY(world.find<QWidget>("commandLine")->hasFocus());
        // A key that somebody gave to something else is theirs.
        actions.setKeys({{QStringLiteral("save"), QStringLiteral("Ctrl+`")}});
        QCOMPARE(actions.runCommand->shortcuts().size(), 1);
        actions.setKeys({});
        QCOMPARE(actions.runCommand->shortcuts().size(), 2);
    }

    void renamedFilesAreToldAndCanBeRenamedBack() {
        WindowWorld world;
        QVERIFY(world.open(world.folder));
        QVERIFY(QTest::qWaitForWindowActive(world.window.get()));
        QVERIFY(panelOf(world)->showFile(QString::fromLatin1(kKernel)));
        const QDir kernels(world.folder + QStringLiteral("/kernels"));
        const QStringList before = kernels.entryList(QDir::Files, QDir::Name);
        world.editor(kKernel)->setFocus();
        QTest::keyClick(world.editor(kKernel), Qt::Key_F2, Qt::ShiftModifier);
        auto *field = qobject_cast<QLineEdit *>(QApplication::focusWidget());
        QVERIFY(field != nullptr);
        field->setText(QStringLiteral("door"));
        QTest::keyClick(field, Qt::Key_Return);
        QTRY_VERIFY2(world.toasts().contains(QStringLiteral("gate.cu is now door.cu")),
                     qPrintable(world.toasts()));
        QVERIFY(kernels.exists(QStringLiteral("door_binding.cpp")));
        QAbstractButton *undo = nullptr;
        for (auto *button : world.window->findChildren<QAbstractButton *>())
            if (button->isVisible() && button->text() == QLatin1String("Undo"))
                undo = button;
        QVERIFY(undo != nullptr);
        undo->click();
        QTRY_COMPARE(kernels.entryList(QDir::Files, QDir::Name), before);
        QTRY_VERIFY_WITH_TIMEOUT(panelOf(world)->isOnDisk(QString::fromLatin1(kKernel)), 20000);
        QTRY_COMPARE_WITH_TIMEOUT(panelOf(world)->currentFile(), QString::fromLatin1(kKernel), 20000);
    }

    // Also by its menu, and also when git brings it back.
    void aFileThatGoesMakesTheVerdictStale() {
        WindowWorld world;
        QVERIFY(world.open(world.folder));
        QVERIFY(world.check());
        CandidatePanel *panel = panelOf(world);
        const Workbench &bench = world.window->bench();
        QTRY_COMPARE_WITH_TIMEOUT(bench.edits(), 0, 20000);
        const QString file = QString::fromLatin1(kKernel);
        const QString path = world.folder + QLatin1Char('/') + file;
        const QByteArray text = bytesOf(path);
        const auto writes = [&path](const QByteArray &bytes) {
            QFile written(path);
            return written.open(QIODevice::WriteOnly) && written.write(bytes) == bytes.size();
        };
        const auto button = [panel](const QString &name) -> QAbstractButton * {
            for (auto *one : panel->findChildren<QAbstractButton *>())
                if (one->isVisible() && one->text() == name)
                    return one;
            return nullptr;
        };

        QVERIFY(panel->showFile(file));
        world.window->actions().deleteFile->trigger();
        QTRY_VERIFY_WITH_TIMEOUT(!panel->isOnDisk(file), 20000);
        QTRY_VERIFY_WITH_TIMEOUT(bench.edits() > 0, 20000);
        QTRY_COMPARE_WITH_TIMEOUT(world.word(), QStringLiteral("Stale"), 20000);
        QTRY_VERIFY_WITH_TIMEOUT(button(QStringLiteral("Undo")) != nullptr, 20000);
        button(QStringLiteral("Undo"))->click();
        QTRY_VERIFY_WITH_TIMEOUT(panel->isOnDisk(file), 20000);
        QTRY_COMPARE_WITH_TIMEOUT(bench.edits(), 0, 20000);

        QVERIFY(QFile::remove(path)); // by another program
        QTRY_VERIFY_WITH_TIMEOUT(bench.edits() > 0, 20000);
        QVERIFY(writes(text));
        QTRY_COMPARE_WITH_TIMEOUT(bench.edits(), 0, 20000);

        QVERIFY(panel->showFile(file));
        world.window->actions().deleteFile->trigger();
        QTRY_VERIFY_WITH_TIMEOUT(!panel->isOnDisk(file), 20000);
        QVERIFY(writes(text + "// another\n"));
        QTRY_VERIFY_WITH_TIMEOUT(panel->isOnDisk(file), 20000);
        QTRY_VERIFY_WITH_TIMEOUT(panel->editorOf(file) != nullptr, 20000);
        QTest::qWait(400); // the count follows the text
        QVERIFY(bench.edits() > 0);
        QVERIFY(writes(text));
        QTRY_COMPARE_WITH_TIMEOUT(bench.edits(), 0, 20000);
    }

    void theTabOfAFileThatIsGoneSaysSoAndCloses() {
        WindowWorld world;
        QVERIFY(world.open(world.folder));
        CandidatePanel *panel = panelOf(world);
        const QString file = QString::fromLatin1(kKernel);
        QTRY_VERIFY_WITH_TIMEOUT(panel->editorOf(file) != nullptr, 20000);
        QVERIFY(panel->showFile(file));
        auto *closes = world.window->actions().findChild<QAction *>(QStringLiteral("closeFile"));
        closes->trigger(); // it is on the disk
        QTRY_VERIFY_WITH_TIMEOUT(world.toasts().contains(QStringLiteral("belongs to the candidate")), 20000);
        QVERIFY(panel->isOnDisk(file));

        const auto mark = [panel] {
            return panel->tabs()->tabData(panel->tabs()->currentIndex()).toList();
        };
        QVERIFY(QFile::remove(world.folder + QLatin1Char('/') + file)); // by another program
        QTRY_VERIFY_WITH_TIMEOUT(mark().value(3).toString().contains(QStringLiteral("deleted on disk")),
                                 20000);
        QCOMPARE(mark().value(0).toString(), QStringLiteral("trash"));
        closes->trigger();
        QTRY_VERIFY_WITH_TIMEOUT(!panel->isOnDisk(file), 20000);
        QVERIFY(panel->editorOf(file) == nullptr);
    }

    // Changed by another program while the workspace was closed; what is typed and taken back changes nothing
    // of it.
    void aTextThatWasOpenedAsAnotherStaysStale() {
        WindowWorld world;
        QVERIFY(world.open(world.folder));
        QVERIFY(world.check());
        const QString path = world.folder + QLatin1Char('/') + QLatin1String(kKernel);
        world.window.reset();
        QFile file(path);
        QVERIFY(file.open(QIODevice::Append) && file.write("// another\n") > 0);
        file.close();
        world.reopen();
        QVERIFY(world.open(world.folder));
        QTRY_COMPARE_WITH_TIMEOUT(world.word(), QStringLiteral("Stale"), 20000);
        CodeEditor *editor = world.editor(QString::fromLatin1(kKernel));
        editor->insertAt(QStringLiteral("x"), 0, 0);
        QTest::qWait(300);
        editor->undo();
        QTest::qWait(300);
        QCOMPARE(world.word(), QStringLiteral("Stale"));
        QVERIFY(world.check());
        QTRY_COMPARE_WITH_TIMEOUT(world.window->bench().edits(), 0, 20000);
    }

    void aNewFileIsNoPartOfTheVerdict() {
        WindowWorld world;
        QVERIFY(world.open(world.folder));
        QVERIFY(world.check());
        QTRY_COMPARE_WITH_TIMEOUT(world.window->bench().edits(), 0, 20000);
        const QString path = world.folder + QStringLiteral("/kernels/extra.cu");
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("// extra\n");
        file.close();
        QTRY_VERIFY_WITH_TIMEOUT(panelOf(world)->isOnDisk(QStringLiteral("kernels/extra.cu")), 20000);
        QTRY_VERIFY_WITH_TIMEOUT(world.window->bench().edits() > 0, 20000);
    }

    // A notice that stays would lie over what commands say.
    void withoutATerminalTheCommandPageOpens() {
        WindowWorld world;
        QVERIFY(world.open(world.folder));
        const QByteArray path = qgetenv("PATH");
        const QByteArray terminal = qgetenv("TERMINAL");
        qputenv("PATH", "/nowhere");
        qunsetenv("TERMINAL");
        world.window->actions().openTerminal->trigger();
        qputenv("PATH", path);
        if (!terminal.isNull())
            qputenv("TERMINAL", terminal);
        auto *line = world.find<QLineEdit>("commandLine");
        QVERIFY(line != nullptr && line->isVisible());
        QVERIFY(world.find<LogView>("commandLog")
                    ->toPlainText()
                    .contains(QStringLiteral("Cannot open a terminal")));
        QVERIFY2(!world.toasts().contains(QStringLiteral("terminal")), qPrintable(world.toasts()));
    }

    // In another text its key brings the person to the candidate, and changes nothing unseen.
    void keysOfWritingDoNothingOutOfSight() {
        WindowWorld world;
        QVERIFY(world.open(world.folder));
        QVERIFY(QTest::qWaitForWindowActive(world.window.get()));
        CodeEditor *editor = world.editor(kKernel);
        const QString before = editor->content();
        world.window->actions().runCommand->trigger();
        QVERIFY(world.find<QWidget>("commandLine")->hasFocus());
        world.window->actions().deleteLines->trigger();
        QCOMPARE(editor->content(), before);
        QVERIFY(editor->hasFocus());
        world.window->actions().deleteLines->trigger();
        QVERIFY(editor->content() != before);
    }

    void theKeyOfPanesComesToTheText() {
        WindowWorld world;
        QVERIFY(world.open(world.folder));
        QVERIFY(QTest::qWaitForWindowActive(world.window.get()));
        world.editor(kKernel)->setFocus();
        world.window->actions().nextPane->trigger();
        QVERIFY(!world.editor(kKernel)->hasFocus());
        world.window->actions().previousPane->trigger();
        QVERIFY(world.editor(kKernel)->hasFocus());
    }

    void goesThroughFilesInOrderOfUse() {
        WindowWorld world;
        QVERIFY(world.open(world.folder));
        CandidatePanel *panel = panelOf(world);
        QVERIFY(panel->showFile(QStringLiteral("model_new.py")));
        QVERIFY(panel->showFile(QString::fromLatin1(kKernel)));
        panel->stepFile(1);
        QCOMPARE(panel->currentFile(), QStringLiteral("model_new.py"));
        QTest::keyRelease(world.window.get(), Qt::Key_Control);
        panel->stepFile(1);
        QCOMPARE(panel->currentFile(), QString::fromLatin1(kKernel));
        QTest::keyRelease(world.window.get(), Qt::Key_Control);
    }

    void aFileBesideIsTheSameTextAndComesBack() {
        WindowWorld world;
        QVERIFY(world.open(world.folder));
        QVERIFY(QTest::qWaitForWindowActive(world.window.get()));
        CodeEditor *first = world.editor(kKernel);
        world.window->actions().openBeside->trigger();
        BesideView *beside = besideOf(world);
        QVERIFY(beside != nullptr && beside->isVisible());
        QCOMPARE(beside->file(), QString::fromLatin1(kKernel));
        beside->editor()->setCursorPosition(0, 0);
        QTest::keyClicks(beside->editor(), "// beside ");
        QVERIFY(first->content().startsWith("// beside "));
        QVERIFY(panelOf(world)->hasUnsaved());
        const QString text = first->content();
        QVERIFY(world.saves(world.folder + QLatin1Char('/') + QLatin1String(kKernel), text));

        world.window->actions().otherEditor->trigger();
        QVERIFY(beside->editor()->hasFocus());
        world.window->actions().otherEditor->trigger();
        QVERIFY(first->hasFocus());
        for (int press = 0; press < 2; ++press) {
            QTest::keyClick(world.window.get(), Qt::Key_2, Qt::ControlModifier);
            QTest::qWait(20);
            QVERIFY(beside->editor()->hasFocus());
        }
        QTest::keyClick(world.window.get(), Qt::Key_1, Qt::ControlModifier);
        QVERIFY(first->hasFocus());

        panelOf(world)->openBeside(QStringLiteral("model_new.py"));
        QCOMPARE(beside->file(), QStringLiteral("model_new.py"));
        QCOMPARE(panelOf(world)->currentFile(), QString::fromLatin1(kKernel));
        world.reopen();
        QVERIFY(world.open(world.folder));
        QTRY_VERIFY(besideOf(world) != nullptr);
        QCOMPARE(besideOf(world)->file(), QStringLiteral("model_new.py"));
        world.window->actions().closeBeside->trigger();
        QTRY_VERIFY(besideOf(world) == nullptr);
        QVERIFY(!world.window->actions().closeBeside->isEnabled());
        QVERIFY(world.editor("model_new.py")->content().size() > 10);
    }

    void anEarlierIterationStandsInBothEditors() {
        WindowWorld world;
        QVERIFY(world.open(world.folder));
        QVERIFY(world.check());
        CodeEditor *first = world.editor(kKernel);
        const QString checked = first->content();
        QStringList mine;
        const auto tabs = [&world] {
            QStringList names;
            for (int tab = 0; tab < panelOf(world)->tabs()->count(); ++tab)
                names << panelOf(world)->tabs()->tabToolTip(tab);
            return names;
        };
        mine = tabs();
        QTest::keyClicks(first, "// later ");
        QVERIFY(world.saves(world.folder + QLatin1Char('/') + QLatin1String(kKernel), first->content()));
        QVERIFY(world.check());
        world.window->actions().openBeside->trigger();
        world.window->bench().showIteration(1);
        QTRY_VERIFY(panelOf(world)->showsEarlier());
        QTRY_COMPARE(besideOf(world)->editor()->content(), checked);
        QVERIFY(besideOf(world)->editor()->isReadOnly());
        // In the order of my text, as far as an iteration keeps the files.
        QStringList earlier = tabs();
        earlier.removeIf([mine](const QString &file) { return !mine.contains(file); });
        mine.removeIf([earlier](const QString &file) { return !earlier.contains(file); });
        QCOMPARE(earlier, mine);
        world.window->bench().backToText();
        QTRY_VERIFY(!panelOf(world)->showsEarlier());
        QTRY_COMPARE(besideOf(world)->editor()->content(), world.editor(kKernel)->content());
        QVERIFY(!besideOf(world)->editor()->isReadOnly());
    }

    void leavingKeepsUnsavedTextAsADraft() {
        WindowWorld world;
        QVERIFY(world.open(world.folder));
        const QString file = world.folder + u'/' + kKernel;
        const QByteArray before = bytesOf(file);
        CodeEditor *editor = world.editor(kKernel);
        editor->setCursorPosition(0, 0);
        QTest::keyClicks(editor, "// unsaved ");
        world.reopen();
        QCOMPARE(bytesOf(file), before); // nobody asked to write it
        QVERIFY(world.open(world.folder));
        QTRY_VERIFY(world.editor(kKernel)->content().startsWith("// unsaved "));
        QVERIFY(panelOf(world)->hasUnsaved());
    }

    void savedIsSaidOfASaveOnly() {
        WindowWorld world;
        QVERIFY(world.open(world.folder));
        QSignalSpy written(panelOf(world), &CandidatePanel::written);
        world.window->actions().save->trigger(); // nothing to save
        QTest::qWait(200);
        QCOMPARE(written.size(), 0);
        CodeEditor *editor = world.editor(kKernel);
        QTest::keyClicks(editor, "// x");
        QVERIFY(world.saves(world.folder + QLatin1Char('/') + QLatin1String(kKernel), editor->content()));
        QTRY_COMPARE(written.size(), 1);
    }

    void marksChangesAgainstHead() {
        if (QStandardPaths::findExecutable(QStringLiteral("git")).isEmpty())
            QSKIP("git is not here");
        WindowWorld world;
        QVERIFY(world.open(world.folder));
        Actions &actions = world.window->actions();
        const auto git = [&world](const QStringList &arguments) {
            QProcess process;
            process.setWorkingDirectory(world.folder);
            process.start("git", QStringList{"-c", "user.name=a", "-c", "user.email=a@b"} + arguments);
            return process.waitForFinished() && process.exitCode() == 0;
        };
        QVERIFY(git({"init", "-q"}));
        QVERIFY(git({"add", "kernels", "model_new.py"}));
        QVERIFY(git({"commit", "-qm", "a"}));
        CodeEditor *editor = world.editor(kKernel);
        const QString before = editor->content();
        editor->setCursorPosition(1, 0);
        QTest::keyClicks(editor, "// y ");
        panelOf(world)->markChecked(); // as a check does
        QTRY_VERIFY(editor->decorator<ChangeMarks>().lines().empty());
        panelOf(world)->checkDisk();
        QTRY_VERIFY(actions.changesSinceHead->isEnabled());
        actions.changesSinceHead->trigger();
        QTRY_COMPARE(editor->decorator<ChangeMarks>().lines(), (std::vector<int>{2}));
        editor->setCursorPosition(4, 0);
        actions.nextChange->trigger();
        QCOMPARE(editor->cursorPlace().line, 2);
        actions.revertChange->trigger();
        QTRY_COMPARE(editor->content(), before);
        editor->undo();
        QVERIFY(editor->content() != before);
    }

    void namesFindRoomInANarrowWindow() {
        WindowWorld world;
        QVERIFY(world.open(world.folder));
        world.window->resize(world.window->minimumSize());
        QCoreApplication::processEvents();
        TabStrip *tabs = panelOf(world)->tabs();
        auto *all = world.find<QWidget>("allFiles");
        for (int tab = 0; tab < tabs->count(); ++tab) {
            tabs->setCurrentIndex(tab);
            const int words = tabs->fontMetrics().horizontalAdvance(tabs->tabText(tab));
            QVERIFY2(tabs->tabRect(tab).width() >= words, qPrintable(tabs->tabText(tab)));
        }
        QTRY_COMPARE(all->isVisible(), tabs->isCrowded());
        if (!tabs->isCrowded())
            return;
        QTest::mouseClick(all, Qt::LeftButton);
        auto *menu = world.find<QMenu>("allFilesMenu");
        QVERIFY(menu != nullptr);
        QCOMPARE(menu->actions().size(), qsizetype(tabs->count()));
        menu->actions().first()->trigger();
        QCOMPARE(tabs->currentIndex(), 0);
        menu->close();
    }
};

QObject *makeTestEditingWindow() {
    return new TestEditingWindow;
}

#include "tst_editing_window.moc"
