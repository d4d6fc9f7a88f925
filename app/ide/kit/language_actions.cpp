// SPDX-License-Identifier: GPL-3.0-or-later
// Of actions.h: what a language server can be asked.
#include "app/ide/kit/actions.h"

namespace warpwright {

void Actions::addLanguage() {
    const QString code = tr("Code");
    completeHere = add("completeHere", code, tr("Complete here"), "edit", QStringLiteral("Ctrl+Space"));
    callHint = add("callHint", code, tr("What this call takes"), "info", QStringLiteral("Ctrl+Shift+Space"));
    callHint->setProperty("otherNames", QStringLiteral("signature help parameters arguments"));
    showDocumentation =
        add("showDocumentation", code, tr("Show documentation here"), "info", QStringLiteral("Ctrl+K"));
    showDocumentation->setProperty("otherNames", QStringLiteral("hover quick info"));
    goToDefinition = add("goToDefinition", code, tr("Go to the definition"), "link", QStringLiteral("F12"));
    findReferences =
        add("findReferences", code, tr("Find references"), "search", QStringLiteral("Shift+F12"));
    findReferences->setProperty("otherNames", QStringLiteral("usages"));
    goToSymbol = add("goToSymbol", code, tr("Go to symbol…"), "link", QStringLiteral("Ctrl+Shift+O"));
    goToSymbol->setProperty("otherNames", QStringLiteral("outline functions kernels of the file"));
    placeBack =
        add("placeBack", code, tr("Back to the place before"), "chevron-left", QStringLiteral("Alt+Left"));
    placeForward = add("placeForward", code, tr("Forward to the next place"), "chevron-right",
                       QStringLiteral("Alt+Right"));
    renameSymbol = add("renameSymbol", code, tr("Rename the symbol…"), "edit", QStringLiteral("F2"));
    formatFile = add("formatFile", code, tr("Format the file"), "edit", QStringLiteral("Alt+Shift+F"));
    formatSelection = add("formatSelection", code, tr("Format the selection"), "edit");
    writeFormatStyle = add("writeFormatStyle", code, tr("Write a .clang-format"), "new-file");
    writeFormatStyle->setToolTip(tr("In the workspace's folder, with the style of the samples"));
    restartLanguage = add("restartLanguage", code, tr("Restart the language server"), "undo");
    restartLanguage->setProperty("otherNames", QStringLiteral("clangd"));
}

} // namespace warpwright
