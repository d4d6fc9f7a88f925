// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <vector>

namespace warpwright {

struct SearchQuery {
    QString words;
    bool matchesCase = false;
    bool isWholeWord = false;
    bool isExpression = false; ///< a regular expression, line by line

    bool operator==(const SearchQuery &) const = default;
};

/// In bytes of the text's UTF-8, as editors count; never empty.
struct SearchHit {
    long start = 0;
    long length = 0;

    bool operator==(const SearchHit &) const = default;
};

struct SearchHits {
    std::vector<SearchHit> hits;
    bool isCut = false; ///< there are more than mostHits
    QString problem;    ///< why the expression is none, as a sentence; empty: it is one

    bool operator==(const SearchHits &) const = default;
};

inline constexpr std::size_t mostHits = 10'000;

[[nodiscard]] SearchHits findInText(const QString &text, const SearchQuery &query);

struct Replacement {
    SearchHit hit;
    QString text;

    bool operator==(const Replacement &) const = default;
};

/// Every hit, however many, and what takes its place. With an expression «\1» to «\9» and «$1» to «$9» in
/// `replacement` are its groups, «\n» and «\t» what they say.
[[nodiscard]] std::vector<Replacement> replacementsInText(const QString &text, const SearchQuery &query,
                                                          const QString &replacement);

} // namespace warpwright
