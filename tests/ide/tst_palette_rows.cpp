// SPDX-License-Identifier: GPL-3.0-or-later
// What can be gone to: files, iterations and actions as rows of the palette, and recent workspaces.
#include "app/ide/finding/action_words.h"
#include "app/ide/finding/palette_rows.h"
#include "app/ide/finding/recent_menu.h"
#include "app/ide/finding/workspace_files.h"
#include "app/ide/kit/actions.h"
#include "tests/toolchain/scratch.h"
#include "widgets/popups/palette_model.h"

#include <QFile>
#include <QMenu>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QTest>

using namespace warpwright;

namespace {

IterationRecord iteration(int number, const QString &note) {
    IterationRecord record;
    record.iteration.number = number;
    record.iteration.note = note;
    return record;
}

} // namespace

class TestPaletteRows : public QObject {
    Q_OBJECT

private slots:
    void init() {
        QTest::failOnWarning(QRegularExpression(QStringLiteral("^(?!This plugin does not support)")));
    }

    void listsTheTextsOfAFolder() {
        const Scratch scratch;
        scratch.writeModel(QStringLiteral("w"));
        for (const char *name :
             {"w/README.md", "w/kernels/a.cu", "w/kernels/deep/b.cuh", "w/.hidden/c.py", "w/__pycache__/d.py",
              "w/kernels/a.o", "w/picture.png", "w/.warpwright/e.txt"})
            scratch.write(QString::fromLatin1(name), "text\n");
        scratch.write(QStringLiteral("w/.warpwright/task.json"), "{}\n");
        scratch.write(QStringLiteral("w/large.txt"), QByteArray(2 << 20, 'x'));
        QVERIFY(QFile::link(scratch.path(QStringLiteral("w/README.md")),
                            scratch.path(QStringLiteral("w/link.md"))));
        const Result<Workspace> workspace =
            Workspace::open(scratch.path(QStringLiteral("w")), scratch.folders());
        QVERIFY2(workspace.hasValue(), qPrintable(workspace.message()));
        QCOMPARE(workspaceFiles(workspace.value()),
                 QStringList({".warpwright/task.json", "README.md", "kernels/a.cu", "kernels/deep/b.cuh",
                              "model.py"}));
    }

    void filesThatWereUsedComeFirst() {
        const auto rows = fileRows({"README.md", "kernels/a.cu", "kernels/b.cu", "model.py"},
                                   {"kernels/b.cu", "gone.cu", "kernels/a.cu"}, QStringLiteral("model.py"));
        QStringList names;
        for (const PaletteRow &row : rows)
            names << row.name + QLatin1Char('|') + row.behind;
        QCOMPARE(names, QStringList({"b.cu|kernels", "a.cu|kernels", "README.md|read-only",
                                     "model.py|reference, read-only"}));
        QCOMPARE(paletteTarget(rows.front().id).name, QStringLiteral("kernels/b.cu"));
        QCOMPARE(paletteTarget(rows.front().id).kind, PaletteTarget::File);
    }

    void iterationsComeNewestFirst() {
        const auto rows =
            iterationRows(*makeIterationTree({iteration(1, "First"), iteration(12, "Fuse the rows")}));
        QCOMPARE(rows.size(), 2U);
        QCOMPARE(rows[0].name, QStringLiteral("12  Fuse the rows"));
        QVERIFY(!rows[0].behind.isEmpty()); // its verdict
        QCOMPARE(paletteTarget(rows[0].id).kind, PaletteTarget::Iteration);
        QCOMPARE(paletteTarget(rows[0].id).number, 12);
    }

    void actionsAreRowsWithTheirReason() {
        Actions actions;
        Actions::setReason(actions.stop, QStringLiteral("nothing runs"));
        const auto rows = actionRows({actions.check, actions.stop});
        QCOMPARE(rows[0].whyDisabled, QString());
        QCOMPARE(rows[0].key, QStringLiteral("F5"));
        QCOMPARE(rows[1].whyDisabled, QStringLiteral("nothing runs"));
        QCOMPARE(paletteTarget(rows[1].id).name, QStringLiteral("stop"));
    }

    void actionsAreFoundByTheWordsOfTheField_data() {
        QTest::addColumn<QString>("typed");
        QTest::addColumn<QString>("action");
        const auto add = [](const char *typed, const char *action) {
            QTest::newRow(typed) << QString::fromLatin1(typed) << QString::fromLatin1(action);
        };
        add("autotune", "sweepConfigs");
        add("benchmark", "check");
        add("maximize", "enlargeCandidate");
        add("diff", "compareWithParent");
        add("sandbox", "settings");
        add("preferences", "settings");
        add("zoom", "larger");
        add("split", "swapRows");
        add("undo", "undoDecision");
        add("undo", "undo");
        add("paste", "paste");
        add("clipboard", "copy");
        add("font", "settings");
        add("keyboard", "keyboardShortcuts");
        add("shortcuts", "keyboardShortcuts");
        add("keybindings", "keyboardShortcuts");
        add("full screen", "fullScreen");
        add("save all", "save");
        add("go to line", "goToLine");
        add("export", "share");
        add("theme", "themeDark");
        add("terminal", "openTerminal");
        add("git", "changesSinceHead");
        add("revert", "revertFile");
        add("format", "formatFile");
        add("ablation", "measureHunks");
        add("predict", "bet");
        add("closing picture", "closingPicture");
        add("closing", "closingPicture");
        add("ncu", "collectCounters");
        add("trash", "deleteFile");
        add("working copy", "backToText");
    }

