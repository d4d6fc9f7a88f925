// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/heat/moved_lines.h"

#include "toolchain/text/line_diff.h"

namespace warpwright {

std::vector<int> movedLines(const QByteArray &before, const QByteArray &after) {
    const auto count = static_cast<std::size_t>(before.count('\n') + (before.endsWith('\n') ? 0 : 1));
    std::vector<int> lines(before.isEmpty() ? 0 : count);
    std::size_t at = 0;
    int moved = 0; ///< by so many lines, up to the next difference
    const auto keepUpTo = [&](std::size_t end) {
        for (; at < std::min(end, lines.size()); ++at)
            lines[at] = static_cast<int>(at) + 1 + moved;
    };
    for (const ReplacedLines &change : replacedLines(before, after)) {
        keepUpTo(static_cast<std::size_t>(change.oldStart));
        at += static_cast<std::size_t>(change.oldCount);
        moved += change.newCount - change.oldCount;
    }
    keepUpTo(lines.size());
    return lines;
}

} // namespace warpwright
