// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/editor/typing_rules.h"

#include <QStringList>

#include <algorithm>

namespace warpwright {
namespace {

bool isWordSign(QChar sign) {
    return sign.isLetterOrNumber() || sign == u'_';
}

bool isQuote(QChar sign) {
    return sign == u'"' || sign == u'\'';
}

bool isOpening(QChar sign) {
    return sign == u'(' || sign == u'[' || sign == u'{';
}

bool isClosing(QChar sign) {
    return sign == u')' || sign == u']' || sign == u'}';
}

/// Reads a text once, from its beginning: a line's meaning depends on what was opened before it.
class Reader {
public:
    Reader(TextReading &reading, const QString &text, bool isPython, int tabWidth)
        : m_text(text),
          m_isPython(isPython),
          m_tabWidth(tabWidth),
          m_now(reading.now),
          m_rawEnd(reading.rawEnd),
          m_isInStatement(reading.isInStatement),
          m_isTriple(reading.isTriple),
          m_isRaw(reading.isRaw) {}

    void read(qsizetype from) {
        m_at = from;
        if (from == 0)
            beginLine();
        while (m_at < m_text.size()) {
            const QChar sign = m_text[m_at];
            if (sign == u'\n')
                endLine();
            else if (m_now.in == TextBefore::In::Code)
                readCode(sign);
            else if (m_now.in == TextBefore::In::String)
                readString(sign);
            else
                readComment();
            ++m_at;
        }
    }

private:
    void beginLine() {
        int indent = 0;
        for (qsizetype i = m_at; i < m_text.size(); ++i) {
            if (m_text[i] == u' ')
                ++indent;
            else if (m_text[i] == u'\t')
                indent += m_tabWidth - indent % m_tabWidth;
            else
                break;
        }
        m_lineStart = m_at;
        m_now.lastIndent = indent;
        m_now.lastSign = {};
        m_now.isDirective = false;
        m_now.hasClosedOlder = false;
    }

    void endLine() {
        const bool goesOn = m_at > 0 && m_text[m_at - 1] == u'\\';
        const bool isDirective = m_now.isDirective;
        if (!m_now.open.empty() && m_now.open.back().line == m_now.lastLine)
            m_now.open.back().endsLine = isOpening(m_now.lastSign);
        if (m_now.in == TextBefore::In::LineComment && (m_isPython || !goesOn))
            m_now.in = TextBefore::In::Code;
        if (m_now.in == TextBefore::In::String && !m_isTriple && !m_isRaw && !goesOn)
            m_now.in = TextBefore::In::Code; // one that was not closed ends with its line
        if (m_isPython && m_now.in == TextBefore::In::Code && m_now.open.empty() && !goesOn)
            m_isInStatement = false;
        ++m_now.lastLine;
        ++m_at;
        beginLine();
        --m_at;
        m_now.isDirective = isDirective && goesOn;
    }

    [[nodiscard]] bool isNext(const char *text) const {
        return QStringView(m_text).sliced(m_at).startsWith(QLatin1String(text));
    }

    void readCode(QChar sign) {
        if (sign.isSpace() || m_now.isDirective)
            return;
        if (!m_isPython && sign == u'#' && m_now.lastSign.isNull()) {
            m_now.isDirective = true;
            return;
        }
        if (m_isPython ? sign == u'#' : isNext("//")) {
            m_now.in = TextBefore::In::LineComment;
            return;
        }
        if (!m_isPython && isNext("/*")) {
            m_now.in = TextBefore::In::Comment;
            ++m_at;
            return;
        }
        if (m_isPython && sign == u'\\')
            return;
        if (!m_isInStatement && !isClosing(sign) && (m_isPython || sign != u';'))
            beginStatement();
        m_now.lastSign = sign;
        if (isQuote(sign))
            beginString(sign);
        else if (isOpening(sign))
            openBracket(sign);
        else if (isClosing(sign))
            closeBracket(sign);
        else if (!m_isPython)
            endStatement(sign);
    }

    void beginStatement() {
        m_isInStatement = true;
        m_now.statementIndent = m_now.lastIndent;
        m_now.statementLine = m_now.lastLine;
        qsizetype end = m_at;
        while (end < m_text.size() && isWordSign(m_text[end]))
            ++end;
        m_now.firstWord = m_text.mid(m_at, end - m_at);
    }

