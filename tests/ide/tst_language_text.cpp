// SPDX-License-Identifier: GPL-3.0-or-later
// Between what a language server says and an editor's text.
#include "app/ide/language/editor_completion.h"
#include "app/ide/language/language_marks.h"
#include "app/ide/language/place_trail.h"
#include "app/ide/language/symbol_rename.h"
#include "app/ide/language/text_format.h"
#include "app/ide/language/text_places.h"
#include "toolchain/text/character_column.h"
#include "widgets/editor/code_editor.h"
#include "widgets/editor/diagnostic_marks.h"
#include "widgets/editor_setup.h"

#include <QElapsedTimer>
#include <QRegularExpression>
#include <QTest>

using namespace warpwright;

class TestLanguageText : public QObject {
    Q_OBJECT

private:
    Look m_look;

    [[nodiscard]] std::unique_ptr<CodeEditor> make(const QString &text) const {
        auto editor = makeCodeEditor(m_look, nullptr);
        editor->setLanguage(CodeEditor::Language::Cuda);
        editor->setContent(text);
        editor->resize(600, 300);
        editor->show();
        return editor;
    }

private slots:
    void init() {
        QTest::failOnWarning(QRegularExpression(QStringLiteral("^(?!This plugin does not support)")));
    }

    void countsUnitsOfUtf16_data() {
        QTest::addColumn<TextPlace>("place");
        QTest::addColumn<int>("position"); // in bytes of "a\u00b5\U0001F600b\nsecond"
        QTest::addColumn<TextPlace>("back");
        QTest::newRow("begin") << TextPlace{1, 1} << 0 << TextPlace{1, 1};
        QTest::newRow("behind two bytes") << TextPlace{1, 3} << 3 << TextPlace{1, 3};
        QTest::newRow("behind a pair") << TextPlace{1, 5} << 7 << TextPlace{1, 5};
        QTest::newRow("line end") << TextPlace{1, 6} << 8 << TextPlace{1, 6};
        QTest::newRow("beyond the line") << TextPlace{1, 60} << 8 << TextPlace{1, 6};
        QTest::newRow("next line") << TextPlace{2, 2} << 10 << TextPlace{2, 2};
        QTest::newRow("text end") << TextPlace{2, 7} << 15 << TextPlace{2, 7};
        QTest::newRow("beyond the text") << TextPlace{9, 1} << 15 << TextPlace{2, 7};
    }
    void countsUnitsOfUtf16() {
        QFETCH(TextPlace, place);
        const auto editor = make(QString::fromUtf8("a\u00b5\U0001F600b\nsecond"));
        const long position = positionOf(*editor, place);
        QTEST(static_cast<int>(position), "position");
        QTEST(placeOf(*editor, position), "back");
    }

    void saysColumnsInCharacters_data() {
        QTest::addColumn<int>("column"); // in units of "a\u00b5\U0001F600b\r\n"
        QTest::addColumn<int>("character");
        QTest::newRow("before the line") << 0 << 1;
        QTest::newRow("behind two bytes") << 3 << 3;
        QTest::newRow("within a pair") << 4 << 4;
        QTest::newRow("behind a pair") << 5 << 4;
        QTest::newRow("line end") << 6 << 5;
        QTest::newRow("beyond the line") << 60 << 5;
    }
    void saysColumnsInCharacters() {
        QFETCH(int, column);
        QTEST(characterColumn(QString::fromUtf8("a\u00b5\U0001F600b\r\n"), column), "character");
    }

