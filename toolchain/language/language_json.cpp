// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/language/language_json.h"

#include <QDir>
#include <QRegularExpression>
#include <QUrl>

#include <algorithm>
#include <limits>

namespace warpwright {
namespace {

constexpr std::size_t mostDiagnostics = 500;
constexpr int deepestSymbol = 32;

const Json &memberOf(const Json &object, const char *key) {
    static const Json none;
    if (!object.is_object())
        return none;
    const auto found = object.find(key);
    return found == object.end() ? none : *found;
}

int numberIn(const Json &object, const char *key, int otherwise = 0) {
    const Json &number = memberOf(object, key);
    if (!number.is_number_integer())
        return otherwise;
    const auto value = number.get<std::int64_t>();
    return value < 0 || value >= std::numeric_limits<int>::max() ? otherwise : static_cast<int>(value);
}

bool flagIn(const Json &object, const char *key) {
    const Json &flag = memberOf(object, key);
    return flag.is_boolean() && flag.get<bool>();
}

std::optional<TextPlace> placeFrom(const Json &json) {
    const int line = numberIn(json, "line", -1);
    const int column = numberIn(json, "character", -1);
    if (line < 0 || column < 0)
        return std::nullopt;
    return TextPlace{line + 1, column + 1};
}

/// MarkupContent, MarkedString or an array of the latter.
QString markdownFrom(const Json &json) {
    if (json.is_string())
        return fromJson(json.get<std::string>());
    if (json.is_array()) {
        QStringList parts;
        for (const Json &part : json)
            parts << markdownFrom(part);
        parts.removeAll(QString());
        return parts.join(QStringLiteral("\n\n"));
    }
    const QString language = stringIn(json, "language");
    const QString value = stringIn(json, "value");
    if (!language.isEmpty())
        return QStringLiteral("```%1\n%2\n```").arg(language, value);
    return value;
}

SymbolKind completionKind(int kind) {
    switch (kind) {
    case 2:
    case 3:
    case 4:
        return SymbolKind::Function;
    case 5:
    case 10:
        return SymbolKind::Field;
    case 6:
        return SymbolKind::Variable;
    case 7:
    case 8:
    case 22:
    case 25:
        return SymbolKind::Type;
    case 9:
        return SymbolKind::Namespace;
    case 13:
        return SymbolKind::Enum;
    case 14:
        return SymbolKind::Keyword;
    case 15:
        return SymbolKind::Snippet;
    case 17:
    case 19:
        return SymbolKind::File;
    case 20:
    case 21:
        return SymbolKind::Constant;
    default:
        return SymbolKind::Text;
    }
}

SymbolKind symbolKind(int kind) {
    switch (kind) {
    case 1:
        return SymbolKind::File;
    case 2:
    case 3:
    case 4:
        return SymbolKind::Namespace;
    case 5:
    case 11:
    case 23:
    case 26:
        return SymbolKind::Type;
    case 6:
    case 9:
    case 12:
    case 25:
        return SymbolKind::Function;
    case 7:
    case 8:
        return SymbolKind::Field;
    case 10:
        return SymbolKind::Enum;
    case 13:
        return SymbolKind::Variable;
    case 14:
    case 22:
        return SymbolKind::Constant;
    case 15:
        return SymbolKind::Macro; // clangd shows macros as strings
    default:
        return SymbolKind::Text;
    }
}

/// clangd marks an item that brings an #include by a sign before its label.
QString plainLabel(const QString &label) {
    QString plain = label.trimmed();
    if (plain.startsWith(QChar(0x2022)))
        plain = plain.mid(1).trimmed();
    return plain;
}

std::optional<CompletionItem> itemFrom(const Json &json, const TextRange &typed, bool isCall) {
    CompletionItem item;
    item.label = plainLabel(stringIn(json, "label"));
    if (item.label.isEmpty())
        return std::nullopt;
    const Json &details = memberOf(json, "labelDetails");
    item.signature = stringIn(details, "detail");
    item.type = stringIn(json, "detail", stringIn(details, "description"));
    item.documentation = markdownFrom(memberOf(json, "documentation"));
    item.filterText = stringIn(json, "filterText", item.label);
    item.sortText = stringIn(json, "sortText", item.label);
    item.kind = completionKind(numberIn(json, "kind"));
    const Json &tags = memberOf(json, "tags");
    item.isDeprecated =
        flagIn(json, "deprecated") ||
        (tags.is_array() && std::any_of(tags.begin(), tags.end(), [](const Json &tag) { return tag == 1; }));
    // The signature stands behind the name in the label of servers that know no details.
    if (const qsizetype bracket = item.label.indexOf(QLatin1Char('('));
        item.signature.isEmpty() && bracket > 0) {
        item.signature = item.label.mid(bracket);
        item.label = item.label.left(bracket);
    }
    const Json &edit = memberOf(json, "textEdit");
    item.replaced =
        rangeFrom(memberOf(edit, "range")).value_or(rangeFrom(memberOf(edit, "replace")).value_or(typed));
    item.insertText = stringIn(edit, "newText", stringIn(json, "insertText", item.label));
    if (numberIn(json, "insertTextFormat", 1) == 2) {
        const PlainSnippet plain = plainSnippet(item.insertText);
        item.insertText = plain.text;
        item.cursorInside = plain.cursor;
    }
    if (const qsizetype bracket = item.insertText.indexOf(QLatin1Char('(')); isCall && bracket > 0) {
        item.insertText.truncate(bracket);
        item.cursorInside = -1;
    }
    item.also = editsFrom(memberOf(json, "additionalTextEdits"));
    return item;
}

void addSymbols(std::vector<DocumentSymbol> &symbols, const Json &json, int depth) {
    if (!json.is_array() || depth > deepestSymbol)
        return;
    for (const Json &one : json) {
        DocumentSymbol symbol;
        symbol.name = stringIn(one, "name");
        symbol.detail = stringIn(one, "detail");
        symbol.kind = symbolKind(numberIn(one, "kind"));
        symbol.depth = depth;
        // SymbolInformation of older servers has a place and no children.
        const auto range = rangeFrom(memberOf(one, "range"));
        const auto place = range ? range : rangeFrom(memberOf(memberOf(one, "location"), "range"));
        if (symbol.name.isEmpty() || !place)
            continue;
        symbol.range = *place;
        symbol.nameRange = rangeFrom(memberOf(one, "selectionRange")).value_or(*place);
        symbols.push_back(std::move(symbol));
        addSymbols(symbols, memberOf(one, "children"), depth + 1);
    }
}

void addReplacements(std::vector<FileReplacements> &files, const QString &file, const Json &edits) {
    std::vector<TextReplacement> replacements = editsFrom(edits);
    if (!file.isEmpty() && !replacements.empty())
        files.push_back({file, std::move(replacements)});
}

bool isOfName(QChar character) {
    return character.isLetterOrNumber() || character == QLatin1Char('_');
}

/// Without its end.
QStringView lineOf(const QString &text, int line) {
    qsizetype begin = 0;
    for (int at = 1; at < line; ++at) {
        begin = text.indexOf(QLatin1Char('\n'), begin) + 1;
        if (begin == 0)
            return {};
    }
    const qsizetype end = text.indexOf(QLatin1Char('\n'), begin);
    return QStringView(text).mid(begin, end < 0 ? -1 : end - begin);
}

} // namespace

std::string uriOf(const QString &file) {
    return QUrl::fromLocalFile(file).toEncoded().toStdString();
}

QString fileOf(const QString &uri) {
    const QUrl url(uri);
    return url.isLocalFile() ? QDir::cleanPath(url.toLocalFile()) : QString();
}

Json placeToJson(TextPlace place) {
    return Json{{"line", std::max(place.line - 1, 0)}, {"character", std::max(place.column - 1, 0)}};
}

Json rangeToJson(const TextRange &range) {
    return Json{{"start", placeToJson(range.from)}, {"end", placeToJson(range.to)}};
}

std::optional<TextRange> rangeFrom(const Json &json) {
    const auto from = placeFrom(memberOf(json, "start"));
    const auto to = placeFrom(memberOf(json, "end"));
    if (!from || !to || *to < *from)
        return std::nullopt;
    return TextRange{*from, *to};
}

PlainSnippet plainSnippet(const QString &snippet) {
    PlainSnippet plain;
    int depth = 0;
    bool isLast = false; // $0: where the cursor goes in the end
    for (qsizetype at = 0; at < snippet.size(); ++at) {
        const QChar character = snippet[at];
        if (character == QLatin1Char('\\') && at + 1 < snippet.size()) {
            if (depth == 0)
                plain.text += snippet[at + 1];
            ++at;
        } else if (character == QLatin1Char('$') && at + 1 < snippet.size() &&
                   (snippet[at + 1].isDigit() || snippet[at + 1] == QLatin1Char('{'))) {
            const bool isBraced = snippet[at + 1] == QLatin1Char('{');
            if (depth == 0) {
                const QChar number = isBraced && at + 2 < snippet.size() ? snippet[at + 2] : snippet[at + 1];
                isLast = number == QLatin1Char('0');
                if (plain.cursor < 0)
                    plain.cursor = static_cast<int>(plain.text.size());
                // Between one placeholder and the next stand commas, which are of no use without them.
                else if (!isLast && QStringView(plain.text).mid(plain.cursor).trimmed() == QLatin1String(","))
                    plain.text.truncate(plain.cursor);
            }
            if (isBraced)
                ++depth;
            ++at;
            if (!isBraced)
                while (at + 1 < snippet.size() && snippet[at + 1].isDigit())
                    ++at;
        } else if (depth > 0) {
            if (character == QLatin1Char('}'))
                --depth;
        } else {
            plain.text += character;
        }
    }
    if (plain.cursor >= plain.text.size())
        plain.cursor = -1;
    return plain;
}

Completion completionFrom(const Json &json, const TextRange &typed, bool isCall) {
    Completion completion;
    completion.isIncomplete = flagIn(json, "isIncomplete");
    const Json &items = json.is_array() ? json : memberOf(json, "items");
    if (!items.is_array())
        return completion;
    completion.items.reserve(items.size());
    for (const Json &one : items)
        if (auto item = itemFrom(one, typed, isCall))
            completion.items.push_back(std::move(*item));
    std::stable_sort(
        completion.items.begin(), completion.items.end(),
        [](const CompletionItem &one, const CompletionItem &other) { return one.sortText < other.sortText; });
    return completion;
}

std::optional<HoverText> hoverFrom(const Json &json) {
    const QString markdown = markdownFrom(memberOf(json, "contents")).trimmed();
    if (markdown.isEmpty())
        return std::nullopt;
    return HoverText{markdown, rangeFrom(memberOf(json, "range"))};
}

SignatureHelp signatureHelpFrom(const Json &json) {
    SignatureHelp help;
    const Json &signatures = memberOf(json, "signatures");
    if (!signatures.is_array())
        return help;
    help.active = numberIn(json, "activeSignature");
    help.activeParameter = numberIn(json, "activeParameter");
    for (const Json &one : signatures) {
        SignatureText signature;
        signature.label = stringIn(one, "label");
        signature.documentation = markdownFrom(memberOf(one, "documentation"));
        const Json &parameters = memberOf(one, "parameters");
        qsizetype searched = 0;
        if (parameters.is_array())
            for (const Json &parameter : parameters) {
                const Json &label = memberOf(parameter, "label");
                if (label.is_array() && label.size() == 2 && label[0].is_number_integer() &&
                    label[1].is_number_integer()) {
                    signature.parameters.emplace_back(label[0].get<int>(), label[1].get<int>());
                } else if (label.is_string()) {
                    const QString words = fromJson(label.get<std::string>());
                    const qsizetype begin = signature.label.indexOf(words, searched);
                    searched = begin < 0 ? searched : begin + words.size();
                    signature.parameters.emplace_back(static_cast<int>(std::max<qsizetype>(begin, 0)),
                                                      static_cast<int>(begin < 0 ? 0 : searched));
                }
            }
        help.signatures.push_back(std::move(signature));
    }
    return help;
}

std::vector<SourcePlace> placesFrom(const Json &json) {
    std::vector<SourcePlace> places;
    const auto add = [&places](const Json &one) {
        const QString uri = stringIn(one, "uri", stringIn(one, "targetUri"));
        auto range = rangeFrom(memberOf(one, "range"));
        if (!range)
            range = rangeFrom(memberOf(one, "targetSelectionRange"));
        const QString file = fileOf(uri);
        if (range && !file.isEmpty())
            places.push_back({file, *range});
    };
    if (json.is_array())
        for (const Json &one : json)
            add(one);
    else
        add(json);
    return places;
}

std::optional<TextRange> renameRangeFrom(const Json &json, const std::optional<TextRange> &name) {
    if (flagIn(json, "defaultBehavior"))
        return name;
    const auto range = rangeFrom(json);
    return range ? range : rangeFrom(memberOf(json, "range"));
}

std::vector<FileReplacements> replacementsFrom(const Json &json) {
    std::vector<FileReplacements> files;
    const Json &documents = memberOf(json, "documentChanges");
    if (documents.is_array()) {
        for (const Json &one : documents)
            addReplacements(files, fileOf(stringIn(memberOf(one, "textDocument"), "uri")),
                            memberOf(one, "edits"));
    } else if (const Json &changes = memberOf(json, "changes"); changes.is_object()) {
        for (const auto &[uri, edits] : changes.items())
            addReplacements(files, fileOf(fromJson(uri)), edits);
    }
    std::sort(files.begin(), files.end(), [](const FileReplacements &one, const FileReplacements &other) {
        return one.file < other.file;
    });
    return files;
}

std::vector<TextReplacement> editsFrom(const Json &json) {
    std::vector<TextReplacement> edits;
    if (!json.is_array())
        return edits;
    for (const Json &one : json)
        if (const auto range = rangeFrom(memberOf(one, "range")))
            edits.push_back({*range, stringIn(one, "newText")});
    std::stable_sort(edits.begin(), edits.end(),
                     [](const TextReplacement &one, const TextReplacement &other) {
                         return one.range.from < other.range.from;
                     });
    // The protocol forbids overlaps; a text must not be cut by what breaks that.
    for (std::size_t at = 1; at < edits.size(); ++at)
        if (edits[at].range.from < edits[at - 1].range.to)
            return {};
    return edits;
}

std::vector<DocumentSymbol> symbolsFrom(const Json &json) {
    std::vector<DocumentSymbol> symbols;
    addSymbols(symbols, json, 0);
    return symbols;
}

namespace {

/// clangd appends notes to a message, each with the place that it speaks of. Of what no file defines there is
/// none: «:181:22: note: possible target for call», ten times below a shuffle's name.
QString withoutPlacelessNotes(const QString &message) {
    static const QRegularExpression placeless(QStringLiteral("^:\\d+:\\d+:\\s*(note|warning|error):"));
    QStringList kept;
    for (const QString &part : message.split(QStringLiteral("\n\n")))
        if (!placeless.match(part).hasMatch() && !kept.contains(part))
            kept << part;
    return kept.join(QStringLiteral("\n\n"));
}

} // namespace

std::vector<LanguageDiagnostic> diagnosticsFrom(const Json &json) {
    std::vector<LanguageDiagnostic> diagnostics;
    if (!json.is_array())
        return diagnostics;
    for (const Json &one : json) {
        const auto range = rangeFrom(memberOf(one, "range"));
        if (!range || diagnostics.size() >= mostDiagnostics)
            continue;
        LanguageDiagnostic diagnostic;
        diagnostic.range = *range;
        const int severity = numberIn(one, "severity", 1);
        diagnostic.severity = severity == 1   ? LanguageDiagnostic::Severity::Error
                              : severity == 2 ? LanguageDiagnostic::Severity::Warning
                                              : LanguageDiagnostic::Severity::Note;
        diagnostic.message = withoutPlacelessNotes(stringIn(one, "message"));
        const Json &code = memberOf(one, "code");
        diagnostic.code =
            code.is_number_integer() ? QString::number(code.get<std::int64_t>()) : stringIn(one, "code");
        diagnostics.push_back(std::move(diagnostic));
    }
    return diagnostics;
}

std::optional<TextRange> nameAt(const QString &text, TextPlace place) {
    const QStringView line = lineOf(text, place.line);
    qsizetype begin = std::clamp<qsizetype>(place.column - 1, 0, line.size());
    qsizetype end = begin;
    while (begin > 0 && isOfName(line[begin - 1]))
        --begin;
    while (end < line.size() && isOfName(line[end]))
        ++end;
    if (begin == end)
        return std::nullopt;
    return TextRange{{place.line, static_cast<int>(begin) + 1}, {place.line, static_cast<int>(end) + 1}};
}

QString textIn(const QString &text, const TextRange &range) {
    const QStringView line = lineOf(text, range.from.line);
    if (range.to.line != range.from.line)
        return {};
    return line.mid(range.from.column - 1, range.to.column - range.from.column).toString();
}

} // namespace warpwright
