// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/interface/proposal.h"
#include "agent/interface/text_lines.h"
#include "toolchain/base/json.h"
#include "toolchain/workspace/candidate_texts.h"

#include <QByteArray>
#include <QString>

#include <vector>

namespace warpwright {

/// Lines of one file that give way to others; bytes as they are, each line with its end.
struct LineChange {
    QString file;     ///< after any rename
    int oldStart = 0; ///< from 0, in the text before
    std::vector<QByteArray> oldLines;
    std::vector<QByteArray> newLines;
    bool hadFile = true; ///< false: the file is new
    bool hasFile = true; ///< false: the file is gone afterwards; its hunk holds all of its lines

    bool operator==(const LineChange &) const = default;
};

/// What turns exactly one text into exactly one other, as it stands in a trajectory.
struct TextChange {
    QString baseHash;   ///< textHashOf() the text before; empty: not said, not checked
    QString resultHash; ///< of the text after
    std::vector<RenamedFile> renames;
    std::vector<LineChange> hunks; ///< by file, then from top to bottom

    bool operator==(const TextChange &) const = default;
};

/// `renames`: those to keep as such; one that does not fit the two texts is told as a new file and a deleted
/// one.
[[nodiscard]] TextChange textChange(const CandidateTexts &before, const CandidateTexts &after,
                                    const std::vector<RenamedFile> &renames = {});
/// The text after. An error where the base is another, a hunk finds other lines, or the result has another
/// hash: nothing is placed by likeness.
[[nodiscard]] Result<CandidateTexts> applyChange(const TextChange &change, const CandidateTexts &base);

/// The fields `hunks`, `renames` (where there are any), `baseHash`, `resultHash`.
[[nodiscard]] Json changeToJson(const TextChange &change);
[[nodiscard]] Result<TextChange> changeFromJson(const Json &json);
/// One hunk; a caller adds its id.
[[nodiscard]] Json lineChangeToJson(const LineChange &hunk);
[[nodiscard]] Result<LineChange> lineChangeFromJson(const Json &json);
/// A line that is no UTF-8 becomes {"base64": …}.
[[nodiscard]] Json linesToJson(const std::vector<QByteArray> &lines);
[[nodiscard]] Result<std::vector<QByteArray>> linesFromJson(const Json &json);

} // namespace warpwright