    void knowsCommentsAndStrings_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<bool>("isIn");
        QTest::newRow("code") << QStringLiteral("int abc") << false;
        QTest::newRow("line comment") << QStringLiteral("int a; // abc") << true;
        QTest::newRow("block comment") << QStringLiteral("/* x\n abc") << true;
        QTest::newRow("string") << QStringLiteral("f(\"abc") << true;
        QTest::newRow("behind a string") << QStringLiteral("f(\"abc\", x") << false;
        QTest::newRow("begin") << QString() << false;
    }
    void knowsCommentsAndStrings() {
        QFETCH(QString, text);
        const auto editor = make({});
        editor->insertAt(text, 0, 0); // not drawn yet
        QTEST(isProse(*editor, editor->sci(QsciScintillaBase::SCI_GETLENGTH)), "isIn");
    }

    void replacesInOneStep() {
        const auto editor = make(QStringLiteral("one two\nthree\nfour\n"));
        editor->goTo(3, 3);
        replaceIn(*editor, {{{{1, 1}, {1, 4}}, QStringLiteral("1")},
                            {{{1, 5}, {1, 8}}, QStringLiteral("2\n2b")},
                            {{{2, 1}, {3, 1}}, QString()}});
        QCOMPARE(editor->content(), QStringLiteral("1 2\n2b\nfour\n"));
        QCOMPARE(editor->cursorPlace(), (EditorPlace{3, 3}));
        editor->undo();
        QCOMPARE(editor->content(), QStringLiteral("one two\nthree\nfour\n"));
        QVERIFY(!editor->isUndoAvailable());
        editor->setReadOnlyReason(QStringLiteral("no"));
        replaceIn(*editor, {{{{1, 1}, {1, 4}}, QStringLiteral("1")}});
        QCOMPARE(editor->content(), QStringLiteral("one two\nthree\nfour\n"));
    }

    void replacesManyQuickly() {
        QString text;
        std::vector<TextReplacement> many;
        for (int i = 1; i <= 500; ++i) {
            text += QStringLiteral("    float value = input[row * columns + column]; // of the row\n");
            many.push_back({{{i, 11}, {i, 16}}, QStringLiteral("other")});
        }
        const auto editor = make(text);
        QElapsedTimer timer;
        timer.start();
        replaceIn(*editor, many);
        const qint64 spent = timer.elapsed();
        QCOMPARE(editor->content().count(QStringLiteral("other")), 500);
        QVERIFY2(spent < 1000, qPrintable(QString::number(spent))); // a debug build on a busy machine
    }

    void laysAWholeTextOut() {
        // Some servers give the whole text back for a few blanks.
        const auto editor = make(QStringLiteral("a\n  b\nc\n"));
        editor->decorator<DiagnosticMarks>().setMarks(
            {{3, 1, EditorMark::Warning, QStringLiteral("stays"), 0}});
        editor->goTo(3, 2);
        layOut(*editor, {{{{1, 1}, {4, 1}}, QStringLiteral("a\nb\nc\n")}});
        QCOMPARE(editor->content(), QStringLiteral("a\nb\nc\n"));
        QCOMPARE(editor->cursorPlace(), (EditorPlace{3, 2}));
        QCOMPARE(editor->decorator<DiagnosticMarks>().marks().front().line, 3);
        editor->undo();
        QCOMPARE(editor->content(), QStringLiteral("a\n  b\nc\n"));
    }

    void putsTheBestFirst() {
        const auto item = [](const char *label) {
            CompletionItem made;
            made.label = QString::fromLatin1(label);
            return made;
        };
        const std::vector<CompletionItem> items{item("cudaLoad"), item("load"), item("loadRow"), item("Load"),
                                                item("grid")};
        QCOMPARE(fittingItems(items, QStringLiteral("load")), (std::vector<std::size_t>{1, 2, 3, 0}));
        QCOMPARE(fittingItems(items, {}).size(), items.size());
        QCOMPARE(fittingItems(std::vector<CompletionItem>(5000, item("x")), {}).size(), std::size_t(200));
        std::vector<CompletionItem> far{item("Load"), item("load"), item("cudaLoad")};
        far[1].isFar = true;
        QCOMPARE(fittingItems(far, QStringLiteral("load")), (std::vector<std::size_t>{0, 2, 1}));
        // Where a member is meant keywords come last, even one that fits better.
        std::vector<CompletionItem> members{item("template"), item("x"), item("templates")};
        members[0].kind = SymbolKind::Keyword;
        QCOMPARE(fittingItems(members, {}), (std::vector<std::size_t>{0, 1, 2}));
        QCOMPARE(fittingItems(members, {}, true), (std::vector<std::size_t>{1, 2, 0}));
        QCOMPARE(fittingItems(members, QStringLiteral("template"), true), (std::vector<std::size_t>{2, 0}));
    }

    void marksWithTheServersName() {
        LanguageDiagnostic one;
        one.range = {{3, 5}, {3, 9}};
        one.severity = LanguageDiagnostic::Severity::Warning;
        one.message = QStringLiteral("unused");
        LanguageDiagnostic two = one;
        two.range.to = {4, 1};
        two.code = QStringLiteral("-Wunused");
        const std::vector<EditorMark> marks = marksOf({one, two}, QStringLiteral("clangd"));
        QCOMPARE(marks.size(), std::size_t(2));
        QCOMPARE(marks[0],
                 (EditorMark{3, 5, EditorMark::Warning, QStringLiteral("clangd: unused"), 9, true}));
        QCOMPARE(marks[1], (EditorMark{3, 5, EditorMark::Warning, QStringLiteral("clangd: unused [-Wunused]"),
                                       0, true}));
        QCOMPARE(marksOf(std::vector<LanguageDiagnostic>(999, one), {}).size(), std::size_t(200));
    }

    void knowsTheWayBack() {
        const auto at = [](int line) {
            return StoodAt{QStringLiteral("/a.cu"), line, 1};
        };
        PlaceTrail trail;
        QVERIFY(!trail.back(at(1)));
        trail.leave(at(1));
        trail.leave(at(2));
        trail.leave(at(2)); // the same line once
        QCOMPARE(trail.back(at(3)), at(2));
        QCOMPARE(trail.back(at(2)), at(1));
        QVERIFY(!trail.hasBack());
        QCOMPARE(trail.forward(at(1)), at(2));
        QCOMPARE(trail.forward(at(2)), at(3));
        QVERIFY(!trail.hasForward());
        QCOMPARE(trail.back(at(3)), at(2));
        trail.leave(at(9)); // another way: what lay forward is gone
        QVERIFY(!trail.hasForward());
        for (int i = 0; i < 300; ++i)
            trail.leave(at(100 + i));
        int steps = 0;
        while (trail.back(at(1)))
            ++steps;
        QCOMPARE(steps, 100);
    }

    void knowsNames_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<bool>("isGood");
        QTest::newRow("a name") << QStringLiteral("rowSum_2") << true;
        QTest::newRow("begins with a digit") << QStringLiteral("2rows") << false;
        QTest::newRow("two words") << QStringLiteral("row sum") << false;
        QTest::newRow("empty") << QString() << false;
        QTest::newRow("a sign") << QStringLiteral("row-sum") << false;
    }
    void knowsNames() {
        QFETCH(QString, name);
        QTEST(whyNoName(name).isEmpty(), "isGood");
    }
};

QObject *makeTestLanguageText() {
    return new TestLanguageText;
}

#include "tst_language_text.moc"
