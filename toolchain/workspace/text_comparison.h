// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/workspace/candidate_texts.h"
#include "toolchain/workspace/compared_row.h"

#include <QString>

#include <vector>

namespace warpwright {

/// Rows that differ, one after the other: where «next change» goes.
struct ComparedHunk {
    int firstRow = 0;
    int rowCount = 0;

    bool operator==(const ComparedHunk &) const = default;
};

struct ComparedFile {
    enum class Kind {
        Same,
        Changed,
        Added,
        Removed,
        LineEnds, ///< the words are the same, the ends of lines are not (CR LF, or the last one)
        Binary,   ///< differs, and holds bytes that are no text, or is too long to show
    };

    QString path;
    Kind kind = Kind::Same;
    std::vector<ComparedRow> rows;   ///< the whole file; none for Same and Binary
    std::vector<ComparedHunk> hunks; ///< in order
    int removed = 0;                 ///< lines, as git counts them
    int added = 0;
    int changedRows = 0; ///< rows that are not Same

    bool operator==(const ComparedFile &) const = default;
};

/// Two texts beside each other. Files sorted by path; `Same` ones are there too, without rows.
struct TextComparison {
    std::vector<ComparedFile> files;

    [[nodiscard]] bool isSame() const;
    [[nodiscard]] std::vector<ComparedFile> differing() const;
    bool operator==(const TextComparison &) const = default;
};

/// Files over this many bytes, or with a longer line than `longestComparedLine`, are compared as Binary.
inline constexpr qsizetype largestComparedFile = 8 * 1024 * 1024;
inline constexpr qsizetype longestComparedLine = 64 * 1024;

[[nodiscard]] TextComparison compareTexts(const CandidateTexts &left, const CandidateTexts &right);
[[nodiscard]] ComparedFile compareFile(const QString &path, const QByteArray &left, const QByteArray &right);

/// «3 lines in kernels/softmax.cu», «new kernels/row.cu», «5 lines in 3 files»: one line for a person. Empty
/// for the same text.
[[nodiscard]] QString changeNote(const TextComparison &comparison);

} // namespace warpwright
