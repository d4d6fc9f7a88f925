// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/listing/text_search.h"

#include <QRegularExpression>

namespace warpwright {
namespace {

QRegularExpression expressionOf(const SearchQuery &query) {
    QString pattern = query.isExpression ? query.words : QRegularExpression::escape(query.words);
    if (query.isWholeWord)
        pattern = QStringLiteral("\\b(?:") + pattern + QStringLiteral(")\\b");
    QRegularExpression::PatternOptions options = QRegularExpression::MultilineOption;
    if (!query.matchesCase)
        options |= QRegularExpression::CaseInsensitiveOption;
    return QRegularExpression(pattern, options);
}

/// Walks along a text and counts bytes of UTF-8.
class ByteCounter {
public:
    explicit ByteCounter(QStringView text) : m_text(text) {}

    long at(qsizetype index) {
        for (; m_index < index; ++m_index) {
            const char16_t unit = m_text[m_index].unicode();
            // A surrogate pair makes four bytes, two for each half.
            m_bytes += unit < 0x80 ? 1 : unit < 0x800 || QChar::isSurrogate(unit) ? 2 : 3;
        }
        return m_bytes;
    }

private:
    QStringView m_text;
    qsizetype m_index = 0;
    long m_bytes = 0;
};

QString filled(const QString &replacement, const QRegularExpressionMatch &match) {
    QString text;
    for (qsizetype i = 0; i < replacement.size(); ++i) {
        const QChar sign = replacement[i];
        const QChar next = i + 1 < replacement.size() ? replacement[i + 1] : QChar();
        const bool isGroup = next >= u'0' && next <= u'9';
        if ((sign == u'\\' || sign == u'$') && isGroup) {
            text += match.captured(next.unicode() - u'0');
            ++i;
        } else if (sign == u'\\' && (next == u'n' || next == u't' || next == u'\\')) {
            text += next == u'n' ? QChar(u'\n') : next == u't' ? QChar(u'\t') : QChar(u'\\');
            ++i;
        } else {
            text += sign;
        }
    }
    return text;
}

} // namespace

SearchHits findInText(const QString &text, const SearchQuery &query) {
    SearchHits found;
    if (query.words.isEmpty())
        return found;
    const QRegularExpression expression = expressionOf(query);
    if (!expression.isValid()) {
        found.problem = QStringLiteral("No regular expression: %1, at character %2.")
                            .arg(expression.errorString())
                            .arg(expression.patternErrorOffset());
        return found;
    }
    ByteCounter bytes(text);
    const auto add = [&](qsizetype start, qsizetype end) {
        if (found.hits.size() == mostHits) {
            found.isCut = true;
            return false;
        }
        const long first = bytes.at(start);
        found.hits.push_back({first, bytes.at(end) - first});
        return true;
    };
    if (!query.isExpression && !query.isWholeWord) { // by far the fastest
        const Qt::CaseSensitivity sensitivity = query.matchesCase ? Qt::CaseSensitive : Qt::CaseInsensitive;
        for (qsizetype at = text.indexOf(query.words, 0, sensitivity); at >= 0;
             at = text.indexOf(query.words, at + query.words.size(), sensitivity))
            if (!add(at, at + query.words.size()))
                break;
        return found;
    }
    QRegularExpressionMatchIterator matches = expression.globalMatch(text);
    while (matches.hasNext()) {
        const QRegularExpressionMatch match = matches.next();
        if (match.capturedLength() > 0 && !add(match.capturedStart(), match.capturedEnd()))
            break;
    }
    return found;
}

std::vector<Replacement> replacementsInText(const QString &text, const SearchQuery &query,
                                            const QString &replacement) {
    std::vector<Replacement> replacements;
    const QRegularExpression expression = expressionOf(query);
    if (query.words.isEmpty() || !expression.isValid())
        return replacements;
    ByteCounter bytes(text);
    QRegularExpressionMatchIterator matches = expression.globalMatch(text);
    while (matches.hasNext()) {
        const QRegularExpressionMatch match = matches.next();
        if (match.capturedLength() == 0)
            continue;
        const long start = bytes.at(match.capturedStart());
        replacements.push_back({{start, bytes.at(match.capturedEnd()) - start},
                                query.isExpression ? filled(replacement, match) : replacement});
    }
    return replacements;
}

} // namespace warpwright
