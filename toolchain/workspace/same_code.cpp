// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/workspace/same_code.h"

#include "toolchain/text/token_text.h"

#include <algorithm>
#include <optional>

namespace warpwright {
namespace {

/// Where the literal ends that begins with the quote at `begin`; the end of the text: it has none.
qsizetype endOfLiteral(const QByteArray &text, qsizetype begin) {
    const char quote = text[begin];
    const bool isLong = text.mid(begin, 3) == QByteArray(3, quote);
    for (qsizetype at = begin + (isLong ? 3 : 1); at < text.size(); ++at) {
        if (text[at] == '\\')
            ++at;
        else if (!isLong && (text[at] == quote || text[at] == '\n'))
            return at + 1;
        else if (isLong && text.mid(at, 3) == QByteArray(3, quote))
            return at + 3;
    }
    return text.size();
}

bool endsItsLine(const QByteArray &text, qsizetype at) {
    while (at < text.size() && (text[at] == ' ' || text[at] == '\t' || text[at] == '\r'))
        ++at;
    return at == text.size() || text[at] == '\n' || text[at] == '#';
}

/// Without blank lines, and without blanks at the ends of the others.
QByteArray withoutBlanks(const QByteArray &code) {
    QByteArray dense;
    for (const QByteArray &line : code.split('\n')) {
        const QByteArray bare = line.trimmed();
        if (!bare.isEmpty())
            dense += line.left(line.indexOf(bare) + bare.size()) + '\n';
    }
    return dense;
}

std::optional<QByteArray> codeOf(const QString &file, const QByteArray &text) {
    if (file.endsWith(QLatin1String(".py")))
        return withoutBlanks(pythonWithoutComments(text));
    const std::optional<QByteArray> tokens = textWithoutComments(text);
    return tokens ? std::optional(withoutBlanks(*tokens)) : std::nullopt;
}

} // namespace

QByteArray pythonWithoutComments(const QByteArray &text) {
    QByteArray code;
    int depth = 0;
    char last = ':'; // of the code so far; a module's body begins at its top
    bool isLineBlank = true;
    for (qsizetype at = 0; at < text.size();) {
        const char c = text[at];
        if (c == '#') {
            const qsizetype end = text.indexOf('\n', at);
            at = end < 0 ? text.size() : end;
            continue;
        }
        if (c == '"' || c == '\'') {
            const qsizetype end = endOfLiteral(text, at);
            const QByteArray literal = text.mid(at, end - at);
            if (isLineBlank && depth == 0 && last == ':' && endsItsLine(text, end)) {
                code += QByteArray(literal.count('\n'), '\n');
            } else {
                code += literal;
                isLineBlank = false;
            }
            last = c;
            at = end;
            continue;
        }
        code += c;
        ++at;
        if (c == '\n') {
            isLineBlank = true;
        } else if (c != ' ' && c != '\t' && c != '\r') {
            isLineBlank = false;
            last = c;
            depth += c == '(' || c == '[' || c == '{' ? 1 : c == ')' || c == ']' || c == '}' ? -1 : 0;
        }
    }
    return code;
}

bool isSameCode(const CandidateTexts &one, const CandidateTexts &other) {
    return std::equal(one.begin(), one.end(), other.begin(), other.end(), [](const auto &a, const auto &b) {
        if (a == b)
            return true;
        const auto before = codeOf(a.first, a.second);
        return a.first == b.first && before && before == codeOf(b.first, b.second);
    });
}

} // namespace warpwright
