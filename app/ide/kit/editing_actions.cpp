// SPDX-License-Identifier: GPL-3.0-or-later
// The acts of writing in actions.h: lines, cursors, changes, files beside each other, a shell.
#include "app/ide/kit/actions.h"

#include <QActionGroup>

namespace warpwright {

// Texts have these keys by themselves, each where it is: here they are for the menu and the palette to show.
void Actions::addText() {
    const QString edit = tr("Edit");
    const auto addText = [this, &edit](const char *name, const QString &text, const char *icon,
                                       const char *key) {
        QAction *action = add(name, edit, text, icon, QString::fromLatin1(key));
        action->setShortcutContext(Qt::WidgetShortcut);
        action->setProperty("isKeyOfTexts", true);
    };
    addText("undo", tr("Undo"), "undo", "Ctrl+Z");
    addText("redo", tr("Redo"), "next", "Ctrl+Shift+Z");
    addText("cut", tr("Cut"), "minus", "Ctrl+X");
    addText("copy", tr("Copy"), "copy", "Ctrl+C");
    addText("paste", tr("Paste"), "plus", "Ctrl+V");
    addText("selectAll", tr("Select all"), "line", "Ctrl+A");
}

void Actions::addEditing() {
    const QString edit = tr("Edit");
    moveLinesUp = add("moveLinesUp", edit, tr("Move lines up"), "prev", QStringLiteral("Ctrl+Shift+Up"));
    moveLinesDown =
        add("moveLinesDown", edit, tr("Move lines down"), "next", QStringLiteral("Ctrl+Shift+Down"));
    duplicateLines =
        add("duplicateLines", edit, tr("Duplicate lines"), "copy", QStringLiteral("Alt+Shift+D"));
    deleteLines = add("deleteLines", edit, tr("Delete lines"), "minus", QStringLiteral("Ctrl+Shift+K"));
    joinLines = add("joinLines", edit, tr("Join lines"), "minus", QStringLiteral("Ctrl+J"));
    indentLines = add("indentLines", edit, tr("Indent lines"), "chevron-right", QStringLiteral("Ctrl+]"));
    dedentLines = add("dedentLines", edit, tr("Dedent lines"), "chevron-left", QStringLiteral("Ctrl+["));
    caretAbove = add("caretAbove", edit, tr("One more cursor above"), "plus", QStringLiteral("Alt+Shift+Up"));
    caretBelow =
        add("caretBelow", edit, tr("One more cursor below"), "plus", QStringLiteral("Alt+Shift+Down"));
    for (QAction *action : {caretAbove, caretBelow})
        action->setToolTip(
            tr("Alt and click adds one anywhere, Alt and drag selects columns, Esc leaves one"));

    nextChange = add("nextChange", edit, tr("Next change"), "next", QStringLiteral("Alt+F5"));
    previousChange =
        add("previousChange", edit, tr("Previous change"), "prev", QStringLiteral("Alt+Shift+F5"));
    revertChange = add("revertChange", edit, tr("Revert this change"), "undo");
    revertChange->setToolTip(tr("The lines at the cursor read again as in what they are compared with; undo "
                                "brings the change back"));
    revertFile = add("revertFile", edit, tr("Revert this file to the disk"), "undo");
    revertFile->setToolTip(tr("What is not saved of it goes; undo brings it back"));
    takeShownText = add("takeShownText", edit, tr("Revert this file to the iteration shown"), "undo");
    takeShownText->setToolTip(
        tr("Its text of that iteration takes the place of what the editor holds, not saved; undo takes it "
           "back"));
    changesSinceCheck = add("changesSinceCheck", edit, tr("Mark changes against the last check"), "check");
    changesSinceHead = add("changesSinceHead", edit, tr("Mark changes against git HEAD"), "branch");
    auto *baselines = new QActionGroup(this);
    for (QAction *action : {changesSinceCheck, changesSinceHead}) {
        action->setCheckable(true);
        baselines->addAction(action);
    }
    changesSinceCheck->setChecked(true);

    openBeside =
        add("openBeside", edit, tr("Open this file beside"), "panel-right", QStringLiteral("Ctrl+\\"));
    closeBeside = add("closeBeside", edit, tr("Close the file beside"), "close");
    otherEditor = add("otherEditor", edit, tr("Go to the file beside, and back"), "compare",
                      QStringLiteral("Ctrl+Shift+\\"));
    // As other editors have it for their groups.
    add("firstEditor", edit, tr("Go to the candidate's editor"), "edit", QStringLiteral("Ctrl+1"));
    add("secondEditor", edit, tr("Go to the editor beside, or open it"), "panel-right",
        QStringLiteral("Ctrl+2"));
    nextFile = add("nextFile", edit, tr("Next file in order of use"), "next", QStringLiteral("Ctrl+Tab"));
    previousFile = add("previousFile", edit, tr("Previous file in order of use"), "prev",
                       QStringLiteral("Ctrl+Shift+Tab"));
    add("closeFile", edit, tr("Close this tab"), "close", QStringLiteral("Ctrl+W"))
        ->setToolTip(tr("Of a file that was deleted on disk, or the file beside"));

    openTerminal =
        add("openTerminal", edit, tr("Open in terminal"), "terminal", QStringLiteral("Ctrl+Shift+T"));
    openTerminal->setToolTip(
        tr("In the workspace's folder, where wright, python and nvcc are those that are used here"));
    runCommand = add("runCommand", edit, tr("Run a command here…"), "run", QStringLiteral("Ctrl+Shift+E"));
    runCommand->setToolTip(tr("In the workspace's folder, as you: no sandbox around it"));

    // Keys of other editors besides. In a review two of them lead from hunk to hunk.
    moveLinesUp->setProperty("secondKey", QStringLiteral("Alt+Up"));
    moveLinesDown->setProperty("secondKey", QStringLiteral("Alt+Down"));
    runCommand->setProperty("secondKey", QStringLiteral("Ctrl+`"));
    for (const QAction *hunk : {nextHunk, previousHunk})
        connect(hunk, &QAction::enabledChanged, this, &Actions::fitSecondKeys);
    fitSecondKeys();
}

} // namespace warpwright
