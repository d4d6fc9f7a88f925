// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/editing/changed_lines.h"
#include "tests/toolchain/scratch.h"
#include "toolchain/workspace/head_texts.h"
#include "widgets/editor/change_marks.h"
#include "widgets/editor/code_editor.h"
#include "widgets/editor_setup.h"

#include <QDir>
#include <QProcess>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QStandardPaths>
#include <QTest>

using namespace warpwright;

/// What differs from an earlier text, what it was, and taking it back; and what git's HEAD holds.
class TestChanges : public QObject {
    Q_OBJECT

private:
    Look m_look;

    static QString lines(const char *text) { return QString::fromLatin1(text).replace(u'|', u'\n'); }

    static bool git(const QString &folder, const QStringList &arguments) {
        QProcess process;
        process.setWorkingDirectory(folder);
        process.start(QStringLiteral("git"),
                      QStringList{QStringLiteral("-c"), QStringLiteral("user.name=a"), QStringLiteral("-c"),
                                  QStringLiteral("user.email=a@b")} +
                          arguments);
        return process.waitForFinished() && process.exitCode() == 0;
    }

private slots:
    void init() {
        QTest::failOnWarning(QRegularExpression(QStringLiteral("^(?!This plugin does not support)")));
    }

    void findsWhatWasThere() {
        const auto runs = changedRuns(lines("1|2|3|4|"), lines("1|two|2b|3|"));
        QCOMPARE(runs,
                 (std::vector<ChangedRun>{{2, 2, QStringLiteral("2\n")}, {5, 0, QStringLiteral("4\n")}}));
        QCOMPARE(runAt(runs, 3), &runs[0]);
        QCOMPARE(runAt(runs, 5), &runs[1]);
        QVERIFY(runAt(runs, 4) == nullptr);
    }

    void goesFromChangeToChange() {
        const std::vector<ChangedRun> runs{{2, 2, {}}, {7, 1, {}}};
        QCOMPARE(nextChange(runs, 1, 1), 2);
        QCOMPARE(nextChange(runs, 2, 1), 7);
        QCOMPARE(nextChange(runs, 9, 1), 2);
        QCOMPARE(nextChange(runs, 7, -1), 2);
        QCOMPARE(nextChange(runs, 1, -1), 7);
        QCOMPARE(nextChange({}, 1, 1), 0);
    }

    void takesEachChangeBack_data() {
        QTest::addColumn<QString>("before");
        QTest::addColumn<QString>("after");
        const auto row = [](const char *name, const char *before, const char *after) {
            QTest::newRow(name) << lines(before) << lines(after);
        };
        row("one line", "a|b|c|", "a|B|c|");
        row("two places", "1|2|3|4|5|6|", "one|2|3|4|5|six|");
        row("added in front", "b|", "a|b|");
        row("added behind", "a|", "a|b|");
        row("deleted", "a|b|c|", "a|c|");
        row("deleted at the end", "a|b|", "a|");
        row("the last, without an end, is deleted", "a|b", "a|");
        row("all gone", "a|b|", "");
        row("all new", "", "a|b|");
    }

    void takesEachChangeBack() {
        QFETCH(QString, before);
        QFETCH(QString, after);
        for (auto runs = changedRuns(before, after); !runs.empty(); runs = changedRuns(before, after))
            after = withoutChange(after, runs.back());
        // The end of the last line is no change that can be seen.
        QCOMPARE(after.trimmed(), before.trimmed());
    }

    void revertsInTheEditor() {
        const auto ownedEditor = makeCodeEditor(m_look, nullptr);
        CodeEditor &editor = *ownedEditor;
        editor.setContent(lines("1|2|3|4|"));
        ChangedLines changes(editor);
        changes.setBase(editor.content());
        editor.insertAt(QStringLiteral("x"), 1, 0);
        editor.insertAt(QStringLiteral("y"), 3, 0);
        QTRY_COMPARE(editor.decorator<ChangeMarks>().lines(), (std::vector<int>{2, 4}));
        changes.revertAt(3); // no change there
        changes.revertAt(4);
        QTRY_COMPARE(editor.content(), lines("1|x2|3|4|"));
        editor.undo();
        QCOMPARE(editor.content(), lines("1|x2|3|y4|"));
    }

    void leavesAReadOnlyTextAlone() {
        const auto ownedEditor = makeCodeEditor(m_look, nullptr);
        CodeEditor &editor = *ownedEditor;
        editor.setContent(lines("1|2|"));
        ChangedLines changes(editor);
        changes.setBase(lines("1|two|"));
        QTRY_COMPARE(changes.runs().size(), std::size_t(1));
        editor.setReadOnlyReason(QStringLiteral("locked"));
        QSignalSpy refused(&editor, &CodeEditor::readOnlyRefused);
        changes.revertAt(2);
        QCOMPARE(refused.size(), 1);
        QTest::qWait(50);
        QCOMPARE(editor.content(), lines("1|2|"));
    }

    void choosesWhatItIsComparedWith() {
        const auto ownedEditor = makeCodeEditor(m_look, nullptr);
        CodeEditor &editor = *ownedEditor;
        editor.setContent(lines("1|2|3|"));
        ChangedLines changes(editor);
        changes.setBase(lines("1|2|3|"));
        changes.compareWithHead(lines("one|2|3|"));
        QTRY_COMPARE(editor.decorator<ChangeMarks>().lines(), (std::vector<int>{1}));
        changes.setBase(lines("1|2|three|")); // a check meanwhile does not matter
        QTest::qWait(50);
        QCOMPARE(editor.decorator<ChangeMarks>().lines(), (std::vector<int>{1}));
        changes.compareWithBase();
        QTRY_COMPARE(editor.decorator<ChangeMarks>().lines(), (std::vector<int>{3}));
        changes.compareWithHead({}); // HEAD does not have it
        QTRY_VERIFY(editor.decorator<ChangeMarks>().lines().empty());
    }

    void readsHead() {
        if (QStandardPaths::findExecutable(QStringLiteral("git")).isEmpty())
            QSKIP("git is not here");
        const Scratch scratch;
        scratch.write(QStringLiteral("top/space/kernels/a.cu"), "old\n");
        const QString folder = scratch.path(QStringLiteral("top/space"));
        const QStringList files{QStringLiteral("kernels/a.cu"), QStringLiteral("kernels/b.cu")};
        QVERIFY(!textsAtHead(folder, files).hasValue());
        QVERIFY(git(scratch.path(QStringLiteral("top")), {QStringLiteral("init"), QStringLiteral("-q")}));
        const auto unborn = textsAtHead(folder, files);
        QVERIFY(!unborn.hasValue());
        QVERIFY2(unborn.message().contains(QLatin1String("no commit")), qPrintable(unborn.message()));
        QVERIFY(git(folder, {QStringLiteral("add"), QStringLiteral("-A")}));
        QVERIFY(git(folder, {QStringLiteral("commit"), QStringLiteral("-qm"), QStringLiteral("a")}));
        scratch.write(QStringLiteral("top/space/kernels/a.cu"), "new\n");
        scratch.write(QStringLiteral("top/space/kernels/b.cu"), "untracked\n");
        const auto head = textsAtHead(folder, files);
        QVERIFY2(head.hasValue(), qPrintable(head.hasValue() ? QString() : head.message()));
        QCOMPARE(head.value().texts, (QHash<QString, QByteArray>{{files[0], "old\n"}}));
        QCOMPARE(head.value().commit.size(), 40);
    }
};

QObject *makeTestChanges() {
    return new TestChanges;
}

#include "tst_changes.moc"
