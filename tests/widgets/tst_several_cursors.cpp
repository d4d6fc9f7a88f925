// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/editor/code_editor.h"
#include "widgets/editor/editor_commands.h"
#include "widgets/editor_setup.h"

#include <QApplication>
#include <QClipboard>
#include <QRegularExpression>
#include <QTest>

#include <algorithm>

using namespace warpwright;

/// Undo of what several cursors do at once: one step as with one cursor, and all of them are back.
class TestSeveralCursors : public QObject {
    Q_OBJECT

private:
    Look m_look;

    std::unique_ptr<CodeEditor> make(const QString &text) {
        auto editor = makeCodeEditor(m_look, nullptr);
        editor->setLanguage(CodeEditor::Language::Cuda);
        editor->setContent(text);
        editor->resize(600, 300);
        editor->show();
        return editor;
    }

    static QString lines(const char *text) { return QString::fromUtf8(text).replace(u'|', u'\n'); }

    /// «<» is Backspace.
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

    void aStepAtSeveralCursorsBringsThemBack_data() {
        QTest::addColumn<QString>("keys"); // as type() takes them; «v» pastes, «d» is Delete
        QTest::addColumn<QString>("after");
        QTest::newRow("a word") << "abc" << lines("int abc;|int abc;|int abc;|");
        QTest::newRow("back") << "<<" << lines("in;|in;|in;|");
        QTest::newRow("forth") << "dd" << lines("int |int |int |"); // Scintilla joins no lines at several
        QTest::newRow("lines") << lines("|") << lines("int |;|int |;|int |;|");
        QTest::newRow("pasted") << "v" << lines("int long;|int long;|int long;|");
    }
    void aStepAtSeveralCursorsBringsThemBack() {
        QFETCH(QString, keys);
        QFETCH(QString, after);
        using Sci = QsciScintillaBase;
        const QString before = lines("int ;|int ;|int ;|");
        const auto editor = make(before);
        QApplication::clipboard()->setText(QStringLiteral("long"));
        editor->setCursorPosition(0, 4);
        editor->decorator<EditorCommands>().addCaretBelow();
        editor->decorator<EditorCommands>().addCaretBelow();
        const auto carets = [&editor] {
            std::vector<long> places;
            for (long n = 0; n < editor->sci(Sci::SCI_GETSELECTIONS); ++n)
                places.push_back(editor->sci(Sci::SCI_GETSELECTIONNCARET, n));
            std::sort(places.begin(), places.end());
            return places;
        };
        const std::vector<long> were = carets();
        QCOMPARE(were, (std::vector<long>{4, 10, 16}));
        for (const QChar key : keys) {
            if (key == u'v')
                QTest::keyClick(editor.get(), Qt::Key_V, Qt::ControlModifier);
            else if (key == u'd')
                QTest::keyClick(editor.get(), Qt::Key_Delete);
            else
                type(*editor, key);
        }
        QCOMPARE(editor->content(), after);
        const std::vector<long> are = carets();
        for (int turn = 0; turn < 2; ++turn) {
            QTest::keyClick(editor.get(), Qt::Key_Z, Qt::ControlModifier);
            QTRY_COMPARE(editor->content(), before);
            QTRY_COMPARE(carets(), were);
            QVERIFY(!editor->isUndoAvailable());
            QTest::keyClick(editor.get(), Qt::Key_Y, Qt::ControlModifier);
            QTRY_COMPARE(editor->content(), after);
            QTRY_COMPARE(carets(), are);
        }
    }

    // What replaced words that were selected: they are selected again, and can be typed over anew.
    void undoSelectsAgainWhatWasTypedOver() {
        const auto editor = make(QStringLiteral("sum = sum + sum;\n"));
        for (int i = 0; i < 3; ++i)
            QTest::keyClick(editor.get(), Qt::Key_D, Qt::ControlModifier);
        type(*editor, QStringLiteral("all"));
        QCOMPARE(editor->content(), QStringLiteral("all = all + all;\n"));
        QTest::keyClick(editor.get(), Qt::Key_Z, Qt::ControlModifier);
        QTRY_COMPARE(editor->content(), QStringLiteral("sum = sum + sum;\n"));
        QTRY_COMPARE(editor->sci(QsciScintillaBase::SCI_GETSELECTIONS), 3L);
        QCoreApplication::processEvents();
        type(*editor, QStringLiteral("x"));
        QCOMPARE(editor->content(), QStringLiteral("x = x + x;\n"));
    }

    // Typed, deleted and typed again are three steps, as with one cursor.
    void otherKeysAtSeveralCursorsAreOtherSteps() {
        const auto editor = make(lines("a|a|"));
        editor->setCursorPosition(0, 1);
        editor->decorator<EditorCommands>().addCaretBelow();
        type(*editor, QStringLiteral("xyz<<u"));
        QCOMPARE(editor->content(), lines("axu|axu|"));
        for (const char *step : {"ax|ax|", "axyz|axyz|", "a|a|"}) {
            QTest::keyClick(editor.get(), Qt::Key_Z, Qt::ControlModifier);
            QTRY_COMPARE(editor->content(), lines(step));
            QCoreApplication::processEvents();
        }
        QVERIFY(!editor->isUndoAvailable());
    }
};

QObject *makeTestSeveralCursors() {
    return new TestSeveralCursors;
}

#include "tst_several_cursors.moc"
