// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/text/token_text.h"

namespace warpwright {
namespace {

bool isWord(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '$' || static_cast<unsigned char>(c) >= 0x80;
}

bool isDigit(char c) {
    return c >= '0' && c <= '9';
}

/// One pass over a text. Each take…() eats one thing from m_at on and says whether it was clear what it is.
class Blanker {
public:
    explicit Blanker(const QByteArray &text) : m_text(text) { m_out.reserve(text.size()); }

    std::optional<QByteArray> run() {
        while (m_at < m_text.size())
            if (!takeOne())
                return std::nullopt;
        endLine();
        return m_out;
    }

private:
    [[nodiscard]] char at(qsizetype offset) const {
        const qsizetype place = m_at + offset;
        return place < m_text.size() ? m_text[place] : '\0';
    }

    void keep(qsizetype count) {
        m_out.append(m_text.constData() + m_at, count);
        m_at += count;
    }

    /// Blanks that only stood before a comment go with it, so that a comment may be added to a line. Others
    /// stay: the end of a line may lie in a macro that is printed, and nobody edits those.
    void endLine() {
        if (m_lineHasComment)
            while (m_out.endsWith(' ') || m_out.endsWith('\t'))
                m_out.chop(1);
        m_lineHasComment = false;
    }

    bool takeOne() {
        const char c = at(0);
        if (c == '\n') {
            endLine();
            keep(1);
            m_isInDirective = false;
            m_lineIsEmpty = true;
            return true;
        }
        if (c == '\0' || c == '\r' || c == '\v' || c == '\f')
            return false; // Line ends that not every tool counts alike.
        if (c == '\\')
            return takeBackslash();
        if (c == '/' && at(1) == '/')
            return takeLineComment();
        if (c == '/' && at(1) == '*')
            return takeBlockComment();
        if (c == '/' && at(1) == '\\')
            return false; // Perhaps a comment whose two characters stand on two lines.
        if (c == '?' && at(1) == '?')
            return false; // Trigraphs: in some modes ??/ is a backslash.
        if (c == '<' && m_isInDirective && !angleIsClear())
            return false;
        if (c == '"' || c == '\'')
            return takeLiteral(c);
        if (isDigit(c) || (c == '.' && isDigit(at(1))))
            return takeNumber();
        if (isWord(c))
            return takeWord();
        if (c == '#' && m_lineIsEmpty)
            m_isInDirective = true;
        if (c == '%' && at(1) == ':' && m_lineIsEmpty)
            m_isInDirective = true;
        if (c != ' ' && c != '\t')
            m_lineIsEmpty = false;
        keep(1);
        return true;
    }

    /// In code only as the last character of a line.
    bool takeBackslash() {
        if (at(1) != '\n')
            return false;
        keep(2);
        return true;
    }

    bool takeLineComment() {
        qsizetype end = m_text.indexOf('\n', m_at);
        if (end < 0)
            end = m_text.size();
        qsizetype last = end - 1;
        while (last > m_at && (m_text[last] == ' ' || m_text[last] == '\t' || m_text[last] == '\r'))
            --last;
        if (m_text[last] == '\\' || m_text[end - 1] == '\r')
            return false;
        m_at = end;
        m_lineHasComment = true;
        return true;
    }

    bool takeBlockComment() {
        const qsizetype end = m_text.indexOf("*/", m_at + 2);
        // *\⏎/ also ends a comment, by the book.
        if (end < 0 || m_text.mid(m_at, end - m_at).contains("*\\"))
            return false;
        for (; m_at < end + 2; ++m_at) {
            if (m_text[m_at] == '\r')
                return false;
            m_lineHasComment = true;
            if (m_text[m_at] == '\n') {
                endLine();
                m_out += '\n';
            } else {
                // Tabs keep their width.
                m_out += m_text[m_at] == '\t' ? '\t' : ' ';
            }
        }
        m_lineHasComment = true;
        return true;
    }

    /// <a//b> and <a/*b> are names of headers.
    [[nodiscard]] bool angleIsClear() const {
        for (qsizetype i = m_at; i + 1 < m_text.size() && m_text[i] != '\n' && m_text[i] != '>'; ++i)
            if (m_text[i] == '/' && (m_text[i + 1] == '/' || m_text[i + 1] == '*'))
                return false;
        return true;
    }

    bool takeLiteral(char quote) {
        qsizetype end = m_at + 1;
        for (;; ++end) {
            if (end >= m_text.size() || m_text[end] == '\n' || m_text[end] == '\r')
                return false;
            if (m_text[end] == quote)
                break;
            if (m_text[end] == '\\')
                ++end; // Whatever is escaped, the end of the line too, is no end of the literal.
        }
        m_lineIsEmpty = false;
        keep(end + 1 - m_at);
        return true;
    }

    bool takeRawString() {
        const qsizetype open = m_text.indexOf('(', m_at);
        if (open < 0 || open - m_at > 17)
            return false;
        const QByteArray close = ')' + m_text.mid(m_at + 1, open - m_at - 1) + '"';
        const qsizetype end = m_text.indexOf(close, open);
        if (end < 0 || close.contains('\n') || close.contains(' ') || close.contains('\\'))
            return false;
        keep(end + close.size() - m_at);
        return true;
    }

    /// 1'000'000, 0x1p-3, 1e+5: here ' opens no literal.
    bool takeNumber() {
        m_lineIsEmpty = false;
        keep(1);
        for (;;) {
            const char before = m_text[m_at - 1];
            const char c = at(0);
            const bool isSign =
                (c == '+' || c == '-') && (before == 'e' || before == 'E' || before == 'p' || before == 'P');
            if (!isWord(c) && c != '.' && !isSign && !(c == '\'' && isWord(at(1))))
                return true;
            keep(1);
        }
    }

    bool takeWord() {
        m_lineIsEmpty = false;
        qsizetype end = m_at;
        while (end < m_text.size() && isWord(m_text[end]))
            ++end;
        const QByteArray word = m_text.mid(m_at, end - m_at);
        if (word == "__DATE__" || word == "__TIME__" || word == "__TIMESTAMP__")
            return false;
        keep(end - m_at);
        if (at(0) == '"' && (word == "R" || word == "LR" || word == "uR" || word == "UR" || word == "u8R"))
            return takeRawString();
        // A word that goes on in the next line may become any of these.
        return !(at(0) == '\\' && at(1) == '\n');
    }

    const QByteArray &m_text;
    QByteArray m_out;
    qsizetype m_at = 0;
    bool m_lineHasComment = false;
    bool m_isInDirective = false;
    bool m_lineIsEmpty = true;
};

} // namespace

std::optional<QByteArray> textWithoutComments(const QByteArray &text) {
    return Blanker(text).run();
}

} // namespace warpwright
