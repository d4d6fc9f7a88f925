// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/opcode_diff.h"

#include "toolchain/line_diff.h"

#include <algorithm>

namespace warpwright {
namespace {

struct Opcodes {
    QByteArray text; ///< a line for each instruction
    std::vector<int> lines;
};

Opcodes opcodesOf(const KernelCode &code) {
    Opcodes made;
    for (std::size_t i = 0; i < code.lines.size(); ++i) {
        const CodeLine &line = code.lines[i];
        if (line.kind != CodeLine::Kind::Instruction)
            continue;
        if (!line.predicate.isEmpty())
            made.text += "@ ";
        made.text += line.opcode.toUtf8() + '\n';
        made.lines.push_back(static_cast<int>(i));
    }
    return made;
}

} // namespace

std::vector<ComparedCode> compareCode(const KernelCode &before, const KernelCode &after) {
    const Opcodes left = opcodesOf(before);
    const Opcodes right = opcodesOf(after);
    std::vector<ComparedCode> rows;
    std::size_t l = 0, r = 0;
    const auto same = [&](std::size_t until) {
        for (; l < until; ++l, ++r)
            rows.push_back({ComparedCode::Kind::Same, left.lines[l], right.lines[r]});
    };
    for (const ReplacedLines &run : replacedLines(left.text, right.text)) {
        same(static_cast<std::size_t>(run.oldStart));
        const int both = std::min(run.oldCount, run.newCount);
        for (int i = 0; i < std::max(run.oldCount, run.newCount); ++i) {
            const bool hasLeft = i < run.oldCount;
            const bool hasRight = i < run.newCount;
            rows.push_back({i < both  ? ComparedCode::Kind::Changed
                            : hasLeft ? ComparedCode::Kind::Removed
                                      : ComparedCode::Kind::Added,
                            hasLeft ? left.lines[l++] : -1, hasRight ? right.lines[r++] : -1});
        }
    }
    same(left.lines.size());
    return rows;
}

} // namespace warpwright
