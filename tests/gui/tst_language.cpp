// SPDX-License-Identifier: GPL-3.0-or-later
// Writing with a language server beside one: completion, documentation, diagnostics, and the server's death.
#include "app/ide/editing/candidate_panel.h"
#include "app/ide/kit/actions.h"
#include "app/ide/language/language_controller.h"
#include "app/ide/workbench/workbench.h"
#include "tests/gui/language_world.h"
#include "widgets/editor/code_editor.h"
#include "widgets/editor/diagnostic_marks.h"
#include "widgets/editor/find_bar.h"
#include "widgets/popups/call_hint.h"
#include "widgets/popups/completion_list.h"
#include "widgets/popups/text_popup.h"

#include <QComboBox>
#include <QTest>

#include <csignal>

using namespace warpwright;

namespace {

std::vector<EditorMark> liveMarks(const CodeEditor &editor) {
    std::vector<EditorMark> live;
    for (const EditorMark &mark : editor.decorator<DiagnosticMarks>().marks())
        if (mark.isLive)
            live.push_back(mark);
    return live;
}

} // namespace

class TestLanguage : public QObject {
    Q_OBJECT

private slots:
    void completesWhileTyping() {
        LanguageWorld world;
        QVERIFY(world.isReady());
        const QString before = world.gate->content();
        world.stand(8, 1);
        world.type(QStringLiteral("g"));
        QTest::qWait(300);
        QVERIFY(!world.list->isVisible()); // of one letter too much would fit
        world.type(QStringLiteral("a"));
        QVERIFY(world.listIsShown());
        QCOMPARE(world.list->rows().front().label, QStringLiteral("gateKernel"));
        QVERIFY(world.gate->hasFocus());
        const std::size_t wide = world.list->rows().size();
        world.type(QStringLiteral("te"));
        QTRY_VERIFY(world.list->rows().size() < wide);
        QCOMPARE(world.list->rows().front().label, QStringLiteral("gateKernel"));
        world.key(Qt::Key_Return);
        QVERIFY(!world.list->isVisible());
        QCOMPARE(world.line(1), QStringLiteral("#include <gate.h>"));
        QCOMPARE(world.line(9), QStringLiteral("gateKernel}"));
        QCOMPARE(world.gate->cursorPlace(), (EditorPlace{9, 11}));
        // One step back is what was typed, without the #include.
        world.gate->undo();
        QCOMPARE(world.line(8), QStringLiteral("gate}"));
        QVERIFY(!world.line(1).contains(QStringLiteral("gate.h")));
        while (world.gate->isUndoAvailable())
            world.gate->undo();
        QCOMPARE(world.gate->content(), before);
    }

    void aParenthesisTypedBehindACallIsTheOneThatStandsThere() {
        LanguageWorld world;
        QVERIFY(world.isReady());
        world.gate->applyEdits({{3, 1, QStringLiteral("// asksFor\n")}});
        const auto takes = [&world] {
            world.stand(8, 1);
            world.type(QStringLiteral("asks"));
            const bool isShown = world.listIsShown();
            world.key(Qt::Key_Tab);
            return isShown && world.line(8).startsWith(QStringLiteral("asksFor()"));
        };
        QVERIFY2(takes(), qPrintable(world.line(8)));
        world.type(QStringLiteral("(1"));
        QCOMPARE(world.line(8), QStringLiteral("asksFor(1)}"));
        // Only the very next key: behind another it is one more.
        world.gate->applyEdits({{8, 1, QStringLiteral("}\n")}});
        QVERIFY2(takes(), qPrintable(world.line(8)));
        world.type(QStringLiteral("-(2"));
        QVERIFY2(world.line(8).startsWith(QStringLiteral("asksFor(-(2")), qPrintable(world.line(8)));
    }

