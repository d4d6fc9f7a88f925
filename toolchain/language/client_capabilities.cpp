// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/language/client_capabilities.h"

namespace warpwright {

Json clientCapabilities() {
    const Json markdown = Json::array({"markdown", "plaintext"});
    Json symbolKinds = Json::array();
    for (int kind = 1; kind <= 26; ++kind)
        symbolKinds.push_back(kind);
    Json itemKinds = Json::array();
    for (int kind = 1; kind <= 25; ++kind)
        itemKinds.push_back(kind);
    return Json{
        {"general", {{"positionEncodings", Json::array({"utf-16"})}}},
        {"offsetEncoding", Json::array({"utf-16"})}, // clangd before 3.17
        {"window", {{"workDoneProgress", false}}},
        {"workspace",
         {{"configuration", true},
          {"workspaceFolders", true},
          {"applyEdit", false},
          {"workspaceEdit", {{"documentChanges", true}}}}},
        {"textDocument",
         {{"synchronization", {{"didSave", true}}},
          {"publishDiagnostics", {{"versionSupport", true}, {"relatedInformation", false}}},
          {"completion",
           {{"completionItem",
             {{"snippetSupport", true},
              {"documentationFormat", markdown},
              {"deprecatedSupport", true},
              {"labelDetailsSupport", true}}},
            {"completionItemKind", {{"valueSet", itemKinds}}},
            {"contextSupport", true}}},
          {"hover", {{"contentFormat", markdown}}},
          {"signatureHelp",
           {{"signatureInformation",
             {{"documentationFormat", markdown}, {"parameterInformation", {{"labelOffsetSupport", true}}}}}}},
          {"definition", {{"linkSupport", false}}},
          {"references", Json::object()},
          {"rename", {{"prepareSupport", true}}},
          {"formatting", Json::object()},
          {"rangeFormatting", Json::object()},
          {"documentSymbol",
           {{"hierarchicalDocumentSymbolSupport", true}, {"symbolKind", {{"valueSet", symbolKinds}}}}}}}};
}

} // namespace warpwright
