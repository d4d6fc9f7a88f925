// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/layout/menu_places.h"

#include <QAction>
#include <QCoreApplication>
#include <QHash>

namespace warpwright {
namespace {

struct SubMenu {
    const char *name;
    QStringList actions; ///< by their object names
};

const QList<SubMenu> &subMenus() {
    static const QList<SubMenu> menus{
        {"Find and go to",
         {"findAll", "replaceAll", "nextFound", "previousFound", "goToLine", "matchingBrace", "nextMark",
          "previousMark"}},
        {"Lines and cursors",
         {"toggleComment", "addOccurrence", "toggleFold", "unfoldAll", "moveLinesUp", "moveLinesDown",
          "duplicateLines", "deleteLines", "joinLines", "indentLines", "dedentLines", "caretAbove",
          "caretBelow"}},
        {"Changes",
         {"nextChange", "previousChange", "revertChange", "revertFile", "takeShownText", "changesSinceCheck",
          "changesSinceHead"}},
        {"Files beside each other",
         {"openBeside", "closeBeside", "closeFile", "otherEditor", "firstEditor", "secondEditor", "nextFile",
          "previousFile"}},
        {"Lesson",
         {"followLesson", "showLesson", "closingPicture", "beginLesson", "beginLessonAnew", "openLesson",
          "writeLesson", "bet", "betsFirst"}},
        {"Mode", {"modeReview", "modeStep", "modeAuto"}},
        {"Step", {"measureHunks", "keepStep", "branchStep", "undoStep"}},
        {"Past runs", {"openRun", "pastRuns", "replayPlay", "replayBack", "replayForward"}},
        {"Compare",
         {"compareWithParent", "compareWithText", "compareWithEager", "compareWithCompile",
          "compareWithBaseline", "compareSelected"}},
        {"Panes",
         {"enlargeReference", "enlargeCandidate", "enlargeBuild", "enlargeProfile", "nextPane",
          "previousPane", "swapRows"}},
        {"Text size", {"larger", "smaller", "normalSize"}},
        {"Theme", {"themeSystem", "themeLight", "themeDark"}},
        {"Export", {"exportPng", "exportSvg", "exportCsv"}},
    };
    return menus;
}

} // namespace

QString subMenuOf(const QAction &action) {
    if (action.property("page").isValid())
        return QCoreApplication::translate("MenuPlaces", "Pages");
    static const QHash<QString, const char *> names = [] {
        QHash<QString, const char *> made;
        for (const SubMenu &menu : subMenus())
            for (const QString &name : menu.actions)
                made.insert(name, menu.name);
        return made;
    }();
    const char *name = names.value(action.objectName(), nullptr);
    return name == nullptr ? QString() : QCoreApplication::translate("MenuPlaces", name);
}

} // namespace warpwright
