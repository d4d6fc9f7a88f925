// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/finding/found.h"

#include "toolchain/text/character_column.h"

#include <algorithm>

namespace warpwright {
namespace {

constexpr qsizetype pieceSize = 64 * 1024;
constexpr int before = 60; ///< shown of a long line before the match

// In order: where a byte is, by lines and characters.
class Places {
public:
    explicit Places(const QByteArray &bytes, int firstLine) : m_bytes(bytes), m_line(firstLine) {}

    FoundHit at(const SearchHit &hit) {
        for (qsizetype end = m_bytes.indexOf('\n', m_begins); end >= 0 && end < hit.start;
             end = m_bytes.indexOf('\n', m_begins)) {
            m_begins = end + 1;
            ++m_line;
        }
        qsizetype end = m_bytes.indexOf('\n', m_begins);
        if (end < 0)
            end = m_bytes.size();
        const auto characters = [this](qsizetype from, qsizetype to) {
            return QString::fromUtf8(m_bytes.constData() + from, std::max<qsizetype>(0, to - from));
        };
        const QString left = characters(m_begins, hit.start);
        const QString match = characters(hit.start, std::min<qsizetype>(hit.start + hit.length, end));
        const QString right = characters(std::min<qsizetype>(hit.start + hit.length, end), end);
        FoundHit found;
        found.line = m_line;
        found.unit = static_cast<int>(left.size());
        found.column = characterColumn(left, left.size() + 1);
        // Indentation tells nothing here.
        QString shown = left;
        while (!shown.isEmpty() && shown[0].isSpace())
            shown.remove(0, 1);
        if (shown.size() > before && shown.size() + match.size() + right.size() > shownOfLine)
            shown = QStringLiteral("…") + shown.right(before);
        found.start = static_cast<int>(shown.size());
        found.length = static_cast<int>(std::min<qsizetype>(match.size(), shownOfLine));
        found.words = shown + match.left(shownOfLine) +
                      right.left(std::max<qsizetype>(0, shownOfLine - shown.size() - match.size()));
        if (found.words.endsWith(u'\r'))
            found.words.chop(1);
        return found;
    }

private:
    const QByteArray &m_bytes;
    qsizetype m_begins = 0;
    int m_line;
};

} // namespace

QString whyNoQuery(const SearchQuery &query) {
    return findInText(QString(), query).problem;
}

bool findLines(const QString &text, std::size_t number, const Question &question, std::size_t most,
               const std::atomic_bool &stops, const std::function<void(std::vector<FoundHit>)> &found) {
    std::size_t count = 0;
    int line = 1;
    long offset = 0;
    for (qsizetype start = 0; start < text.size() && !stops;) {
        qsizetype end = text.size() - start <= pieceSize ? -1 : text.indexOf(u'\n', start + pieceSize);
        end = end < 0 ? text.size() : end + 1;
        const QString piece = text.mid(start, end - start);
        const QByteArray bytes = piece.toUtf8();
        SearchHits hits;
        std::vector<Replacement> replacements;
        if (question.replacement) {
            replacements = replacementsInText(piece, question.query, *question.replacement);
            for (const Replacement &each : replacements)
                hits.hits.push_back(each.hit);
        } else {
            hits = findInText(piece, question.query);
        }
        std::vector<FoundHit> here;
        Places places(bytes, line);
        bool isCut = hits.isCut;
        for (std::size_t i = 0; i < hits.hits.size(); ++i) {
            isCut = isCut || count == most;
            if (count == most || stops)
                break;
            FoundHit one = places.at(hits.hits[i]);
            one.text = number;
            one.hit = {hits.hits[i].start + offset, hits.hits[i].length};
            if (question.replacement)
                one.replacement = replacements[i].text;
            here.push_back(std::move(one));
            ++count;
        }
        if (!here.empty())
            found(std::move(here));
        if (isCut)
            return false;
        line += static_cast<int>(piece.count(u'\n'));
        offset += static_cast<long>(bytes.size());
        start = end;
    }
    return true;
}

} // namespace warpwright