    void leavesTheTextAloneOnEscape() {
        LanguageWorld world;
        QVERIFY(world.isReady());
        world.stand(8, 1);
        world.type(QStringLiteral("ga"));
        QVERIFY(world.listIsShown());
        world.key(Qt::Key_Escape);
        QVERIFY(!world.list->isVisible());
        QCOMPARE(world.line(8), QStringLiteral("ga}"));
        // What leaves the word closes it too, and so does a click.
        world.key(Qt::Key_Space, Qt::ControlModifier);
        QVERIFY(world.listIsShown());
        world.key(Qt::Key_Home);
        QTRY_VERIFY(!world.list->isVisible());
        world.stand(8, 3);
        world.key(Qt::Key_Space, Qt::ControlModifier);
        QVERIFY(world.listIsShown());
        QTest::mouseClick(world.gate->viewport(), Qt::LeftButton, {}, QPoint(200, 10));
        QVERIFY(!world.list->isVisible());
    }

    void noPopupOutlivesItsEditor() {
        LanguageWorld world;
        QVERIFY(world.isReady());
        world.stand(8, 1);
        world.type(QStringLiteral("ga"));
        QVERIFY(world.listIsShown());
        world.window->actions().closeWorkspace->trigger(); // by its key the focus stays
        QTRY_VERIFY(world.window->language().texts().empty());
        QTRY_VERIFY(!world.list->isVisible());
    }

    void closesTheListBeforeTheFindBar() {
        LanguageWorld world;
        QVERIFY(world.isReady());
        world.key(Qt::Key_F, Qt::ControlModifier);
        auto *bar = world.window->findChild<FindBar *>();
        QTRY_VERIFY(bar->isVisible());
        // The bar hears the keys of an editor from when its tab was chosen on.
        auto *panel = world.window->findChild<CandidatePanel *>();
        QVERIFY(panel->showFile(QStringLiteral("kernels/gate.cpp")));
        QVERIFY(panel->showFile(QStringLiteral("kernels/gate.cu")));
        world.stand(8, 1);
        world.type(QStringLiteral("ga"));
        QVERIFY(world.listIsShown());
        world.key(Qt::Key_Escape);
        QVERIFY(!world.list->isVisible());
        QVERIFY(bar->isVisible());
        world.key(Qt::Key_Escape);
        QVERIFY(!bar->isVisible());
    }

    void isSilentInCommentsUntilAsked() {
        LanguageWorld world;
        QVERIFY(world.isReady());
        world.stand(8, 1);
        world.type(QStringLiteral("// ga"));
        QTest::qWait(500);
        QVERIFY(!world.list->isVisible());
        world.key(Qt::Key_Space, Qt::ControlModifier);
        QVERIFY(world.listIsShown());
    }

    void offersMembers() {
        LanguageWorld world;
        QVERIFY(world.isReady());
        world.stand(8, 1);
        world.type(QStringLiteral("1."));
        QTest::qWait(400);
        QVERIFY(!world.list->isVisible()); // a number
        world.type(QStringLiteral(" x."));
        QVERIFY(world.listIsShown());
    }

    void goesOnWhenTheServerIsKilled() {
        LanguageWorld world;
        QVERIFY(world.isReady());
        world.stand(8, 1);
        world.type(QStringLiteral("ga"));
        QVERIFY(world.listIsShown());
        const qint64 process = world.serverProcess();
        QVERIFY(process > 0);
        QCOMPARE(kill(static_cast<pid_t>(process), SIGKILL), 0);
        QTRY_VERIFY_WITH_TIMEOUT(world.serverProcess() != process, 10000);
        if (world.list->isVisible()) {
            world.key(Qt::Key_Return);
            QVERIFY(world.line(9).startsWith(QStringLiteral("gateKernel")));
        }
        QVERIFY(world.isReady());
        world.type(QStringLiteral(" la"));
        QVERIFY(world.listIsShown()); // with the newest text
    }

