// SPDX-License-Identifier: GPL-3.0-or-later
// What is said while a person types, beside what compilers said of the saved text.
#include "widgets/editor/code_editor.h"
#include "widgets/editor/diagnostic_marks.h"
#include "widgets/editor_setup.h"

#include <QRegularExpression>
#include <QTest>

using namespace warpwright;

class TestLiveMarks : public QObject {
    Q_OBJECT

private:
    Look m_look;

    [[nodiscard]] std::unique_ptr<CodeEditor> make() const {
        auto editor = makeCodeEditor(m_look, nullptr);
        editor->setContent(QStringLiteral("one\ntwo\nthree\nfour\n"));
        editor->resize(600, 300);
        editor->show();
        return editor;
    }
    static QStringList said(const CodeEditor &editor) {
        QStringList all;
        for (const EditorMark &mark : editor.decorator<DiagnosticMarks>().marks())
            all << QStringLiteral("%1 %2").arg(mark.line).arg(mark.text);
        return all;
    }

private slots:
    void init() {
        QTest::failOnWarning(QRegularExpression(QStringLiteral("^(?!This plugin does not support)")));
    }

    void areTakenByThemselves() {
        const auto editor = make();
        editor->decorator<DiagnosticMarks>().setMarks({{1, 1, EditorMark::Error, QStringLiteral("nvcc"), 0}});
        editor->decorator<DiagnosticMarks>().setLiveMarks(
            {{3, 1, EditorMark::Warning, QStringLiteral("live"), 0}}, true);
        QCOMPARE(said(*editor), (QStringList{QStringLiteral("1 nvcc"), QStringLiteral("3 live")}));
        editor->decorator<DiagnosticMarks>().setMarks(
            {{2, 1, EditorMark::Error, QStringLiteral("other"), 0}});
        QCOMPARE(said(*editor), (QStringList{QStringLiteral("2 other"), QStringLiteral("3 live")}));
        editor->decorator<DiagnosticMarks>().setLiveMarks({}, true);
        QCOMPARE(said(*editor), QStringList{QStringLiteral("2 other")});
        // Both move with the text.
        editor->decorator<DiagnosticMarks>().setLiveMarks(
            {{3, 1, EditorMark::Warning, QStringLiteral("live"), 0}}, true);
        editor->insertAt(QStringLiteral("zero\n"), 0, 0);
        editor->decorator<DiagnosticMarks>().setMarks(
            {{2, 1, EditorMark::Error, QStringLiteral("other"), 0}});
        QCOMPARE(said(*editor), (QStringList{QStringLiteral("2 other"), QStringLiteral("4 live")}));
    }

    void showNoDoubles_data() {
        QTest::addColumn<bool>("isNewer");
        QTest::addColumn<QStringList>("shown");
        QTest::newRow("the compiler's stays for the same text")
            << false << QStringList{QStringLiteral("1 nvcc"), QStringLiteral("1 live warning")};
        QTest::newRow("of a newer text the live one counts")
            << true << QStringList{QStringLiteral("1 live"), QStringLiteral("1 live warning")};
    }
    void showNoDoubles() {
        QFETCH(bool, isNewer);
        const auto editor = make();
        editor->decorator<DiagnosticMarks>().setMarks({{1, 1, EditorMark::Error, QStringLiteral("nvcc"), 0}});
        editor->decorator<DiagnosticMarks>().setLiveMarks(
            {{1, 1, EditorMark::Error, QStringLiteral("live"), 0},
             {1, 1, EditorMark::Warning, QStringLiteral("live warning"), 0}},
            isNewer);
        QTEST(said(*editor), "shown");
        // Compiled anew it is the newest.
        editor->decorator<DiagnosticMarks>().setMarks({{1, 1, EditorMark::Error, QStringLiteral("nvcc"), 0}});
        QCOMPARE(said(*editor), (QStringList{QStringLiteral("1 nvcc"), QStringLiteral("1 live warning")}));
        // What was hidden comes back when the other one is gone.
        editor->decorator<DiagnosticMarks>().setMarks({});
        QCOMPARE(said(*editor), (QStringList{QStringLiteral("1 live"), QStringLiteral("1 live warning")}));
    }

    void putNothingBelowTheLine() {
        const auto editor = make();
        const auto rowsBelow = [&editor] {
            return editor->sci(QsciScintillaBase::SCI_ANNOTATIONGETLINES, 0);
        };
        editor->decorator<DiagnosticMarks>().setLiveMarks(
            {{1, 1, EditorMark::Error, QStringLiteral("live"), 0}}, true);
        QCOMPARE(rowsBelow(), 0L);
        editor->decorator<DiagnosticMarks>().setMarks({{1, 1, EditorMark::Error, QStringLiteral("nvcc"), 0}});
        QCOMPARE(rowsBelow(), 1L);
    }
};

QObject *makeTestLiveMarks() {
    return new TestLiveMarks;
}

#include "tst_live_marks.moc"
