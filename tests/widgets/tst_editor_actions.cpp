// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/editor/code_editor.h"
#include "widgets/editor/editor_commands.h"
#include "widgets/editor_setup.h"

#include <Qsci/qscicommandset.h>

#include <QMouseEvent>
#include <QRegularExpression>
#include <QTest>

using namespace warpwright;

/// Keys in an editor, as a person presses them.
class TestEditorActions : public QObject {
    Q_OBJECT

private:
    Look m_look;

    std::unique_ptr<CodeEditor> make(const QString &text,
                                     CodeEditor::Language language = CodeEditor::Language::Cuda) {
        auto editor = makeCodeEditor(m_look, nullptr);
        editor->setLanguage(language);
        editor->setContent(text);
        editor->resize(600, 300);
        editor->show();
        return editor;
    }

    static QString lines(const char *text) { return QString::fromUtf8(text).replace(u'|', u'\n'); }

private slots:
    void init() {
        QTest::failOnWarning(QRegularExpression(QStringLiteral("^(?!This plugin does not support)")));
    }

    void togglesComments_data() {
        QTest::addColumn<bool>("isPython");
        QTest::addColumn<QString>("text");
        QTest::addColumn<QList<int>>("selection"); // line, column, line, column, from 0
        QTest::addColumn<QString>("once");
        const auto row = [](const char *name, bool isPython, const char *text, const QList<int> &selection,
                            const char *once) {
            QTest::newRow(name) << isPython << lines(text) << selection << lines(once);
        };
        row("one line", false, "int a;|int b;", {0, 3, 0, 3}, "// int a;|int b;");
        row("indented", false, "    int a;|", {0, 6, 0, 6}, "    // int a;|");
        row("Python", true, "    x = 1|", {0, 6, 0, 6}, "    # x = 1|");
        row("several, at the least indent", false, "if (a) {|    b;||}|", {0, 0, 3, 1},
            "// if (a) {|//     b;||// }|");
        row("half commented becomes commented", false, "// a|b|", {0, 0, 1, 1}, "// // a|// b|");
        row("selection that ends before a line", false, "a|b|c|", {0, 0, 2, 0}, "// a|// b|c|");
        row("blank lines alone", false, "||", {0, 0, 1, 0}, "||");
    }

    void togglesComments() {
        QFETCH(bool, isPython);
        QFETCH(QString, text);
        QFETCH(QList<int>, selection);
        const auto editor = make(text, isPython ? CodeEditor::Language::Python : CodeEditor::Language::Cuda);
        editor->setSelection(selection[0], selection[1], selection[2], selection[3]);
        QTest::keyClick(editor.get(), Qt::Key_Slash, Qt::ControlModifier);
        QTEST(editor->content(), "once");
        QTest::keyClick(editor.get(), Qt::Key_Slash, Qt::ControlModifier);
        QCOMPARE(editor->content(), text);
        if (editor->isUndoAvailable())
            editor->undo(); // one step each
        QTEST(editor->content(), "once");
    }

    void commentsInWhatHasNoBlank() {
        const auto editor = make(QStringLiteral("//a\n"));
        editor->decorator<EditorCommands>().toggleComment();
        QCOMPARE(editor->content(), QStringLiteral("a\n"));
    }

    void typesAtSeveralPlaces() {
        const auto editor = make(QStringLiteral("sum = sum + sums;\n"));
        for (int i = 0; i < 2; ++i)
            QTest::keyClick(editor.get(), Qt::Key_D, Qt::ControlModifier);
        QCOMPARE(editor->sci(QsciScintillaBase::SCI_GETSELECTIONS), 2);
        QTest::keyClicks(editor.get(), QStringLiteral("all"));
        QCOMPARE(editor->content(), QStringLiteral("all = all + sums;\n")); // a word, not a part of one
        QTest::keyClick(editor.get(), Qt::Key_Escape);
        QCOMPARE(editor->sci(QsciScintillaBase::SCI_GETSELECTIONS), 1);
    }

    void typesAtPartsOfWords() {
        const auto editor = make(QStringLiteral("sum = sum + sums;\n"));
        editor->setSelection(0, 0, 0, 2);
        for (int i = 0; i < 2; ++i)
            QTest::keyClick(editor.get(), Qt::Key_D, Qt::ControlModifier);
        QTest::keyClicks(editor.get(), QStringLiteral("x"));
        QCOMPARE(editor->content(), QStringLiteral("xm = xm + xms;\n"));
    }

    void selectsARectangle() {
        const auto editor = make(lines("abcd|abcd|abcd|"));
        QCoreApplication::processEvents();
        const auto at = [&editor](int line, int column) {
            const long position = editor->positionFromLineIndex(line, column);
            return QPoint(
                static_cast<int>(editor->sci(QsciScintillaBase::SCI_POINTXFROMPOSITION, 0, position)) + 1,
                static_cast<int>(editor->sci(QsciScintillaBase::SCI_POINTYFROMPOSITION, 0, position)) + 5);
        };
        QWidget *ground = editor->viewport();
        QTest::mousePress(ground, Qt::LeftButton, Qt::AltModifier, at(0, 1));
        QMouseEvent drag(QEvent::MouseMove, at(2, 3), ground->mapToGlobal(at(2, 3)), Qt::NoButton,
                         Qt::LeftButton, Qt::AltModifier);
        QCoreApplication::sendEvent(ground, &drag);
        QTest::mouseRelease(ground, Qt::LeftButton, Qt::AltModifier, at(2, 3));
        QVERIFY(editor->sci(QsciScintillaBase::SCI_SELECTIONISRECTANGLE) != 0);
        QTest::keyClicks(editor.get(), QStringLiteral("x"));
        QCOMPARE(editor->content(), lines("axd|axd|axd|"));
    }

