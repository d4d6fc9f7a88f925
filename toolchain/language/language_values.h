// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QMetaType>
#include <QString>
#include <QStringList>

#include <optional>
#include <vector>

namespace warpwright {

/// What a language server says, as plain values. Lines and columns count from 1, columns in UTF-16 code units
/// (as QString counts, and as the Language Server Protocol does without another agreement).

struct TextPlace {
    int line = 1;
    int column = 1;

    auto operator<=>(const TextPlace &) const = default;
};

/// `to` is the first place that does not belong to it.
struct TextRange {
    TextPlace from;
    TextPlace to;

    bool operator==(const TextRange &) const = default;
};

struct SourcePlace {
    QString file; ///< absolute
    TextRange range;

    bool operator==(const SourcePlace &) const = default;
};

struct TextReplacement {
    TextRange range;
    QString text;

    bool operator==(const TextReplacement &) const = default;
};

/// Of one file; sorted by place, without overlap, all in terms of the text as it was asked about.
struct FileReplacements {
    QString file; ///< absolute
    std::vector<TextReplacement> replacements;

    bool operator==(const FileReplacements &) const = default;
};

/// What kind of thing a name stands for: what the protocol's CompletionItemKind and SymbolKind have in common
/// for C++, CUDA and Python.
enum class SymbolKind {
    Text,
    Function,
    Type,
    Variable,
    Field,
    Constant,
    Enum,
    Macro,
    Namespace,
    Keyword,
    Snippet,
    File
};

struct CompletionItem {
    QString label;         ///< as shown in the list: "__ldcs"
    QString signature;     ///< behind the label: "(const float *ptr)"
    QString type;          ///< at the right: "float"
    QString documentation; ///< Markdown; may be empty until resolve
    QString filterText;    ///< what is typed is held against it
    QString sortText;
    SymbolKind kind = SymbolKind::Text;
    bool isDeprecated = false;
    bool isFar = false;                ///< of a header that the text does not name itself: comes last
    TextRange replaced;                ///< takes the place of this
    QString insertText;                ///< plain: placeholders of snippets are cut out of it
    int cursorInside = -1;             ///< where the cursor stands in insertText after it; -1: behind it
    std::vector<TextReplacement> also; ///< an #include, say

    bool operator==(const CompletionItem &) const = default;
};

struct Completion {
    std::vector<CompletionItem> items; ///< best first
    bool isIncomplete = false;         ///< typing on asks anew

    bool operator==(const Completion &) const = default;
};

struct HoverText {
    QString markdown;
    std::optional<TextRange> range; ///< of what it speaks

    bool operator==(const HoverText &) const = default;
};

struct SignatureText {
    QString label;         ///< "__shfl_xor_sync(unsigned mask, T var, int laneMask) -> T"
    QString documentation; ///< Markdown
    std::vector<std::pair<int, int>> parameters; ///< begin and end of each within label

    bool operator==(const SignatureText &) const = default;
};

struct SignatureHelp {
    std::vector<SignatureText> signatures; ///< empty: the cursor is in no call
    int active = 0;
    int activeParameter = 0; ///< may lie outside of parameters: too many arguments

    bool operator==(const SignatureHelp &) const = default;
};

struct DocumentSymbol {
    QString name;
    QString detail; ///< "void (const float *, float *, int)"
    SymbolKind kind = SymbolKind::Text;
    TextRange range;     ///< all of it
    TextRange nameRange; ///< where to go
    int depth = 0;       ///< 0: of the file itself

    bool operator==(const DocumentSymbol &) const = default;
};

struct LanguageDiagnostic {
    enum class Severity { Error, Warning, Note };
    TextRange range;
    Severity severity = Severity::Error;
    QString message;
    QString code; ///< "undeclared_var_use"; may be empty

    bool operator==(const LanguageDiagnostic &) const = default;
};

} // namespace warpwright
