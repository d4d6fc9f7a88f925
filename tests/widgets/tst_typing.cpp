// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/editor/auto_close.h"
#include "widgets/editor/code_editor.h"
#include "widgets/editor/editor_commands.h"
#include "widgets/editor/kept_readings.h"
#include "widgets/editor_setup.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QRegularExpression>
#include <QTest>

#include <array>

using namespace warpwright;

/// What typing does besides writing characters: brackets that close, lines that indent, cursors that
/// multiply.
class TestTyping : public QObject {
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

    /// «^» is the cursor, two of them a selection.
    static void place(CodeEditor &editor, QString text) {
        const qsizetype start = text.indexOf(u'^');
        text.remove(start, 1);
        const qsizetype end = text.indexOf(u'^');
        if (end >= 0)
            text.remove(end, 1);
        editor.setContent(text);
        editor.sci(QsciScintillaBase::SCI_COLOURISE, 0, -1); // as it is in a window that has been painted
        editor.sci(QsciScintillaBase::SCI_SETSELECTION, end < 0 ? start : end, start);
    }

    static QString placed(const CodeEditor &editor) {
        QString text = editor.content();
        const auto start = editor.sci(QsciScintillaBase::SCI_GETSELECTIONSTART);
        const auto end = editor.sci(QsciScintillaBase::SCI_GETSELECTIONEND);
        if (end != start)
            text.insert(end, u'^');
        return text.insert(start, u'^');
    }

    static void type(CodeEditor &editor, const QString &keys) {
        for (const QChar sign : keys) {
            if (sign == u'\n')
                QTest::keyClick(&editor, Qt::Key_Return);
            else if (sign == u'<')
                QTest::keyClick(&editor, Qt::Key_Backspace);
            else
                QTest::keyClick(&editor, sign.toLatin1());
        }
    }

private slots:
    void init() {
        QTest::failOnWarning(QRegularExpression(QStringLiteral("^(?!This plugin does not support)")));
    }

    void closesBracketsAndQuotes_data() {
        QTest::addColumn<bool>("isPython");
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("typed"); // «|» is Enter, «<» Backspace
        QTest::addColumn<QString>("after");
        const auto row = [](const char *name, bool isPython, const char *text, const char *typed,
                            const char *after) {
            QTest::newRow(name) << isPython << lines(text) << lines(typed) << lines(after);
        };
        row("parenthesis", false, "f^", "(", "f(^)");
        row("bracket", false, "a^;", "[", "a[^];");
        row("quote", false, "f(^)", "\"", "f(\"^\")");
        row("typed over", false, "f^", "(a)", "f(a)^");
        row("nested and typed over", false, "f^", "(a[1])", "f(a[1])^");
        row("quote typed over", false, "f(^)", "\"a\"", "f(\"a\"^)");
        row("an escaped quote is not typed over", false, "f(^)", "\"\\\"a\\\\\"", "f(\"\\\"a\\\\\"^)");
        row("not over what a person wrote", false, "f(^)", ")", "f()^)");
        row("deleted in pairs", false, "f^", "(<", "f^");
        row("nested deleted", false, "f^", "([<", "f(^)");
        row("a person's own pair is not", false, "f(^)", "<", "f^)");
        row("not before a word", false, "^abc", "(", "(^abc");
        row("not before a number", false, "^1", "(", "(^1");
        row("before a blank", false, "if^ a", "(", "if(^) a");
        row("not in a line comment", false, "// a^", "(", "// a(^");
        row("not in a block comment", false, "/* a ^ */", "(", "/* a (^ */");
        row("behind a comment", false, "/* a */ ^", "(", "/* a */ (^)");
        row("not in a string", false, "\"a ^\"", "(", "\"a (^\"");
        row("no quote in a word", false, "// a|don^", "'", "// a|don'^");
        row("a digit's separator", false, "1^", "'000", "1'000^");
        row("not behind include", false, "#include ^", "\"", "#include \"^");
        row("Python's comment", true, "# it^", "(", "# it(^");
        row("Python's f-string", true, "f^", "\"", "f\"^\"");
        row("three quotes", true, "^", "\"\"\"", "\"\"\"^");
        row("in three quotes", true, "\"\"\"a|^|\"\"\"", "(", "\"\"\"a|(^|\"\"\"");
        row("wraps", false, "a = ^b + c^;", "(", "a = (^b + c^);");
        row("wraps in quotes", true, "x = ^abc^", "'", "x = '^abc^'");
        row("wraps in a comment", false, "// ^abc^", "[", "// [^abc^]");
        row("a closing sign replaces", false, "^abc^", ")", ")^");
    }