    // A semicolon in the head of a «for» ends nothing.
    void endStatement(QChar sign) {
        const bool isInBlock = m_now.open.empty() || m_now.open.back().sign == u'{';
        static const QStringList labels{QStringLiteral("case"), QStringLiteral("default"),
                                        QStringLiteral("public"), QStringLiteral("private"),
                                        QStringLiteral("protected")};
        const bool isLabel = sign == u':' && labels.contains(m_now.firstWord) &&
                             (m_at + 1 >= m_text.size() || m_text[m_at + 1] != u':') &&
                             m_text[m_at - 1] != u':';
        if (isInBlock && (sign == u';' || isLabel))
            m_isInStatement = false;
    }

    void openBracket(QChar sign) {
        m_now.open.push_back({sign, m_now.lastLine, column(), m_now.statementIndent, false});
        if (!m_isPython && sign == u'{')
            m_isInStatement = false;
    }

    void closeBracket(QChar sign) {
        // One that was left open before does not hide its partner further out.
        auto found = m_now.open.rbegin();
        while (found != m_now.open.rend() && partnerOf(found->sign) != sign)
            ++found;
        if (found == m_now.open.rend())
            return;
        const TextBefore::Bracket partner = *found;
        m_now.open.erase(std::prev(found.base()), m_now.open.end());
        m_now.hasClosedOlder = m_now.hasClosedOlder || partner.line < m_now.lastLine;
        if (m_isPython || sign != u'}')
            return;
        m_now.statementIndent = partner.statementIndent;
        m_now.firstWord.clear();
        // In an argument list the statement goes on behind a braced one.
        m_isInStatement = !m_now.open.empty() && m_now.open.back().sign != u'{';
    }

    void beginString(QChar quote) {
        m_now.quote = quote;
        const QStringView rest = QStringView(m_text).sliced(m_at);
        const QString three(3, quote);
        // 1'000 is a number.
        if (!m_isPython && quote == u'\'' && m_at > 0 && m_text[m_at - 1].isDigit())
            return;
        m_now.in = TextBefore::In::String;
        m_isTriple = m_isPython && rest.startsWith(three);
        m_isRaw = !m_isPython && quote == u'"' && m_at > 0 && m_text[m_at - 1] == u'R';
        if (m_isTriple) {
            m_at += 2;
        } else if (m_isRaw) {
            const qsizetype bracket = rest.indexOf(u'(');
            m_rawEnd = u')' + rest.mid(1, std::max<qsizetype>(bracket - 1, 0)).toString() + u'"';
        }
    }

    void readString(QChar sign) {
        if (m_isRaw) {
            if (QStringView(m_text).sliced(m_at).startsWith(m_rawEnd)) {
                m_at += m_rawEnd.size() - 1;
                m_now.in = TextBefore::In::Code;
                m_now.lastSign = u'"';
            }
            return;
        }
        if (sign == u'\\') {
            if (m_at + 1 < m_text.size() && m_text[m_at + 1] != u'\n')
                ++m_at;
            return;
        }
        if (sign != m_now.quote)
            return;
        if (m_isTriple && !QStringView(m_text).sliced(m_at).startsWith(QString(3, sign)))
            return;
        m_at += m_isTriple ? 2 : 0;
        m_now.in = TextBefore::In::Code;
        m_now.lastSign = sign;
    }

    void readComment() {
        if (m_now.in == TextBefore::In::LineComment || !isNext("*/"))
            return;
        ++m_at;
        m_now.in = TextBefore::In::Code;
    }

    [[nodiscard]] int column() const {
        int column = 0;
        for (qsizetype i = m_lineStart; i < m_at; ++i)
            column += m_text[i] == u'\t' ? m_tabWidth - column % m_tabWidth : 1;
        return column;
    }

