// SPDX-License-Identifier: GPL-3.0-or-later
// What is written when a person saves, and what is told of it.
#include "tests/ide/opened_file.h"
#include "widgets/editor/editor_commands.h"
#include "widgets/editor/undo_tokens.h"

#include <QFileInfo>
#include <QRegularExpression>
#include <QTest>

using namespace warpwright;

class TestFileSaving : public QObject {
    Q_OBJECT

private slots:
    void init() {
        QTest::failOnWarning(QRegularExpression(QStringLiteral("^(?!This plugin does not support)")));
    }

    void savesWhatWasTypedAndKeepsUndo() {
        Opened opened;
        QVERIFY(!opened.file->isDirty());
        opened.type(1, QStringLiteral("zero\n"));
        QVERIFY(opened.file->isDirty());
        opened.file->save();
        QVERIFY(opened.saved->wait());
        QCOMPARE(opened.saved->last().value(0).toBool(), true);
        QCOMPARE(textOf(opened.path), "zero\n" + kText);
        QVERIFY(!opened.file->isDirty());
        opened.editor->undo();
        QCOMPARE(opened.editor->content().toUtf8(), kText);
        QVERIFY(opened.file->isDirty());
        opened.file->save();
        QVERIFY(opened.saved->wait());
        QCOMPARE(textOf(opened.path), kText);
        QVERIFY(opened.news->isEmpty());
    }

    void savesNothingWhenThereIsNothing() {
        Opened opened;
        opened.file->save();
        QCOMPARE(opened.saved->size(), 1);
        QCOMPARE(opened.saved->last().value(0).toBool(), false);
    }

    void savesNothingThatTheFileHolds() {
        Opened opened;
        const QDateTime before = QFileInfo(opened.path).lastModified();
        opened.type(1, QStringLiteral("x"));
        opened.editor->setSelection(0, 0, 0, 1);
        opened.editor->removeSelectedText(); // taken back by hand
        QCOMPARE(opened.editor->content().toUtf8(), kText);
        QVERIFY(opened.file->isDirty());
        opened.file->save();
        QCOMPARE(opened.saved->size(), 1); // at once: nothing is written
        QCOMPARE(opened.saved->last().value(0).toBool(), false);
        QVERIFY(!opened.file->isDirty());
        QCOMPARE(QFileInfo(opened.path).lastModified(), before);
    }

    // Whoever compiles what was saved has not seen that text.
    void tellsOfATextThatAnotherProgramWrote_data() {
        QTest::addColumn<QString>("typed");
        QTest::addColumn<QByteArray>("disk");
        QTest::newRow("nobody typed") << QString() << QByteArray("one\nTWO\nthree\nfour\nfive\n");
        QTest::newRow("the same was typed") << QStringLiteral("zero\n") << "zero\n" + kText;
        QTest::newRow("the disk's was taken")
            << QStringLiteral("mine") << QByteArray("theirs\ntwo\nthree\nfour\nfive\n");
    }
    void tellsOfATextThatAnotherProgramWrote() {
        QFETCH(QString, typed);
        QFETCH(QByteArray, disk);
        Opened opened;
        if (!typed.isEmpty())
            opened.type(1, typed);
        opened.writeOutside(disk);
        QTRY_VERIFY(!opened.news->isEmpty() || !opened.conflicts->isEmpty());
        opened.file->takeDisk();
        QCOMPARE(opened.editor->content().toUtf8(), disk);
        QVERIFY(!opened.file->isDirty());
        const QDateTime before = QFileInfo(opened.path).lastModified();
        opened.file->save();
        QCOMPARE(opened.saved->size(), 1); // at once: nothing is written
        QCOMPARE(opened.saved->last().value(0).toBool(), true);
        opened.file->save();
        QCOMPARE(opened.saved->size(), 2);
        QCOMPARE(opened.saved->last().value(0).toBool(), false); // it was told
        QCOMPARE(QFileInfo(opened.path).lastModified(), before);
    }

    void tellsThatItWroteThoughMoreWasTakenBackMeanwhile() {
        Opened opened;
        opened.type(1, QStringLiteral("zero\n"));
        opened.file->save();
        opened.type(1, QStringLiteral("x"));
        opened.editor->setSelection(0, 0, 0, 1);
        opened.editor->removeSelectedText();
        opened.file->save(); // is to follow, and finds nothing to write
        QVERIFY(opened.saved->wait());
        QCOMPARE(opened.saved->size(), 1);
        QCOMPARE(opened.saved->last().value(0).toBool(), true);
        QCOMPARE(textOf(opened.path), "zero\n" + kText);
        QVERIFY(!opened.file->isDirty());
    }

