// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/editor/code_editor.h"
#include "widgets/editor/diagnostic_marks.h"
#include "widgets/editor/line_notes.h"
#include "widgets/editor_setup.h"
#include "widgets/listing/marked_scroll_bar.h"
#include "widgets/look/wrap_text.h"

#include <QRegularExpression>
#include <QTest>

using namespace warpwright;

class TestDiagnosticMarks : public QObject {
    Q_OBJECT

private:
    Look m_look;

    std::unique_ptr<CodeEditor> make() {
        auto editor = makeCodeEditor(m_look, nullptr);
        editor->setLanguage(CodeEditor::Language::Cuda);
        editor->setContent(
            QStringLiteral("int a = b;\nfloat wrong = left + right;\nint c;\nint d;\nint e;\n"));
        editor->resize(600, 300);
        editor->show();
        return editor;
    }

    static std::vector<int> linesOf(const CodeEditor &editor) {
        std::vector<int> lines;
        for (const EditorMark &mark : editor.decorator<DiagnosticMarks>().marks())
            lines.push_back(mark.line);
        return lines;
    }

    /// The text that an indicator lies under.
    static QString underlined(const CodeEditor &editor, int indicator) {
        QString text;
        const QByteArray bytes = editor.content().toUtf8();
        for (int i = 0; i < bytes.size(); ++i)
            if (editor.sci(QsciScintillaBase::SCI_INDICATORVALUEAT, indicator, i) != 0)
                text += QLatin1Char(bytes[i]);
        return text;
    }

private slots:
    void init() {
        QTest::failOnWarning(QRegularExpression(QStringLiteral("^(?!This plugin does not support)")));
    }

    void underlinesWhatIsMeant_data() {
        QTest::addColumn<EditorMark>("mark");
        QTest::addColumn<int>("indicator");
        QTest::addColumn<QString>("text");
        const auto row = [](const char *name, const EditorMark &mark, int indicator, const char *text) {
            QTest::newRow(name) << mark << indicator << QString::fromLatin1(text);
        };
        row("the word at the column", {2, 7, EditorMark::Error, {}, 0}, CodeEditor::ErrorIndicator, "wrong");
        row("inside a word", {2, 9, EditorMark::Warning, {}, 0}, CodeEditor::WarningIndicator, "ong");
        row("from column to column", {2, 15, EditorMark::Finding, {}, 27}, CodeEditor::FindingIndicator,
            "left + right");
        row("a sign", {2, 13, EditorMark::Error, {}, 0}, CodeEditor::ErrorIndicator, "=");
        row("a whole line", {1, 0, EditorMark::Error, {}, 0}, CodeEditor::ErrorIndicator, "int a = b;");
        row("behind the end", {1, 99, EditorMark::Error, {}, 0}, CodeEditor::ErrorIndicator, ";");
        row("a line that is gone", {99, 1, EditorMark::Error, {}, 0}, CodeEditor::ErrorIndicator, "");
    }

    void underlinesWhatIsMeant() {
        QFETCH(EditorMark, mark);
        QFETCH(int, indicator);
        const auto editor = make();
        editor->decorator<DiagnosticMarks>().setMarks({mark});
        QTEST(underlined(*editor, indicator), "text");
        editor->decorator<DiagnosticMarks>().setMarks({});
        QCOMPARE(underlined(*editor, indicator), QString());
    }

    void movesWithTheText() {
        const auto editor = make();
        editor->decorator<DiagnosticMarks>().setMarks(
            {{2, 7, EditorMark::Error, QStringLiteral("no"), 0}, {5, 5, EditorMark::Warning, {}, 0}});
        editor->decorator<LineNotes>().set(4, QStringLiteral("32 regs"));
        editor->insertAt(QStringLiteral("// new\n// new\n"), 2, 0);
        QCOMPARE(linesOf(*editor), (std::vector<int>{2, 7}));
        QCOMPARE(editor->decorator<LineNotes>().noteAt(6), QStringLiteral("32 regs"));
        editor->insertAt(QStringLiteral("// new\n"), 0, 0);
        QCOMPARE(linesOf(*editor), (std::vector<int>{3, 8}));
        QCOMPARE(editor->annotation(2), QStringLiteral("no"));
        QCOMPARE(underlined(*editor, CodeEditor::ErrorIndicator), QStringLiteral("wrong"));
        editor->undo();
        editor->undo();
        QCOMPARE(linesOf(*editor), (std::vector<int>{2, 5}));
        QCOMPARE(editor->decorator<DiagnosticMarks>().marks()[0].text, QStringLiteral("no"));
    }