    void actionsAreFoundByTheWordsOfTheField() {
        QFETCH(QString, typed);
        QFETCH(QString, action);
        Actions actions;
        sayOtherNames(actions.all());
        QStringList found;
        for (const FoundRow &row : foundRows(actionRows(actions.all()), typed, false))
            found << paletteTarget(row.row.id).name;
        QVERIFY2(found.contains(action), qPrintable(found.join(QLatin1Char(' '))));
    }

    // Enter takes the first: a switch in its place would show what the person wants to bet on.
    void theBetComesBeforeItsSwitch() {
        Actions actions;
        sayOtherNames(actions.all());
        actions.betsFirst->setText(QStringLiteral("Bet before results: on"));
        Actions::setReason(actions.bet, {});
        const std::vector<FoundRow> found =
            foundRows(actionRows(actions.all()), QStringLiteral("bet"), false);
        QVERIFY(!found.empty());
        QCOMPARE(paletteTarget(found.front().row.id).name, QStringLiteral("bet"));
    }

    void wordsThatAnActionHasStay() {
        Actions actions;
        const QString before = actions.showVerify->property("otherNames").toString();
        QVERIFY(!before.isEmpty());
        sayOtherNames(actions.all());
        QVERIFY(actions.showVerify->property("otherNames").toString().startsWith(before));
    }

    void recentWorkspacesAreInTheMenu() {
        const Scratch scratch;
        QMenu menu;
        QAction first(QStringLiteral("Open"));
        menu.addAction(&first);
        RecentMenu recent(scratch.folders(), &menu, nullptr);
        std::vector<RecentWorkspace> workspaces;
        for (int i = 0; i < 12; ++i) {
            RecentWorkspace one;
            one.path = QStringLiteral("/home/kernels/number-%1").arg(i);
            one.name = QStringLiteral("number-%1").arg(i);
            one.isMissing = i == 1;
            workspaces.push_back(one);
        }
        recent.setOpen(workspaces.front().path);
        recent.show(workspaces);
        QList<QAction *> rows;
        for (QAction *row : menu.actions())
            if (!row->isSeparator())
                rows << row;
        QCOMPARE(rows.size(), 1 + RecentMenu::most + 1); // and the one that clears them
        QVERIFY(!rows[1]->isEnabled() && rows[1]->text().endsWith(QStringLiteral("(open)")));
        QVERIFY(!rows[2]->isEnabled() && rows[2]->text().endsWith(QStringLiteral("(moved or removed)")));
        QVERIFY(rows[3]->isEnabled());
        QSignalSpy asked(&recent, &RecentMenu::openAsked);
        rows[3]->trigger();
        QCOMPARE(asked.size(), 1);
        QCOMPARE(asked.front().front().toString(), workspaces[2].path);
        recent.show({});
        QCOMPARE(menu.actions().back()->text(), QStringLiteral("No workspace was opened before"));
    }

    void theListIsClearedOnTheDiskToo() {
        const Scratch scratch;
        scratch.writeModel(QStringLiteral("w"));
        QVERIFY(RecentWorkspaces(scratch.folders()).opened(scratch.path(QStringLiteral("w"))).hasValue());
        QMenu menu;
        RecentMenu recent(scratch.folders(), &menu, nullptr);
        QTRY_VERIFY(menu.actions().size() == 3); // a line, the workspace, and what clears it
        menu.actions().back()->trigger();
        QTRY_VERIFY(RecentWorkspaces(scratch.folders()).list().empty());
        QTRY_COMPARE(menu.actions().back()->text(), QStringLiteral("No workspace was opened before"));
    }

    void aLongFolderIsShortened() {
        RecentWorkspace one;
        one.name = QStringLiteral("softmax&more");
        one.path = QStringLiteral("/a/very/long/way/to/the/folder/where/all/of/the/kernels/are/kept/softmax");
        const QString words = recentWords(one);
        QVERIFY2(words.startsWith(QStringLiteral("softmax&&more · /a/very")), qPrintable(words));
        QVERIFY(words.endsWith(QStringLiteral("kept/softmax")));
        QVERIFY(words.size() < 70);
    }
};

QObject *makeTestPaletteRows() {
    return new TestPaletteRows;
}

#include "tst_palette_rows.moc"
