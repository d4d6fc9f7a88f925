// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/editing/line_edits.h"
#include "widgets/editor/code_editor.h"
#include "widgets/editor_setup.h"

#include <QRegularExpression>
#include <QTest>

using namespace warpwright;

class TestLineEdits : public QObject {
    Q_OBJECT

private slots:
    void init() {
        QTest::failOnWarning(QRegularExpression(QStringLiteral("^(?!This plugin does not support)")));
    }

    void makesOneTextOfTheOther_data() {
        QTest::addColumn<QString>("before");
        QTest::addColumn<QString>("after");
        QTest::addColumn<int>("edits"); // -1: any number
        const auto row = [](const char *name, const char *before, const char *after, int edits) {
            QTest::newRow(name) << QString::fromLatin1(before).replace(u'|', u'\n')
                                << QString::fromLatin1(after).replace(u'|', u'\n') << edits;
        };
        row("same", "a|b|", "a|b|", 0);
        row("both empty", "", "", 0);
        row("from nothing", "", "a|b|", -1);
        row("to nothing", "a|b|", "", -1);
        row("one line", "a|b|c|", "a|B|c|", 1);
        row("two places", "1|2|3|4|5|6|", "one|2|3|4|5|six|", 2);
        row("added in front", "b|", "a|b|", 1);
        row("added behind", "a|", "a|b|", 1);
        row("deleted", "a|b|c|", "a|c|", 1);
        row("last line end added", "a|b", "a|b|", 1);
        row("last line end removed", "a|b|", "a|b", 1);
        row("added behind a line without an end", "a", "a|b", -1);
        row("last line deleted", "a|b", "a|", -1);
        row("last line changed and its end added", "a|b|c", "a|b|C|", -1);
        row("first line and the last end", "a|b|c", "A|b|c|", 2);
        row("lone carriage returns", "a\rb\rc|", "a\rB\rc|", 1);
        row("carriage returns in pairs", "a\r|b\r|", "a\r|B|", 1);
        row("blank lines", "||a|||", "|a||||b", -1);
    }

    void makesOneTextOfTheOther() {
        QFETCH(QString, before);
        QFETCH(QString, after);
        QFETCH(int, edits);
        const auto found = lineEdits(before, after);
        QCOMPARE(withEdits(before, found), after);
        if (edits >= 0)
            QCOMPARE(static_cast<int>(found.size()), edits);
        // The editor, which counts lines in its own way, comes to the same.
        Look look;
        const auto ownedEditor = makeCodeEditor(look, nullptr);
        CodeEditor &editor = *ownedEditor;
        editor.setContent(before);
        editor.applyEdits(found);
        QCOMPARE(editor.content(), after);
        editor.undo();
        QCOMPARE(editor.content(), before);
    }
};

QObject *makeTestLineEdits() {
    return new TestLineEdits;
}

#include "tst_line_edits.moc"