    void saysNothingOfALineThatWasChangedSince() {
        const auto editor = make();
        editor->decorator<DiagnosticMarks>().setMarks(
            {{2, 7, EditorMark::Error, QStringLiteral("no"), 0},
             {3, 1, EditorMark::Finding, QStringLiteral("slow"), 0}});
        editor->insertAt(QStringLiteral("x"), 1, 8);
        editor->insertAt(QStringLiteral("x"), 2, 1);
        QTRY_COMPARE(linesOf(*editor), (std::vector<int>{3}));
        QCOMPARE(editor->annotation(1), QString());
        QCOMPARE(underlined(*editor, CodeEditor::ErrorIndicator), QString());
        // What a language server says of the same line meanwhile is shown.
        editor->decorator<DiagnosticMarks>().setLiveMarks(
            {{2, 7, EditorMark::Error, QStringLiteral("live"), 0}}, false);
        QCOMPARE(linesOf(*editor), (std::vector<int>{2, 3}));
        editor->decorator<DiagnosticMarks>().setLiveMarks({}, false);
        editor->undo();
        editor->undo();
        QTRY_COMPARE(linesOf(*editor), (std::vector<int>{2, 3}));
        QCOMPARE(editor->annotation(1), QStringLiteral("no"));
        QCOMPARE(underlined(*editor, CodeEditor::ErrorIndicator), QStringLiteral("wrong"));
    }

    void showsMessagesOfErrorsAndFindingsOnly() {
        const auto editor = make();
        editor->decorator<DiagnosticMarks>().setMarks(
            {{1, 1, EditorMark::Error, QStringLiteral("error"), 0},
             {2, 1, EditorMark::Warning, QStringLiteral("warning"), 0},
             {3, 1, EditorMark::Finding, QStringLiteral("finding"), 0},
             {4, 1, EditorMark::Info, QStringLiteral("info"), 0}});
        QCOMPARE(editor->annotation(0), QStringLiteral("error"));
        QCOMPARE(editor->annotation(1), QString());
        QCOMPARE(editor->annotation(2), QStringLiteral("finding"));
        QCOMPARE(editor->annotation(3), QString());
        QCOMPARE(editor->scrollMarks().marks(MarkedScrollBar::Errors).size(), 1U);
        QCOMPARE(editor->scrollMarks().marks(MarkedScrollBar::Warnings).size(), 1U);
        editor->decorator<DiagnosticMarks>().setEnabled(false);
        QCOMPARE(editor->annotation(0), QString());
        editor->decorator<DiagnosticMarks>().setEnabled(true);
        QCOMPARE(editor->annotation(0), QStringLiteral("error"));
    }

    void breaksLongMessages() {
        const auto editor = make();
        editor->decorator<DiagnosticMarks>().setMarks(
            {{1, 1, EditorMark::Error, QStringLiteral("word ").repeated(25), 0}});
        const auto wide = editor->annotation(0).count(u'\n');
        QVERIFY(wide >= 1);
        editor->resize(400, 300);
        QVERIFY(editor->annotation(0).count(u'\n') > wide);
        const QStringList rows =
            wrapText(QStringLiteral("word ").repeated(200), m_look.font(TextRole::Small), 200, 4);
        QCOMPARE(rows.size(), 4);
        QVERIFY(rows.last().endsWith(u'…'));
        QCOMPARE(wrapText(QStringLiteral("a\n b"), m_look.font(TextRole::Small), 200, 4),
                 QStringList{QStringLiteral("a b")});
    }

    void goesFromMarkToMark() {
        const auto editor = make();
        editor->decorator<DiagnosticMarks>().setMarks(
            {{2, 7, EditorMark::Error, {}, 0}, {4, 5, EditorMark::Warning, {}, 0}});
        editor->goTo(1, 1);
        const auto press = [&editor](Qt::KeyboardModifiers modifiers = Qt::NoModifier) {
            QTest::keyClick(editor.get(), Qt::Key_F8, modifiers);
            return editor->cursorPlace();
        };
        QCOMPARE(press(), (EditorPlace{2, 7}));
        QCOMPARE(press(), (EditorPlace{4, 5}));
        QCOMPARE(press(), (EditorPlace{2, 7}));
        QCOMPARE(press(Qt::ShiftModifier), (EditorPlace{4, 5}));
        QCOMPARE(press(Qt::ShiftModifier), (EditorPlace{2, 7}));
        editor->decorator<DiagnosticMarks>().setMarks({});
        QCOMPARE(press(), (EditorPlace{2, 7}));
    }

    void tellsTheWholeMessageInTheTooltip() {
        const auto editor = make();
        editor->decorator<DiagnosticMarks>().setMarks(
            {{1, 1, EditorMark::Warning, QStringLiteral("first"), 0},
             {1, 5, EditorMark::Error, QStringLiteral("second"), 0}});
        QCoreApplication::processEvents();
        const int middle = editor->rowHeight() / 2;
        const auto [left, right] = editor->marginSpan(CodeEditor::SymbolColumn);
        QCOMPARE(editor->decorator<DiagnosticMarks>().toolTip({(left + right) / 2, middle}),
                 QStringLiteral("second\n\nfirst"));
        QCOMPARE(editor->decorator<DiagnosticMarks>().toolTip({right + 3, middle}),
                 QStringLiteral("second\n\nfirst"));
        QCOMPARE(editor->decorator<DiagnosticMarks>().toolTip({right + 300, middle}), QString());
    }
};

QObject *makeTestDiagnosticMarks() {
    return new TestDiagnosticMarks;
}

#include "tst_diagnostic_marks.moc"