    void closesBracketsAndQuotes() {
        QFETCH(bool, isPython);
        QFETCH(QString, text);
        QFETCH(QString, typed);
        const auto editor = make({}, isPython ? CodeEditor::Language::Python : CodeEditor::Language::Cuda);
        place(*editor, text);
        type(*editor, typed);
        QTEST(placed(*editor), "after");
    }

    void leavesPairsAloneWhenSwitchedOff() {
        const auto editor = make({});
        editor->decorator<AutoClose>().setEnabled(false);
        type(*editor, QStringLiteral("f(\""));
        QCOMPARE(editor->content(), QStringLiteral("f(\""));
    }

    void typesOverWhatACompletionClosed() {
        const auto editor = make({});
        place(*editor, QStringLiteral("f(^);"));
        editor->decorator<AutoClose>().adopt();
        type(*editor, QStringLiteral("a)"));
        QCOMPARE(placed(*editor), QStringLiteral("f(a)^;"));
    }

    void takesAPairBackInOneStep() {
        const auto editor = make(QStringLiteral("f = "));
        editor->setCursorPosition(0, 4);
        type(*editor, QStringLiteral("("));
        QCOMPARE(editor->content(), QStringLiteral("f = ()"));
        editor->undo();
        QCOMPARE(editor->content(), QStringLiteral("f = "));
    }

    void indentsNewLines_data() {
        QTest::addColumn<bool>("isPython");
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("typed");
        QTest::addColumn<QString>("after");
        const auto row = [](const char *name, bool isPython, const char *text, const char *typed,
                            const char *after) {
            QTest::newRow(name) << isPython << lines(text) << lines(typed) << lines(after);
        };
        row("a block opens", false, "void f() {^}", "|", "void f() {|    ^|}");
        row("a typed block opens", false, "  if (a) ^", "{|", "  if (a) {|      ^|  }");
        row("back from a continued call", false, "    f(a,|      b);^", "|", "    f(a,|      b);|    ^");
        row("back from column 24", false,
            "    const float longest = first +|                        second;^", "|x",
            "    const float longest = first +|                        second;|    x^");
        row("under the argument", false, "    launch(a,^", "|", "    launch(a,|           ^");
        row("and further", false, "    launch(a,|           b,^", "|",
            "    launch(a,|           b,|           ^");
        row("out of an inner call", false, "f(g(1,|    2),^", "|", "f(g(1,|    2),|  ^");
        row("body of an if without braces", false, "    if (a)^", "|", "    if (a)|        ^");
        row("and back", false, "    if (a)|        b;^", "|", "    if (a)|        b;|    ^");
        row("body of else", false, "    else^", "|", "    else|        ^");
        row("semicolons in a for", false, "  for (int i = 0; i < n; ++i)^", "|",
            "  for (int i = 0; i < n; ++i)|      ^");
        row("a value to come", false, "  int a =^", "|", "  int a =|      ^");
        row("a comment behind a brace", false, "if (a) { // why^", "|", "if (a) { // why|    ^");
        row("a brace in a comment", false, "  a; // {^", "|", "  a; // {|  ^");
        row("a brace in a string", false, "  a(\"{\");^", "|", "  a(\"{\");|  ^");
        row("behind a pragma", false, "    #pragma unroll^", "|", "    #pragma unroll|    ^");
        row("a case", false, "    case 0:|        a;^", "|", "    case 0:|        a;|        ^");
        row("a list in braces", false, "int a[] = {|    1,^", "|", "int a[] = {|    1,|    ^");
        row("behind a braced list", false, "  int a[] = {1,|             2};^", "|",
            "  int a[] = {1,|             2};|  ^");
        row("a template's head", false, "template <typename T>^", "|", "template <typename T>|^");
        row("closing brace goes back", false, "  if (a) {|      b;|      ^", "}", "  if (a) {|      b;|  }^");
        row("to the statement's line", false, "  void f(int a,|         int b) {|      c;|      ^", "}",
            "  void f(int a,|         int b) {|      c;|  }^");
        row("behind an inner block", false, "{|    {|        a;|    }|    ^", "}",
            "{|    {|        a;|    }|}^");
        row("in a block comment", false, "    /* a {^", "|", "    /* a {|    ^");
        row("Python's colon", true, "    if a:^", "|", "    if a:|        ^");
        row("a colon behind several lines", true, "    if (a and|            b):^", "|",
            "    if (a and|            b):|        ^");
        row("a colon and a comment", true, "if a:  # why^", "|", "if a:  # why|    ^");
        row("a slice's colon", true, "    x = a[1:^]", "|", "    x = a[1:|    ^]");
        row("behind return", true, "    return a^", "|", "    return a|^");
        row("behind a long return", true, "        return f(a,|                 b)^", "|",
            "        return f(a,|                 b)|    ^");
        row("behind pass", true, "        pass^", "|", "        pass|    ^");
        row("returns is no return", true, "    returned = 1^", "|", "    returned = 1|    ^");
        row("back from a continued line", true, "    x = f(a,|          b)^", "|",
            "    x = f(a,|          b)|    ^");
        row("in three quotes", true, "    \"\"\"a:^", "|", "    \"\"\"a:|    ^");
    }

