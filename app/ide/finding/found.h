// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/listing/text_search.h"

#include <QString>

#include <atomic>
#include <functional>
#include <optional>
#include <vector>

namespace warpwright {

/// A text that can be searched, and how one comes to its lines.
struct SearchedText {
    enum Kind { Candidate, Reference, OtherFile, CompilerOutput, Console, Sass, Ptx, Conversation, PastRun };

    Kind kind = Candidate;
    QString title;                 ///< "kernels/softmax.cu", «SASS of softmax_rows»
    QString path;                  ///< of a file; empty: it is none
    int number = -1;               ///< of the kernel in its inspection
    std::function<QString()> read; ///< in the pool; of values alone
    std::vector<int> begins = {};  ///< of a conversation: the line (from 1) at which each event begins
};

/// A place where the words are.
struct FoundHit {
    std::size_t text = 0; ///< in the list of texts
    SearchHit hit;        ///< in bytes of that text
    int line = 1;
    int column = 1;                     ///< from 1, in characters, as an editor counts
    int unit = 0;                       ///< the same from 0, in UTF-16's units, as a log counts
    QString words;                      ///< of its line, as much as is shown
    int start = 0;                      ///< of the match in `words`, characters
    int length = 0;                     ///< of it there
    std::optional<QString> replacement; ///< what would take its place; none: nothing would

    bool operator==(const FoundHit &) const = default;
};

struct Question {
    SearchQuery query;
    std::optional<QString> replacement; ///< for the candidate's files; none: nothing is replaced

    bool operator==(const Question &) const = default;
};

/// Why the words cannot be searched for, as a sentence; empty: they can.
[[nodiscard]] QString whyNoQuery(const SearchQuery &query);

/// At most this many characters of a line are shown.
inline constexpr int shownOfLine = 240;

/// Looks through a text in pieces of whole lines. `found` gets the hits of each piece, at most `most` in all;
/// `stops` ends it between two pieces. Gives false where there were more than `most`.
[[nodiscard]] bool findLines(const QString &text, std::size_t number, const Question &question,
                             std::size_t most, const std::atomic_bool &stops,
                             const std::function<void(std::vector<FoundHit>)> &found);

} // namespace warpwright
