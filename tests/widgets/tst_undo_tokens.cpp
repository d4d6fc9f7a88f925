// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/editor/code_editor.h"
#include "widgets/editor/undo_tokens.h"
#include "widgets/editor_setup.h"

#include "widgets/editor/steady_undo.h"

#include <QRegularExpression>
#include <QSignalSpy>
#include <QTest>

using namespace warpwright;

class TestUndoTokens : public QObject {
    Q_OBJECT

private:
    Look m_look;

    std::unique_ptr<CodeEditor> make() {
        auto editor = makeCodeEditor(m_look, nullptr);
        editor->setContent(QStringLiteral("one\ntwo\nthree\n"));
        editor->resize(400, 200);
        editor->show();
        return editor;
    }

    static std::vector<int> told(const QSignalSpy &spy) {
        std::vector<int> tokens;
        for (const QList<QVariant> &call : spy)
            tokens.push_back(call[0].toInt());
        return tokens;
    }

private slots:
    void init() {
        QTest::failOnWarning(QRegularExpression(QStringLiteral("^(?!This plugin does not support)")));
    }

    void aDecisionIsOneStepOfUndo() {
        const auto editor = make();
        QSignalSpy undone(&editor->decorator<UndoTokens>(), &UndoTokens::tokenUndone);
        QSignalSpy redone(&editor->decorator<UndoTokens>(), &UndoTokens::tokenRedone);
        editor->decorator<UndoTokens>().apply(7, {{1, 1, QStringLiteral("first\n")}, {3, 1, QString()}});
        QCOMPARE(editor->content(), QStringLiteral("first\ntwo\n"));
        QTest::keyClick(editor.get(), Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(editor->content(), QStringLiteral("one\ntwo\nthree\n"));
        QTRY_COMPARE(told(undone), std::vector<int>{7});
        QTest::keyClick(editor.get(), Qt::Key_Y, Qt::ControlModifier);
        QCOMPARE(editor->content(), QStringLiteral("first\ntwo\n"));
        QTRY_COMPARE(told(redone), std::vector<int>{7});
        QCOMPARE(undone.size(), 1);
    }

    void keepsItsPlaceAmongWhatAPersonTypes() {
        const auto editor = make();
        QSignalSpy undone(&editor->decorator<UndoTokens>(), &UndoTokens::tokenUndone);
        editor->goTo(2, 1);
        QTest::keyClicks(editor.get(), QStringLiteral("ab"));
        editor->decorator<UndoTokens>().apply(1, {{1, 1, QStringLiteral("1\n")}});
        editor->goTo(3, 1);
        QTest::keyClicks(editor.get(), QStringLiteral("cd"));
        QCOMPARE(editor->content(), QStringLiteral("1\nabtwo\ncdthree\n"));
        QTest::keyClick(editor.get(), Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(editor->content(), QStringLiteral("1\nabtwo\nthree\n"));
        QTest::qWait(1);
        QVERIFY(undone.isEmpty());
        QTest::keyClick(editor.get(), Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(editor->content(), QStringLiteral("one\nabtwo\nthree\n"));
        QTRY_COMPARE(told(undone), std::vector<int>{1});
        QTest::keyClick(editor.get(), Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(editor->content(), QStringLiteral("one\ntwo\nthree\n"));
    }

    void aDecisionWithoutATextIsAStepToo() {
        const auto editor = make();
        QSignalSpy undone(&editor->decorator<UndoTokens>(), &UndoTokens::tokenUndone);
        QSignalSpy redone(&editor->decorator<UndoTokens>(), &UndoTokens::tokenRedone);
        editor->decorator<UndoTokens>().apply(1, {{1, 1, QStringLiteral("1\n")}});
        editor->decorator<UndoTokens>().apply(2, {});
        QTest::keyClick(editor.get(), Qt::Key_Z, Qt::ControlModifier);
        QTRY_COMPARE(told(undone), std::vector<int>{2});
        QCOMPARE(editor->content(), QStringLiteral("1\ntwo\nthree\n"));
        QTest::keyClick(editor.get(), Qt::Key_Z, Qt::ControlModifier);
        QTRY_COMPARE(told(undone), (std::vector<int>{2, 1}));
        QCOMPARE(editor->content(), QStringLiteral("one\ntwo\nthree\n"));
        QTest::keyClick(editor.get(), Qt::Key_Y, Qt::ControlModifier);
        QTest::keyClick(editor.get(), Qt::Key_Y, Qt::ControlModifier);
        QTRY_COMPARE(told(redone), (std::vector<int>{1, 2}));
    }

    void whoHearsMayChangeTheText() {
        const auto editor = make();
        connect(&editor->decorator<UndoTokens>(), &UndoTokens::tokenUndone, this, [&editor](int token) {
            editor->decorator<UndoTokens>().apply(token + 1, {{3, 1, QString()}});
        });
        editor->decorator<UndoTokens>().apply(1, {{1, 1, QStringLiteral("1\n")}});
        QTest::keyClick(editor.get(), Qt::Key_Z, Qt::ControlModifier);
        QTRY_COMPARE(editor->content(), QStringLiteral("one\ntwo\n"));
    }

    // As a layout does it: from the first line to the last.
    void aStepOfTheWholeTextLeavesTheView() {
        const auto editor = make();
        const QString text = QStringLiteral("    line\n").repeated(400);
        editor->setContent(text);
        editor->goTo(200, 7);
        editor->sci(QsciScintillaBase::SCI_SETFIRSTVISIBLELINE, 196);
        QSignalSpy told(&editor->decorator<UndoTokens>(), &UndoTokens::tokenUndone);
        std::vector<LineEdit> edits;
        for (int line = 1; line <= 400; line += 2)
            edits.push_back({line, 1, QStringLiteral("  line\n")});
        editor->decorator<SteadyUndo>().begin();
        editor->applyEdits(edits);
        editor->decorator<SteadyUndo>().end();
        QVERIFY(editor->content() != text);
        const auto shown = [&editor] {
            return editor->viewState().firstLine;
        };
        QCOMPARE(shown(), 197);
        for (const auto key : {Qt::Key_Z, Qt::Key_Y, Qt::Key_Z}) {
            QTest::keyClick(editor.get(), key, Qt::ControlModifier);
            QTRY_COMPARE(shown(), 197);
            QCOMPARE(editor->cursorPlace().line, 200);
        }
        QCOMPARE(editor->content(), text); // by one step
        QVERIFY(told.isEmpty());
        // What was typed is gone to, as ever.
        editor->goTo(1, 1);
        QTest::keyClicks(editor.get(), QStringLiteral("x"));
        editor->goTo(300, 1);
        QTest::keyClick(editor.get(), Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(editor->cursorPlace().line, 1);
    }

    void anotherDocumentForgetsThem() {
        const auto editor = make();
        QSignalSpy undone(&editor->decorator<UndoTokens>(), &UndoTokens::tokenUndone);
        editor->decorator<UndoTokens>().apply(1, {});
        editor->setContent(QStringLiteral("else"));
        QTest::keyClick(editor.get(), Qt::Key_Z, Qt::ControlModifier);
        QTest::qWait(1);
        QVERIFY(undone.isEmpty());
        QCOMPARE(editor->content(), QStringLiteral("else"));
    }
};

QObject *makeTestUndoTokens() {
    return new TestUndoTokens;
}

#include "tst_undo_tokens.moc"