    void movesLines() {
        const auto editor = make(lines("1|2|3|4|"));
        editor->setSelection(1, 0, 2, 1);
        QTest::keyClick(editor.get(), Qt::Key_Up, Qt::ControlModifier | Qt::ShiftModifier);
        QCOMPARE(editor->content(), lines("2|3|1|4|"));
        QTest::keyClick(editor.get(), Qt::Key_Down, Qt::ControlModifier | Qt::ShiftModifier);
        QCOMPARE(editor->content(), lines("1|2|3|4|"));
        editor->undo();
        QCOMPARE(editor->content(), lines("2|3|1|4|"));
    }

    void duplicatesLines() {
        const auto editor = make(lines("a|b"));
        editor->setCursorPosition(1, 1);
        QTest::keyClick(editor.get(), Qt::Key_D, Qt::AltModifier | Qt::ShiftModifier);
        QCOMPARE(editor->content(), lines("a|b|b"));
        QCOMPARE(editor->cursorPlace(), (EditorPlace{3, 2}));
        editor->undo();
        QCOMPARE(editor->content(), lines("a|b"));
    }

    void indents_data() {
        QTest::addColumn<bool>("isPython");
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("typed"); // «|» is Enter
        QTest::addColumn<QString>("after");
        const auto row = [](const char *name, bool isPython, const char *text, const char *typed,
                            const char *after) {
            QTest::newRow(name) << isPython << lines(text) << lines(typed) << lines(after);
        };
        row("keeps", false, "    a;", "|b", "    a;|    b");
        row("after a brace", false, "void f() {", "|a;", "void f() {|    a;");
        row("and back", false, "void f() {", "|a;|}", "void f() {|    a;|}");
        row("nested", false, "  if (a) {", "|b;|}", "  if (a) {|      b;|  }");
        row("parenthesis", false, "f(", "|a", "f(|    a");
        row("Python's colon", true, "def f():", "|return 1", "def f():|    return 1");
        row("no colon in C++", false, "public:", "|a", "public:|a");
        row("tab is four blanks", false, "", "\ta", "    a");
    }

    void indents() {
        QFETCH(bool, isPython);
        QFETCH(QString, text);
        QFETCH(QString, typed);
        const auto editor = make(text, isPython ? CodeEditor::Language::Python : CodeEditor::Language::Cuda);
        editor->setCursorPosition(0, static_cast<int>(text.size()));
        for (const QChar sign : typed) {
            if (sign == u'\n')
                QTest::keyClick(editor.get(), Qt::Key_Return);
            else if (sign == u'\t')
                QTest::keyClick(editor.get(), Qt::Key_Tab);
            else
                QTest::keyClick(editor.get(), sign.toLatin1());
        }
        QTEST(editor->content(), "after");
    }

    void jumpsToTheMatchingBrace() {
        const auto editor = make(QStringLiteral("f(a[1], (b))"));
        editor->setCursorPosition(0, 1);
        QTest::keyClick(editor.get(), Qt::Key_M, Qt::ControlModifier);
        QCOMPARE(editor->cursorPlace().column, 12);
        QTest::keyClick(editor.get(), Qt::Key_M, Qt::ControlModifier);
        QCOMPARE(editor->cursorPlace().column, 2);
    }

    void foldsAndUnfolds() {
        const auto editor = make(lines("void f() {|    a;|    b;|}|c;|"));
        editor->sci(QsciScintillaBase::SCI_COLOURISE, 0, -1);
        editor->setCursorPosition(1, 2);
        editor->decorator<EditorCommands>().toggleFold(); // the block around the cursor
        QCOMPARE(editor->sci(QsciScintillaBase::SCI_GETLINEVISIBLE, 2), 0);
        editor->goTo(3, 1); // what is gone to is shown
        QCOMPARE(editor->sci(QsciScintillaBase::SCI_GETLINEVISIBLE, 2), 1);
        editor->decorator<EditorCommands>().toggleFold();
        editor->decorator<EditorCommands>().unfoldAll();
        QCOMPARE(editor->sci(QsciScintillaBase::SCI_GETLINEVISIBLE, 2), 1);
    }

    void leavesAltToTheReviewOfHunks() {
        const auto editor = make({});
        for (const QsciCommand *command : editor->standardCommands()->commands())
            for (const int key : {command->key(), command->alternateKey()}) {
                const auto keys = QKeyCombination::fromCombined(key);
                QVERIFY2(!keys.keyboardModifiers().testFlag(Qt::AltModifier) ||
                             keys.keyboardModifiers().testFlag(Qt::ShiftModifier),
                         qPrintable(command->description()));
            }
    }
};

QObject *makeTestEditorActions() {
    return new TestEditorActions;
}

#include "tst_editor_actions.moc"