    const QString &m_text;
    const bool m_isPython;
    const int m_tabWidth;
    TextBefore &m_now;
    QString &m_rawEnd;
    bool &m_isInStatement;
    bool &m_isTriple;
    bool &m_isRaw;
    qsizetype m_at = 0;
    qsizetype m_lineStart = 0;
};

int alignedWith(const TextBefore::Bracket &bracket, int width) {
    return bracket.endsLine ? bracket.statementIndent + width : bracket.column + 1;
}

} // namespace

void readOn(TextReading &reading, const QString &text, qsizetype from, CodeEditor::Language language,
            int tabWidth) {
    Reader(reading, text, language == CodeEditor::Language::Python, tabWidth).read(from);
}

TextBefore endOf(TextReading reading) {
    TextBefore &now = reading.now;
    if (!now.open.empty() && now.open.back().line == now.lastLine)
        now.open.back().endsLine = isOpening(now.lastSign);
    now.isWhole = !reading.isInStatement;
    return std::move(now);
}

TextBefore lookBefore(const QString &text, CodeEditor::Language language, int tabWidth) {
    TextReading reading;
    readOn(reading, text, 0, language, tabWidth);
    return endOf(std::move(reading));
}

int indentBehind(const TextBefore &before, CodeEditor::Language language, int width) {
    const bool isInText = before.in == TextBefore::In::Comment || before.in == TextBefore::In::String;
    if (language == CodeEditor::Language::Plain || isInText || before.lastSign.isNull() || before.isDirective)
        return before.lastIndent;
    const TextBefore::Bracket *innermost = before.open.empty() ? nullptr : &before.open.back();
    const bool isPython = language == CodeEditor::Language::Python;
    if (innermost != nullptr && (isPython || innermost->sign != u'{')) {
        if (innermost->line == before.lastLine)
            return innermost->endsLine ? before.lastIndent + width : innermost->column + 1;
        return before.hasClosedOlder ? alignedWith(*innermost, width) : before.lastIndent;
    }
    if (isPython) {
        static const QStringList last{QStringLiteral("return"), QStringLiteral("pass"),
                                      QStringLiteral("raise"), QStringLiteral("break"),
                                      QStringLiteral("continue")};
        if (before.lastSign == u':')
            return before.statementIndent + width;
        if (last.contains(before.firstWord))
            return std::max(0, before.statementIndent - width);
        return before.statementIndent;
    }
    if (innermost != nullptr && innermost->line == before.lastLine)
        return innermost->statementIndent + width;
    if (before.isWhole)
        return before.statementIndent;
    static const QStringList heads{QStringLiteral("if"), QStringLiteral("for"), QStringLiteral("while"),
                                   QStringLiteral("else")};
    const bool isHead = heads.contains(before.firstWord) && before.lastSign == u')';
    const bool isWord =
        (before.firstWord == QLatin1String("else") || before.firstWord == QLatin1String("do")) &&
        before.lastSign == before.firstWord.back();
    const bool wantsMore = QStringLiteral("=+-|&?/%").contains(before.lastSign);
    if (isHead || isWord || (wantsMore && before.statementLine == before.lastLine))
        return before.statementIndent + width;
    return before.lastIndent;
}

int indentOfClosing(const TextBefore &before, QChar closing) {
    if (before.in != TextBefore::In::Code)
        return -1;
    for (auto bracket = before.open.rbegin(); bracket != before.open.rend(); ++bracket)
        if (partnerOf(bracket->sign) == closing)
            return bracket->statementIndent;
    return -1;
}

QChar partnerOf(QChar opening) {
    switch (opening.unicode()) {
    case u'(':
        return u')';
    case u'[':
        return u']';
    case u'{':
        return u'}';
    case u'"':
    case u'\'':
        return opening;
    default:
        return {};
    }
}

bool closesItself(QChar opening, const TextBefore &before, QChar back, QChar next,
                  const QString &wordBefore) {
    const QChar closing = partnerOf(opening);
    if (closing.isNull() || before.in != TextBefore::In::Code || before.isDirective)
        return false;
    const bool isFree =
        next.isNull() || next.isSpace() || isClosing(next) || next == u';' || next == u',' || next == u':';
    if (!isFree)
        return false;
    if (!isQuote(opening))
        return true;
    static const QStringList prefixes{QStringLiteral("f"),  QStringLiteral("r"),  QStringLiteral("b"),
                                      QStringLiteral("u"),  QStringLiteral("rb"), QStringLiteral("br"),
                                      QStringLiteral("fr"), QStringLiteral("rf"), QStringLiteral("u8"),
                                      QStringLiteral("l")};
    if (isWordSign(back))
        return opening == u'"' && prefixes.contains(wordBefore.toLower());
    return back != opening; // the third of three
}

} // namespace warpwright