    void tenKillsLoseNothingThatIsTyped() {
        LanguageWorld world;
        QVERIFY(world.isReady());
        world.stand(3, 1); // an empty line
        QString typed = QStringLiteral("// ");
        world.type(typed);
        for (int turn = 1; turn <= 10; ++turn) {
            const qint64 process = world.serverProcess();
            QVERIFY(process > 0);
            QCOMPARE(kill(static_cast<pid_t>(process), SIGKILL), 0);
            const QString word = QStringLiteral("k%1 ").arg(turn);
            world.type(word);
            typed += word;
            QTRY_VERIFY_WITH_TIMEOUT(world.serverProcess() != process, 10000);
            if (turn % 5 == 0) { // so many within a minute end it, until a person starts it again
                QTRY_VERIFY_WITH_TIMEOUT(world.window->language().isTrouble(world.gate), 10000);
                const QString said = world.window->language().stateOf(world.gate);
                QVERIFY2(said.contains(QStringLiteral("not started again")), qPrintable(said));
                QVERIFY2(world.toasts().contains(said), qPrintable(world.toasts()));
                world.window->actions().restartLanguage->trigger();
                QTRY_VERIFY_WITH_TIMEOUT(world.serverProcess() > 0, 10000);
            }
            QVERIFY(world.isReady());
        }
        QCOMPARE(world.line(3), typed);
        QVERIFY(QApplication::activeModalWidget() == nullptr);
        world.stand(8, 1);
        world.type(QStringLiteral("gate"));
        QVERIFY(world.listIsShown());
    }

    void aMarkBehindAnEmojiStandsBelowItsWord() {
        LanguageWorld world;
        QVERIFY(world.isReady());
        world.gate->applyEdits({{3, 1, QStringLiteral("// 😀 broken x\n")}});
        QTRY_COMPARE_WITH_TIMEOUT(liveMarks(*world.gate).size(), std::size_t(1), 5000);
        const EditorMark mark = liveMarks(*world.gate).front();
        QCOMPARE(mark.column, 6);
        QCOMPARE(mark.endColumn, 12);
    }

    void aReadOnlyWindowWritesNoIndex() {
        LanguageWorld world;
        QVERIFY(world.isReady());
        MainWindow second(DataFolders::find(), QStringLiteral("test"));
        world.serve(second);
        second.show();
        second.openWorkspace(world.folder);
        QTRY_VERIFY_WITH_TIMEOUT(!second.bench().readOnlyReason().isEmpty(), 20000);
        const auto words = [](MainWindow &window, const CodeEditor *editor) {
            const OpenText *text = window.language().textOf(editor);
            return text == nullptr || text->server() == nullptr ? QStringList()
                                                                : text->server()->command().arguments;
        };
        CodeEditor *same = nullptr;
        QTRY_VERIFY_WITH_TIMEOUT((same = second.findChild<CodeEditor *>(world.gate->objectName())) !=
                                         nullptr &&
                                     !words(second, same).isEmpty(),
                                 20000);
        QCOMPARE(words(second, same).last(), QStringLiteral("--background-index=false"));
        QCOMPARE(words(*world.window, world.gate).last(), QStringLiteral("--background-index"));
    }

    void isSilentWhereItIsOff() {
        LanguageWorld world;
        QVERIFY(world.isReady());
        world.stand(8, 1);
        world.type(QStringLiteral("broken"));
        QTRY_VERIFY_WITH_TIMEOUT(!liveMarks(*world.gate).empty(), 20000);
        QVERIFY(!world.window->language().stateOf(world.gate).isEmpty());
        auto *row = world.window->findChild<QWidget *>(QStringLiteral("setting-Language server"));
        QVERIFY(row != nullptr);
        auto *choice = row->findChild<QComboBox *>();
        choice->setCurrentIndex(choice->findData(QStringLiteral("off")));
        QTRY_COMPARE(world.serverProcess(), qint64(-1));
        QVERIFY(liveMarks(*world.gate).empty());
        QVERIFY(world.window->language().stateOf(world.gate).isEmpty());
        world.type(QStringLiteral(" ga"));
        QTest::qWait(400);
        QVERIFY(!world.list->isVisible());
        const QAction *complete = world.window->actions().completeHere;
        QVERIFY(!complete->isEnabled());
        QVERIFY(complete->property("whyDisabled").toString().contains(QStringLiteral("off")));
    }