    void undoneIsNotDirty() {
        Opened opened;
        QSignalSpy dirty(opened.file.get(), &EditedFile::dirtyChanged);
        opened.type(1, QStringLiteral("x"));
        opened.editor->undo();
        QVERIFY(!opened.file->isDirty());
        QCOMPARE(dirty.size(), 2);
    }

    // A mark among the steps of undo that comes first: what follows it is a change as any other.
    void savesWhatFollowsAMark_data() {
        QTest::addColumn<QString>("change");
        for (const char *change :
             {"lines are moved", "a line is doubled", "typed at two cursors", "another text is taken",
              "typed behind a decision that changed nothing", "a decision's own text"})
            QTest::newRow(change) << QString::fromLatin1(change);
    }
    void savesWhatFollowsAMark() {
        QFETCH(QString, change);
        Opened opened;
        CodeEditor &editor = *opened.editor;
        if (change == QLatin1String("lines are moved")) {
            editor.decorator<EditorCommands>().moveLinesDown();
        } else if (change == QLatin1String("a line is doubled")) {
            editor.decorator<EditorCommands>().duplicateLines();
        } else if (change == QLatin1String("typed at two cursors")) {
            editor.show();
            editor.decorator<EditorCommands>().addCaretBelow();
            QTest::keyClick(&editor, Qt::Key_X);
            QVERIFY(editor.content().startsWith(QStringLiteral("xone\nxtwo\n")));
        } else if (change == QLatin1String("another text is taken")) {
            opened.file->takeText(QStringLiteral("an earlier\ntext\n"));
        } else if (change == QLatin1String("a decision's own text")) {
            editor.decorator<UndoTokens>().apply(1, {{1, 1, QStringLiteral("ONE\n")}});
            QVERIFY(!opened.file->isDirty()); // whoever decides writes it
            editor.decorator<UndoTokens>().settle();
        } else {
            editor.decorator<UndoTokens>().apply(1, {});
            editor.decorator<UndoTokens>().settle();
            QVERIFY(!opened.file->isDirty());
            opened.type(1, QStringLiteral("zero\n"));
        }
        const QByteArray changed = editor.content().toUtf8();
        QVERIFY(changed != kText);
        QVERIFY(opened.file->isDirty());
        opened.file->save();
        QVERIFY(opened.saved->wait());
        QCOMPARE(textOf(opened.path), changed);
        QVERIFY(!opened.file->isDirty());
        editor.undo();
        QCOMPARE(editor.content().toUtf8(), kText);
        QVERIFY(opened.file->isDirty());
        editor.redo();
        QVERIFY(!opened.file->isDirty());
    }

    void whatIsTakenBackToBeforeAMarkIsNotDirty() {
        Opened opened;
        opened.editor->decorator<EditorCommands>().moveLinesDown();
        QVERIFY(opened.file->isDirty());
        opened.editor->undo();
        QCOMPARE(opened.editor->content().toUtf8(), kText);
        QVERIFY(!opened.file->isDirty());
    }

    // While somebody decides, what is written of it comes by way of the disk; all that is over it is not
    // lost.
    void whatIsTypedWhileADecisionStandsIsDirtyOnceItIsOver() {
        Opened opened;
        opened.editor->decorator<UndoTokens>().apply(1, {{5, 1, QStringLiteral("FIVE\n")}});
        opened.type(1, QStringLiteral("zero\n"));
        const QByteArray written = QByteArray(kText).replace("five", "FIVE");
        opened.writeOutside(written);
        opened.file->expectWritten(written);
        QTRY_COMPARE(opened.file->known().text.toUtf8(), written);
        opened.editor->decorator<UndoTokens>().settle();
        QVERIFY(opened.file->isDirty());
        opened.file->save();
        QVERIFY(opened.saved->wait());
        QCOMPARE(textOf(opened.path), "zero\n" + written);
    }

    void savesAgainWhatIsTypedMeanwhile() {
        Opened opened;
        opened.type(1, QStringLiteral("a\n"));
        opened.file->save();
        opened.type(1, QStringLiteral("b\n"));
        opened.file->save();
        QVERIFY(opened.saved->wait());
        QTRY_VERIFY(!opened.file->isDirty());
        QCOMPARE(textOf(opened.path), "b\na\n" + kText);
    }
};

QObject *makeTestFileSaving() {
    return new TestFileSaving;
}

#include "tst_file_saving.moc"
