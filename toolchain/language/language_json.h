// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/base/json.h"
#include "toolchain/language/language_values.h"

namespace warpwright {

/// The Language Server Protocol's JSON as values and back. Total functions: what does not fit is left out,
/// never thrown.

[[nodiscard]] std::string uriOf(const QString &file);
/// Empty: it is no file's.
[[nodiscard]] QString fileOf(const QString &uri);

[[nodiscard]] Json placeToJson(TextPlace place);
[[nodiscard]] Json rangeToJson(const TextRange &range);
[[nodiscard]] std::optional<TextRange> rangeFrom(const Json &json);

/// A snippet as plain text: its placeholders, and what stands between them, are cut out; `cursor` is where
/// the first one was, -1: it has none.
struct PlainSnippet {
    QString text;
    int cursor = -1;

    bool operator==(const PlainSnippet &) const = default;
};
[[nodiscard]] PlainSnippet plainSnippet(const QString &snippet);

/// `typed`: the name before the cursor, for servers that say no range. `isCall`: a bracket follows, so none
/// is inserted.
[[nodiscard]] Completion completionFrom(const Json &json, const TextRange &typed, bool isCall);
[[nodiscard]] std::optional<HoverText> hoverFrom(const Json &json);
[[nodiscard]] SignatureHelp signatureHelpFrom(const Json &json);
/// Of Location, Location[] and LocationLink[].
[[nodiscard]] std::vector<SourcePlace> placesFrom(const Json &json);
/// Of all forms of prepareRename's answer; `name`: the name at the place.
[[nodiscard]] std::optional<TextRange> renameRangeFrom(const Json &json,
                                                       const std::optional<TextRange> &name);
/// Of a WorkspaceEdit; files in their order.
[[nodiscard]] std::vector<FileReplacements> replacementsFrom(const Json &json);
/// Of TextEdit[]; sorted by place.
[[nodiscard]] std::vector<TextReplacement> editsFrom(const Json &json);
[[nodiscard]] std::vector<DocumentSymbol> symbolsFrom(const Json &json);
[[nodiscard]] std::vector<LanguageDiagnostic> diagnosticsFrom(const Json &json);

/// The name that `place` stands in or behind; none: no name.
[[nodiscard]] std::optional<TextRange> nameAt(const QString &text, TextPlace place);
/// The text of a range that lies in one line.
[[nodiscard]] QString textIn(const QString &text, const TextRange &range);

} // namespace warpwright