    void indentsNewLines() {
        QFETCH(bool, isPython);
        QFETCH(QString, text);
        QFETCH(QString, typed);
        const auto editor = make({}, isPython ? CodeEditor::Language::Python : CodeEditor::Language::Cuda);
        place(*editor, text);
        const QString before = editor->content();
        type(*editor, typed);
        QTEST(placed(*editor), "after");
        while (editor->isUndoAvailable())
            editor->undo();
        QCOMPARE(editor->content(), before);
    }

    void takesANewLineBackInOneStep() {
        const auto editor = make({});
        place(*editor, QStringLiteral("void f() {^}"));
        type(*editor, QStringLiteral("\n"));
        editor->undo();
        QCOMPARE(editor->content(), QStringLiteral("void f() {}"));
    }

    void indentsAndDedentsASelection() {
        const auto editor = make({});
        const QString text = lines("a;||  b;|c;|");
        place(*editor, lines("^a;||  b;^|c;|"));
        QTest::keyClick(editor.get(), Qt::Key_Tab);
        QCOMPARE(editor->content(), lines("    a;||      b;|c;|"));
        QTest::keyClick(editor.get(), Qt::Key_Backtab, Qt::ShiftModifier);
        QCOMPARE(editor->content(), lines("a;||    b;|c;|"));
        editor->undo();
        QCOMPARE(editor->content(), lines("    a;||      b;|c;|"));
        editor->undo();
        QCOMPARE(editor->content(), text);
    }

    void dedentsTheLineOfTheCursor() {
        const auto editor = make({});
        place(*editor, QStringLiteral("        a^b;"));
        QTest::keyClick(editor.get(), Qt::Key_Backtab, Qt::ShiftModifier);
        QCOMPARE(placed(*editor), QStringLiteral("    a^b;"));
        QTest::keyClick(editor.get(), Qt::Key_BracketRight, Qt::ControlModifier);
        QCOMPARE(placed(*editor), QStringLiteral("        a^b;"));
        QTest::keyClick(editor.get(), Qt::Key_BracketLeft, Qt::ControlModifier);
        QCOMPARE(placed(*editor), QStringLiteral("    a^b;"));
    }

