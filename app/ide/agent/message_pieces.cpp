// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/agent/message_pieces.h"

#include <QRegularExpression>
#include <QStringView>

namespace warpwright {
namespace {

constexpr qsizetype leastLetters = 600;
constexpr int linesOfCode = 40; ///< in one piece
constexpr qsizetype plainLetters = 2000;

/// The marks that open or close a block of code at the margin; empty: the line does neither.
QStringView fenceOf(QStringView line) {
    qsizetype length = 0;
    while (length < line.size() && (line[length] == u'`' || line[length] == u'~') && line[length] == line[0])
        ++length;
    return length >= 3 ? line.left(length) : QStringView();
}

/// A line at the margin that begins a block of its own, whatever stands before it.
bool beginsAnew(QStringView line) {
    static const QRegularExpression goesOn(QStringLiteral("^(\\s|[-*+]\\s|[>|]|\\d+[.)])"));
    return !line.isEmpty() && !goesOn.match(line.toString()).hasMatch();
}

class Cutter {
public:
    void take(QStringView line) {
        const QStringView fence = fenceOf(line);
        if (!m_fence.isEmpty()) {
            add(line);
            const bool closes =
                fence.startsWith(QStringView(m_fence)) && fence.size() == line.trimmed().size();
            if (closes) {
                m_fence.clear();
                m_canCut = true;
            } else if (++m_codeLines >= linesOfCode) {
                m_text += m_fence;
                const QString opening = m_opening;
                cut(true);
                m_text = opening + u'\n';
                m_codeLines = 0;
            }
            return;
        }
        if (!fence.isEmpty()) {
            if (m_text.size() >= leastLetters)
                cut(false);
            m_fence = fence.toString();
            m_opening = line.toString();
            m_codeLines = 0;
            add(line);
            return;
        }
        if (m_canCut && m_text.size() >= leastLetters && beginsAnew(line))
            cut(false);
        if (line.trimmed().isEmpty())
            m_canCut = true;
        else
            m_canCut = false;
        add(line);
    }

    std::vector<MessagePiece> finish() {
        if (!m_text.isEmpty())
            cut(false);
        return std::move(m_pieces);
    }

private:
    void add(QStringView line) {
        m_text += line;
        m_text += u'\n';
    }
    void cut(bool joinsNext) {
        m_pieces.push_back({m_text, joinsNext});
        m_text.clear();
        m_canCut = false;
    }

    std::vector<MessagePiece> m_pieces;
    QString m_text;
    QString m_fence;   ///< of the block of code that is open
    QString m_opening; ///< its first line
    int m_codeLines = 0;
    bool m_canCut = false; ///< the line before ended a block
};

} // namespace

std::vector<MessagePiece> markdownPieces(const QString &text) {
    // Links that are explained elsewhere need the whole.
    static const QRegularExpression reference(QStringLiteral("^\\[[^\\]]+\\]:"),
                                              QRegularExpression::MultilineOption);
    if (text.size() < leastLetters || reference.match(text).hasMatch())
        return {{text, false}};
    Cutter cutter;
    for (const QStringView line : QStringView(text).split(u'\n'))
        cutter.take(line);
    return cutter.finish();
}

std::vector<MessagePiece> plainPieces(const QString &text) {
    std::vector<MessagePiece> pieces;
    qsizetype from = 0;
    while (text.size() - from > plainLetters) {
        const qsizetype end = text.indexOf(u'\n', from + plainLetters / 2);
        // A line without an end is cut between words, or it would be laid out whole each time.
        const qsizetype space = text.indexOf(u' ', from + plainLetters);
        const qsizetype at = end >= 0 && end < from + 2 * plainLetters ? end : space;
        if (at < 0)
            break;
        pieces.push_back({text.mid(from, at - from), true});
        from = at + 1;
    }
    pieces.push_back({text.mid(from), false});
    return pieces;
}

} // namespace warpwright
