// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/text/line_diff.h"

#include "toolchain/base/git_library.h"

namespace warpwright {
namespace {

QByteArray withLastEnd(const QByteArray &text) {
    return text.isEmpty() || text.endsWith('\n') ? text : text + '\n';
}

int takeHunk(const git_diff_delta *, const git_diff_hunk *hunk, void *target) {
    // Of an empty run git names the line before it; lines count from 1 there.
    const auto start = [](int line, int count) {
        return count == 0 ? line : line - 1;
    };
    static_cast<std::vector<ReplacedLines> *>(target)->push_back(
        {start(hunk->old_start, hunk->old_lines), hunk->old_lines, start(hunk->new_start, hunk->new_lines),
         hunk->new_lines});
    return 0;
}

} // namespace

std::vector<ReplacedLines> replacedLines(const QByteArray &before, const QByteArray &after) {
    const GitLibrary library;
    const QByteArray left = withLastEnd(before);
    const QByteArray right = withLastEnd(after);
    git_diff_options options;
    git_diff_options_init(&options, GIT_DIFF_OPTIONS_VERSION);
    options.context_lines = 0;
    options.flags = GIT_DIFF_FORCE_TEXT | GIT_DIFF_INDENT_HEURISTIC;
    std::vector<ReplacedLines> runs;
    git_diff_buffers(left.constData(), static_cast<std::size_t>(left.size()), nullptr, right.constData(),
                     static_cast<std::size_t>(right.size()), nullptr, &options, nullptr, nullptr, takeHunk,
                     nullptr, &runs);
    return runs;
}

} // namespace warpwright
