// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/text/text_merge.h"

#include "toolchain/base/git_library.h"

#include <git2/merge.h>

namespace warpwright {

MergedText mergeTexts(const QString &base, const QString &mine, const QString &theirs,
                      const QString &mineName, const QString &theirsName) {
    if (mine == theirs || base == theirs)
        return {mine, true};
    if (base == mine)
        return {theirs, true};
    const GitLibrary library;
    const auto input = [](const QByteArray &text) {
        git_merge_file_input side = GIT_MERGE_FILE_INPUT_INIT;
        side.ptr = text.constData();
        side.size = static_cast<std::size_t>(text.size());
        return side;
    };
    const QByteArray baseBytes = base.toUtf8();
    const QByteArray mineBytes = mine.toUtf8();
    const QByteArray theirsBytes = theirs.toUtf8();
    const git_merge_file_input ancestor = input(baseBytes);
    const git_merge_file_input ours = input(mineBytes);
    const git_merge_file_input other = input(theirsBytes);
    const QByteArray ourLabel = mineName.toUtf8();
    const QByteArray theirLabel = theirsName.toUtf8();
    git_merge_file_options options = GIT_MERGE_FILE_OPTIONS_INIT;
    options.our_label = ourLabel.constData();
    options.their_label = theirLabel.constData();
    git_merge_file_result result = {};
    // It fails only where memory does; nothing is lost then, for it counts as a conflict.
    if (git_merge_file(&result, &ancestor, &ours, &other, &options) != 0)
        return {mine, false};
    MergedText merged{QString::fromUtf8(result.ptr, static_cast<qsizetype>(result.len)),
                      result.automergeable != 0};
    git_merge_file_result_free(&result);
    return merged;
}

} // namespace warpwright
