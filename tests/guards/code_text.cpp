// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/guards/code_text.h"

#include <algorithm>

namespace warpwright {

namespace {

bool isWordSign(char16_t sign) {
    return (sign >= u'a' && sign <= u'z') || (sign >= u'A' && sign <= u'Z') ||
           (sign >= u'0' && sign <= u'9') || sign == u'_';
}

// Goes over the text by pointer: QString's own access costs a call a sign in a debug build, and there are ten
// million of them.
class Blanking {
public:
    struct Span {
        CodePiece::Kind kind;
        qsizetype begin, end;
    };

    /// `spans`: gets what was blanked, but for characters and the preprocessor's lines; null: is not asked
    /// for.
    explicit Blanking(QString &text, QVector<Span> *spans = nullptr)
        : m_begin(reinterpret_cast<char16_t *>(text.data())),
          m_end(m_begin + text.size()),
          m_at(m_begin),
          m_spans(spans) {}

    void run() {
        bool isLineBegin = true;
        while (m_at < m_end) {
            const char16_t sign = *m_at;
            const char16_t *const begin = m_at;
            if (sign == u'\n')
                isLineBegin = true;
            else if (isLineBegin && (sign == u'#' || (sign == u'%' && next() == u':'))) {
                blankDirective();
                note(CodePiece::Kind::Directive, begin);
            } else if (sign == u'/' && next() == u'/') {
                blankLine();
                note(CodePiece::Kind::Comment, begin);
            } else if (sign == u'/' && next() == u'*') {
                blankTo(u"*/");
                note(CodePiece::Kind::Comment, begin);
            } else if (sign == u'"' && isRaw()) {
                blankRaw();
                note(CodePiece::Kind::RawLiteral, begin);
                isLineBegin = false;
            } else if (sign == u'"') {
                blankLiteral(sign);
                note(CodePiece::Kind::Literal, begin);
            } else if (sign == u'\'' && !isWithinNumber())
                blankLiteral(sign);
            else if (sign != u' ' && sign != u'\t')
                isLineBegin = false;
            if (m_at < m_end)
                ++m_at;
        }
    }

private:
    char16_t next() const { return m_at + 1 < m_end ? m_at[1] : u'\0'; }

    // Whatever blanks ends on its last sign.
    void note(CodePiece::Kind kind, const char16_t *begin) {
        if (m_spans)
            m_spans->append({kind, begin - m_begin, std::min(m_at + 1, m_end) - m_begin});
    }

    void blank() {
        if (*m_at != u'\n')
            *m_at = u' ';
        ++m_at;
    }

    // Ends before the line break that is not escaped.
    void blankLine() {
        bool isEscaped = false;
        while (m_at < m_end && (*m_at != u'\n' || isEscaped)) {
            isEscaped = *m_at == u'\\';
            blank();
        }
        if (m_at < m_end)
            --m_at; // run() is to see the line break
    }

    // As blankLine(), but a comment or a raw literal may go on in the lines below.
    void blankDirective() {
        const qsizetype begin = m_at - m_begin;
        for (; m_at < m_end && *m_at != u'\n'; ++m_at) {
            if (*m_at == u'/' && next() == u'/') {
                blankLine();
                m_at = std::min(m_at + 1, m_end);
                break;
            }
            if (*m_at == u'/' && next() == u'*')
                blankTo(u"*/");
            else if (*m_at == u'"' && isRaw())
                blankRaw();
            else if (*m_at == u'"' || (*m_at == u'\'' && !isWithinNumber()))
                blankLiteral(*m_at);
            else if (*m_at == u'\\' && m_at + 1 < m_end)
                ++m_at; // a line break is escaped
        }
        char16_t *const end = std::min(m_at, m_end); // a comment that is not closed ends behind it
        for (m_at = m_begin + begin; m_at < end;)
            blank();
        if (m_at < m_end)
            --m_at; // run() is to see the line break
    }

    // Ends on the last sign of `closing`.
    void blankTo(QStringView closing) {
        while (m_at < m_end) {
            if (*m_at == closing.front() && QStringView(m_at, m_end).startsWith(closing)) {
                for (qsizetype i = 0; i < closing.size(); ++i)
                    blank();
                --m_at;
                return;
            }
            blank();
        }
    }

    bool isRaw() const {
        if (m_at == m_begin || m_at[-1] != u'R')
            return false;
        const char16_t *before = m_at - 1;
        while (before > m_begin && isWordSign(before[-1]))
            --before;
        const QStringView prefix(before, m_at);
        return prefix == u"R" || prefix == u"u8R" || prefix == u"uR" || prefix == u"LR";
    }

    void blankRaw() {
        const char16_t *opening = m_at + 1;
        const char16_t *name = opening;
        while (name < m_end && *name != u'(')
            ++name;
        const QString closing = ')' + QStringView(opening, name).toString() + '"';
        blankTo(closing);
    }

    void blankLiteral(char16_t quote) {
        blank();
        while (m_at < m_end && *m_at != quote && *m_at != u'\n') {
            if (*m_at == u'\\' && m_at + 1 < m_end)
                blank();
            blank();
        }
        if (m_at < m_end && *m_at == quote)
            *m_at = u' ';
        else
            --m_at;
    }

    // As in 1'000'000, and not as in u'x'.
    bool isWithinNumber() const {
        const char16_t *before = m_at;
        while (before > m_begin && (isWordSign(before[-1]) || before[-1] == u'\''))
            --before;
        return before < m_at && *before >= u'0' && *before <= u'9';
    }

    char16_t *m_begin;
    char16_t *m_end;
    char16_t *m_at;
    QVector<Span> *m_spans;
};

} // namespace

QString codeText(const QStringList &lines) {
    QString text = lines.join('\n');
    Blanking(text).run();
    return text;
}

QVector<CodePiece> codePieces(const QStringList &lines) {
    const QString text = lines.join('\n');
    QString blanked = text;
    QVector<Blanking::Span> spans;
    Blanking(blanked, &spans).run();
    QVector<CodePiece> pieces;
    int line = 1;
    qsizetype counted = 0;
    for (const Blanking::Span &span : spans) {
        line += int(QStringView(text).mid(counted, span.begin - counted).count(u'\n'));
        counted = span.begin;
        pieces.append({span.kind, text.mid(span.begin, span.end - span.begin), line});
    }
    return pieces;
}

} // namespace warpwright