    void deletesLines_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("after");
        QTest::newRow("one") << lines("a|b^b|cc|") << lines("a|c^c|");
        QTest::newRow("several") << lines("a|^b|c^|d|") << lines("a|d^|");
        QTest::newRow("the last, without an end") << lines("ab|c^d") << lines("a^b");
        QTest::newRow("the only one") << lines("a^b") << lines("^");
    }

    void deletesLines() {
        QFETCH(QString, text);
        const auto editor = make({});
        place(*editor, text);
        const QString before = editor->content();
        QTest::keyClick(editor.get(), Qt::Key_K, Qt::ControlModifier | Qt::ShiftModifier);
        QTEST(placed(*editor), "after");
        editor->undo();
        QCOMPARE(editor->content(), before);
    }

    void joinsLines_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("after");
        QTest::newRow("with the next") << lines("a =^|    b;|c;") << lines("a = b;|c;");
        QTest::newRow("blanks at the end") << lines("a = ^  |  b;") << lines("a = b;");
        QTest::newRow("all that are selected") << lines("^f(|  a,|  b^|);|") << lines("f( a, b|);|");
        QTest::newRow("a blank one") << lines("a;^||b;") << lines("a;|b;");
        QTest::newRow("the last") << lines("a;|b^;") << lines("a;|b;");
    }

    void joinsLines() {
        QFETCH(QString, text);
        const auto editor = make({});
        place(*editor, text);
        const QString before = editor->content();
        QTest::keyClick(editor.get(), Qt::Key_J, Qt::ControlModifier);
        QTEST(editor->content(), "after");
        if (editor->isUndoAvailable())
            editor->undo();
        QCOMPARE(editor->content(), before);
    }

    void aKeyWithAltWritesNoLetter() {
        const auto editor = make(QStringLiteral("a\n"));
        QTest::keyClick(editor.get(), Qt::Key_Y, Qt::AltModifier | Qt::ShiftModifier);
        QTest::keyClick(editor.get(), Qt::Key_N, Qt::AltModifier);
        QCOMPARE(editor->content(), QStringLiteral("a\n"));
        QTest::keyClick(editor.get(), Qt::Key_Y, Qt::ShiftModifier);
        QCOMPARE(editor->content().left(1).toUpper(), QStringLiteral("Y"));
    }

    // Keys of other editors that mean nothing here; those with AltGr write what they say.
    void aKeyWithControlWritesNoSign() {
        const auto editor = make(QStringLiteral("a\n"));
        for (const Qt::Key key : {Qt::Key_1, Qt::Key_9, Qt::Key_Equal, Qt::Key_Semicolon, Qt::Key_Space})
            QTest::keyClick(editor.get(), key, Qt::ControlModifier);
        QTest::keyClick(editor.get(), Qt::Key_U, Qt::ControlModifier | Qt::ShiftModifier);
        QCOMPARE(editor->content(), QStringLiteral("a\n"));
        QKeyEvent altGr(QEvent::KeyPress, Qt::Key_At, Qt::ControlModifier | Qt::AltModifier,
                        QStringLiteral("@"));
        QCoreApplication::sendEvent(editor.get(), &altGr);
        QCOMPARE(editor->content(), QStringLiteral("@a\n"));
        // Scintilla's own keys stay.
        QTest::keyClick(editor.get(), Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(editor->content(), QStringLiteral("a\n"));
        QTest::keyClick(editor.get(), Qt::Key_A, Qt::ControlModifier);
        QCOMPARE(editor->selectedText(), QStringLiteral("a\n"));
    }

    void undoLeadsBackToWhereTheCursorWas_data() {
        QTest::addColumn<QString>("before");
        QTest::addColumn<int>("key");
        QTest::addColumn<Qt::KeyboardModifiers>("held");
        QTest::addColumn<QString>("after");
        const auto row = [](const char *name, const char *before, Qt::Key key, Qt::KeyboardModifiers held,
                            const char *after) {
            QTest::newRow(name) << lines(before) << int(key) << held << lines(after);
        };
        const Qt::KeyboardModifiers both = Qt::ControlModifier | Qt::ShiftModifier;
        row("a line moved down", "one|t^wo|three|", Qt::Key_Down, both, "one|three|t^wo|");
        row("a line moved up", "one|t^wo|three|", Qt::Key_Up, both, "t^wo|one|three|");
        row("a line deleted", "one|t^wo|three|", Qt::Key_K, both, "one|t^hree|");
        row("a line duplicated", "one|t^wo|", Qt::Key_D, Qt::AltModifier | Qt::ShiftModifier,
            "one|two|t^wo|");
    }
    void undoLeadsBackToWhereTheCursorWas() {
        QFETCH(QString, before);
        QFETCH(int, key);
        QFETCH(Qt::KeyboardModifiers, held);
        QFETCH(QString, after);
        const auto editor = make({});
        place(*editor, before);
        QTest::keyClick(editor.get(), static_cast<Qt::Key>(key), held);
        QCOMPARE(placed(*editor), after);
        for (int turn = 0; turn < 2; ++turn) {
            QTest::keyClick(editor.get(), Qt::Key_Z, Qt::ControlModifier);
            QTRY_COMPARE(placed(*editor), before);
            QTest::keyClick(editor.get(), Qt::Key_Y, Qt::ControlModifier);
            QTRY_COMPARE(placed(*editor), after);
        }
        // An act that changes nothing is no step.
        QTest::keyClick(editor.get(), Qt::Key_Z, Qt::ControlModifier);
        editor->sci(QsciScintillaBase::SCI_GOTOPOS, 0);
        editor->decorator<EditorCommands>().moveLinesUp();
        QVERIFY(!editor->isUndoAvailable());
    }

    void whatIsTypedAtSeveralCursorsIsOneStep() {
        const auto editor = make(lines("a|a|"));
        editor->setCursorPosition(0, 1);
        const auto goBack = [&](Qt::Key key) {
            QTest::keyClick(editor.get(), key, Qt::ControlModifier);
        };
        editor->decorator<EditorCommands>().addCaretBelow();
        type(*editor, QStringLiteral("block"));
        QCOMPARE(editor->content(), lines("ablock|ablock|"));
        QTest::keyClick(editor.get(), Qt::Key_Left); // what is typed elsewhere is another step
        type(*editor, QStringLiteral("xy"));
        const QString typed = lines("ablocxyk|ablocxyk|");
        QCOMPARE(editor->content(), typed);
        for (int turn = 0; turn < 2; ++turn) {
            goBack(Qt::Key_Z);
            QTRY_COMPARE(editor->content(), lines("ablock|ablock|"));
            goBack(Qt::Key_Z);
            QTRY_COMPARE(editor->content(), lines("a|a|"));
            QVERIFY(!editor->isUndoAvailable());
            goBack(Qt::Key_Y);
            QTRY_COMPARE(editor->content(), lines("ablock|ablock|"));
            goBack(Qt::Key_Y);
            QTRY_COMPARE(editor->content(), typed);
        }
    }

    void addsCaretsAboveAndBelow() {
        const auto editor = make(lines("abc|a|abc|abc|"));
        editor->setCursorPosition(2, 2);
        QTest::keyClick(editor.get(), Qt::Key_Down, Qt::AltModifier | Qt::ShiftModifier);
        QTest::keyClick(editor.get(), Qt::Key_Up, Qt::AltModifier | Qt::ShiftModifier);
        QTest::keyClick(editor.get(), Qt::Key_Up, Qt::AltModifier | Qt::ShiftModifier);
        QCOMPARE(editor->sci(QsciScintillaBase::SCI_GETSELECTIONS), 4);
        type(*editor, QStringLiteral("x"));
        QCOMPARE(editor->content(), lines("abxc|ax|abxc|abxc|"));
        QTest::keyClick(editor.get(), Qt::Key_Escape);
        QCOMPARE(editor->sci(QsciScintillaBase::SCI_GETSELECTIONS), 1);
    }

    void addsACaretWhereAltClicks() {
        const auto editor = make(lines("abcd|abcd|abcd|"));
        QCoreApplication::processEvents();
        const auto at = [&editor](int line, int column) {
            const long position = editor->positionFromLineIndex(line, column);
            return QPoint(
                static_cast<int>(editor->sci(QsciScintillaBase::SCI_POINTXFROMPOSITION, 0, position)) + 1,
                static_cast<int>(editor->sci(QsciScintillaBase::SCI_POINTYFROMPOSITION, 0, position)) + 5);
        };
        editor->setCursorPosition(0, 1);
        QTest::mouseClick(editor->viewport(), Qt::LeftButton, Qt::AltModifier, at(1, 2));
        QTest::mouseClick(editor->viewport(), Qt::LeftButton, Qt::AltModifier, at(2, 3));
        QCOMPARE(editor->sci(QsciScintillaBase::SCI_GETSELECTIONS), 3);
        QTest::mouseClick(editor->viewport(), Qt::LeftButton, Qt::AltModifier, at(1, 2)); // and away again
        type(*editor, QStringLiteral("x"));
        QCOMPARE(editor->content(), lines("axbcd|abcd|abcxd|"));
    }

    void keptReadingsAreThoseOfTheWholeText_data() {
        QTest::addColumn<CodeEditor::Language>("language");
        QTest::addColumn<QString>("part");
        QTest::newRow("CUDA") << CodeEditor::Language::Cuda
                              << lines(
                                     "void f(int a,|       int b) {|    /* ä 😀|    } */ g(\"}\", '{'); // ß(|"
                                     "#define M(x) \\|    x {|    h(R\"d(|}|)d\");|    if (a) {||}|// é|}|");
        QTest::newRow("Python") << CodeEditor::Language::Python
                                << lines("def f(a,|      b):|    \"\"\"doc ( ä||    \"\"\"|    x = [1, |"
                                         "         2] \\|        + 3|    return {|        'a': '#'}|");
    }
    void keptReadingsAreThoseOfTheWholeText() {
        QFETCH(CodeEditor::Language, language);
        QFETCH(QString, part);
        using Sci = QsciScintillaBase;
        const auto editor = make(part.repeated(120), language);
        QVERIFY(editor->lineCount() > 8 * KeptReadings::linesApart);
        KeptReadings &kept = editor->decorator<KeptReadings>();
        quint32 number = 7;
        const auto next = [&number](long below) {
            number = number * 1664525 + 1013904223;
            return static_cast<long>(number >> 8) % below;
        };
        const std::array<const char *, 7> typed{"(", "\n", "}", "\"", "/*", "é", "{\n\n"};
        for (int turn = 0; turn < 200; ++turn) {
            const long length = editor->sci(Sci::SCI_GETLENGTH);
            const long at =
                editor->sci(Sci::SCI_POSITIONAFTER, editor->sci(Sci::SCI_POSITIONBEFORE, next(length)));
            if (turn % 3 == 0)
                editor->sci(Sci::SCI_DELETERANGE, at,
                            editor->sci(Sci::SCI_POSITIONAFTER, std::min(length, at + next(300))) - at);
            else
                editor->sci(Sci::SCI_INSERTTEXT, at,
                            reinterpret_cast<long>(typed[static_cast<std::size_t>(next(typed.size()))]));
            const QByteArray text = editor->content().toUtf8();
            const long asked =
                editor->sci(Sci::SCI_POSITIONAFTER, editor->sci(Sci::SCI_POSITIONBEFORE, next(text.size())));
            QVERIFY(kept.before(asked) ==
                    lookBefore(QString::fromUtf8(text.left(asked)), language, editor->tabWidth()));
        }
    }

    void anotherDocumentIsReadAnew() {
        const auto editor = make(QStringLiteral("f(\n").repeated(400));
        const auto other = make(QStringLiteral("g;\n").repeated(400));
        QCOMPARE(editor->decorator<KeptReadings>().before(900).open.size(), std::size_t(300));
        editor->showDocumentOf(other.get());
        QCOMPARE(editor->decorator<KeptReadings>().before(900).open.size(), std::size_t(0));
        editor->showDocumentOf(nullptr);
    }
};

QObject *makeTestTyping() {
    return new TestTyping;
}

#include "tst_typing.moc"
