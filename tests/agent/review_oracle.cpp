// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/agent/review_oracle.h"

#include <algorithm>

using namespace warpwright;

ReviewOracle::ReviewOracle(const TextLines &base, const std::vector<Hunk> &hunks) {
    std::size_t line = 0;
    const auto copyTo = [&](int end) {
        for (; line < static_cast<std::size_t>(end); ++line)
            m_elements.push_back({Element::Line, 0, base[line]});
    };
    for (const Hunk &hunk : hunks) {
        copyTo(hunk.start);
        m_elements.push_back({Element::Begin, hunk.id, {}});
        copyTo(hunk.end());
        m_elements.push_back({Element::End, hunk.id, {}});
    }
    copyTo(static_cast<int>(base.size()));
}

void ReviewOracle::typed(const TextEdit &edit) {
    using Place = std::list<Element>::iterator;
    Place at = m_elements.begin();
    int open = 0; // the hunk around `at`
    const auto pass = [&] {
        open = at->kind == Element::Begin ? at->hunk : at->kind == Element::End ? 0 : open;
        ++at;
    };
    for (int line = 0; line < edit.start; pass())
        line += at->kind == Element::Line ? 1 : 0;
    Place place;
    std::vector<Place> gone;
    if (edit.removed == 0) {
        // Behind the hunk that ends here, before one that begins here.
        while (at != m_elements.end() && at->kind == Element::End)
            ++at;
        place = at;
    } else {
        while (at->kind != Element::Line)
            pass();
        place = at;
        bool isInHunk = false;
        for (;; pass()) {
            const bool isEmptyHunk = at->kind == Element::Begin && std::next(at)->kind == Element::End;
            if (!isInHunk && (isEmptyHunk || (at->kind == Element::Line && open != 0))) {
                place = isEmptyHunk ? std::next(at) : at;
                isInHunk = true;
            }
            if (at->kind != Element::Line)
                continue;
            gone.push_back(at);
            if (static_cast<int>(gone.size()) == edit.removed)
                break;
        }
    }
    for (const QByteArray &line : edit.inserted)
        m_elements.insert(place, {Element::Line, 0, line});
    for (const Place line : gone)
        m_elements.erase(line);
}

void ReviewOracle::stand(int hunk, const TextLines &lines) {
    const auto begin = std::find_if(m_elements.begin(), m_elements.end(), [hunk](const Element &element) {
        return element.kind == Element::Begin && element.hunk == hunk;
    });
    auto at = std::next(begin);
    while (at->kind != Element::End)
        at = m_elements.erase(at);
    for (const QByteArray &line : lines)
        m_elements.insert(at, {Element::Line, 0, line});
}

TextLines ReviewOracle::text() const {
    TextLines lines;
    for (const Element &element : m_elements)
        if (element.kind == Element::Line)
            lines.push_back(element.bytes);
    return lines;
}

TextLines ReviewOracle::linesOf(int hunk) const {
    TextLines lines;
    bool isInside = false;
    for (const Element &element : m_elements) {
        if (element.kind != Element::Line)
            isInside = element.kind == Element::Begin && element.hunk == hunk;
        else if (isInside)
            lines.push_back(element.bytes);
    }
    return lines;
}

int ReviewOracle::startOf(int hunk) const {
    int line = 0;
    for (const Element &element : m_elements) {
        if (element.kind == Element::Begin && element.hunk == hunk)
            return line;
        line += element.kind == Element::Line ? 1 : 0;
    }
    return -1;
}
