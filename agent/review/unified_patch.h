// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/interface/proposal.h"
#include "agent/interface/text_lines.h"
#include "toolchain/base/result.h"

#include <QByteArray>
#include <QString>

#include <vector>

/// Unified diffs, as `git diff` and `diff -u` write them, byte by byte.
namespace warpwright {

struct PatchHunk {
    int oldStart = 0;   ///< from 0, where it expects its old lines
    TextLines oldLines; ///< context included
    TextLines newLines;

    bool operator==(const PatchHunk &) const = default;
};

struct FilePatch {
    QString from; ///< empty: the file is new
    QString to;   ///< empty: the file goes
    std::vector<PatchHunk> hunks;

    bool operator==(const FilePatch &) const = default;
};

struct UnifiedPatch {
    QString header; ///< what stands before the first file: a commit's message
    std::vector<FilePatch> files;

    bool operator==(const UnifiedPatch &) const = default;
};

/// Paths lose git's a/ and b/. Counts that do not fit their lines are an error that names the line.
[[nodiscard]] Result<UnifiedPatch> parseUnifiedPatch(const QByteArray &text);

struct PatchedTexts {
    CandidateTexts texts;
    std::vector<RenamedFile> renames;
};
/// Old lines that moved are looked for up and down from where they are expected, the nearest first. Lines
/// that are nowhere, a file that is not there (or is, though it should be new), and files that are not the
/// candidate's are errors.
[[nodiscard]] Result<PatchedTexts> patched(const CandidateTexts &texts, const UnifiedPatch &patch);

} // namespace warpwright
