// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/review/hunk_folds.h"
#include "widgets/review/shown_hunk.h"

#include <map>

/// Where the rows of hunks stand between the lines of a document. Lines count from 0 here.
namespace warpwright {

struct HunkRow {
    enum Kind {
        Head,     ///< the upper half of a head
        HeadRest, ///< the lower half
        Added,    ///< a line that would come
        Refused,  ///< a line that was to come in a past run, and did not
        Gone,     ///< a line that went in a past run
        Hidden,   ///< stands for lines that are not shown
    };
    Kind kind = Head;
    int hunk = -1; ///< its place among the hunks; -1: none
    /// Added, Refused: of the hunk's new lines; Gone: of its gone lines; Hidden: the first hidden line.
    int index = 0;
    int count = 0; ///< Hidden: how many

    bool operator==(const HunkRow &) const = default;
};

/// By the line that they stand below; -1: above the first, where Scintilla has no room. In an empty document
/// (`lineCount` 1, nothing in it) they stand below its one line.
[[nodiscard]] std::map<int, std::vector<HunkRow>> hunkRows(const std::vector<ShownHunk> &hunks,
                                                           const std::vector<HunkFolds::Stretch> &hidden,
                                                           bool isEmptyDocument);
/// The lines that would go.
[[nodiscard]] std::vector<int> removedLines(const ShownHunk &hunk);
/// The lines that came, of a past one that stands.
[[nodiscard]] std::vector<int> cameLines(const ShownHunk &hunk);
/// What no hunk touches, but for `around` lines beside each; nothing under `least` lines.
[[nodiscard]] std::vector<HunkFolds::Stretch> unchangedStretches(const std::vector<ShownHunk> &hunks,
                                                                 int lineCount, int around, int least);

} // namespace warpwright
