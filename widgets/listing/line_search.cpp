// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/listing/line_search.h"

#include <algorithm>

namespace warpwright {

LineHits findInLines(const QString &text, const SearchQuery &query, bool once) {
    SearchHits found = findInText(text, query);
    LineHits lines;
    lines.isCut = found.isCut;
    lines.problem = found.problem;
    const QByteArray bytes = text.toUtf8();
    const auto characters = [&bytes](qsizetype from, qsizetype to) {
        return static_cast<int>(QString::fromUtf8(bytes.constData() + from, to - from).size());
    };
    int line = 0;
    qsizetype begins = 0; // of the line
    qsizetype known = 0;  // in it, with so many characters before it
    int before = 0;
    for (const SearchHit &hit : found.hits) {
        for (qsizetype end = bytes.indexOf('\n', begins); end >= 0 && end < hit.start;
             end = bytes.indexOf('\n', begins)) {
            begins = known = end + 1;
            before = 0;
            ++line;
        }
        if (once && !lines.hits.empty() && lines.hits.back().line == line)
            continue;
        before += characters(known, hit.start);
        known = hit.start;
        qsizetype end = bytes.indexOf('\n', hit.start);
        end = std::min<qsizetype>(end < 0 ? bytes.size() : end, hit.start + hit.length);
        lines.hits.push_back({line, before, characters(hit.start, std::max<qsizetype>(hit.start, end))});
    }
    return lines;
}

} // namespace warpwright
