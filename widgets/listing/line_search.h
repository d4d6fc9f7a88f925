// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/listing/text_search.h"

namespace warpwright {

/// A hit in a listing; characters of its line.
struct LineHit {
    int line = 0; ///< from 0
    int start = 0;
    int length = 0;

    bool operator==(const LineHit &) const = default;
};

struct LineHits {
    std::vector<LineHit> hits;
    bool isCut = false; ///< there are more than mostHits
    QString problem;    ///< why the expression is none; empty: it is one

    bool operator==(const LineHits &) const = default;
};

/// As findInText(), by lines. `once`: a line counts once however often it has the words.
[[nodiscard]] LineHits findInLines(const QString &text, const SearchQuery &query, bool once);

} // namespace warpwright