    void marksWhatItSaysWhileTyping() {
        LanguageWorld world;
        QVERIFY(world.isReady());
        world.stand(8, 1);
        world.type(QStringLiteral("broken;"));
        QTRY_COMPARE_WITH_TIMEOUT(liveMarks(*world.gate).size(), std::size_t(1), 20000);
        const EditorMark mark = liveMarks(*world.gate).front();
        QCOMPARE(mark.line, 8);
        QCOMPARE(mark.severity, EditorMark::Error);
        QCOMPARE(mark.text, QStringLiteral("clangd: this is broken [by_word]"));
        QVERIFY(!world.window->bench().shown().evaluation);
        world.gate->undo();
        while (world.gate->isUndoAvailable())
            world.gate->undo();
        QTRY_VERIFY_WITH_TIMEOUT(liveMarks(*world.gate).empty(), 20000);
    }

    void documentsByKeyWithWhatIsMarkedThere() {
        LanguageWorld world;
        QVERIFY(world.isReady());
        world.stand(8, 1);
        world.type(QStringLiteral("doubtful;"));
        QTRY_VERIFY_WITH_TIMEOUT(!liveMarks(*world.gate).empty(), 20000);
        world.stand(8, 3);
        world.key(Qt::Key_K, Qt::ControlModifier);
        QTRY_VERIFY(world.popup->isVisible());
        QCOMPARE(world.popup->said(),
                 QStringLiteral("clangd: this is doubtful [by_word]\nword doubtful\nIt stands here."));
        QVERIFY(world.gate->hasFocus());
        world.key(Qt::Key_Escape);
        QVERIFY(!world.popup->isVisible());
    }

    void documentsUnderTheMouse() {
        LanguageWorld world;
        QVERIFY(world.isReady());
        world.stand(4, 18); // gateKernel
        const auto x = static_cast<int>(world.gate->sci(QsciScintillaBase::SCI_POINTXFROMPOSITION, 0,
                                                        world.gate->positionFromLineIndex(3, 20)));
        const auto y = static_cast<int>(world.gate->sci(QsciScintillaBase::SCI_POINTYFROMPOSITION, 0,
                                                        world.gate->positionFromLineIndex(3, 20)));
        QTest::mouseMove(world.gate->viewport(), QPoint(x, y + 4));
        QTRY_VERIFY(world.popup->isVisible());
        QCOMPARE(world.popup->said(), QStringLiteral("word gateKernel\nIt stands here."));
        QTest::mouseMove(world.gate->viewport(), QPoint(x, y + 4 * world.gate->rowHeight()));
        QTRY_VERIFY(!world.popup->isVisible());
    }

    void saysWhatACallTakes() {
        LanguageWorld world;
        QVERIFY(world.isReady());
        auto *hint = world.window->findChild<CallHint *>();
        world.stand(8, 1);
        world.type(QStringLiteral("call("));
        QTRY_VERIFY(hint->isVisible());
        QCOMPARE(hint->text(), QStringLiteral("call(int first, int second)"));
        QCOMPARE(hint->activePart(), QStringLiteral("int first"));
        world.type(QStringLiteral("1, "));
        QTRY_COMPARE(hint->activePart(), QStringLiteral("int second"));
        world.type(QStringLiteral("2);"));
        QTRY_VERIFY(!hint->isVisible());
        world.stand(8, 7);
        world.key(Qt::Key_Space, Qt::ControlModifier | Qt::ShiftModifier);
        QTRY_VERIFY(hint->isVisible());
        world.key(Qt::Key_Escape);
        QVERIFY(!hint->isVisible());
    }
};

QObject *makeTestLanguage() {
    return new TestLanguage;
}

#include "tst_language.moc"
