// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/inspect/opcode_diff.h"

#include "toolchain/text/line_diff.h"

#include <algorithm>
#include <utility>

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

MergedListing mergedListing(const KernelCode &before, const KernelCode &after) {
    using Kind = ComparedCode::Kind;
    MergedListing merged{after, {}, 0, 0};
    merged.code.lines.clear();
    const auto add = [&merged](const CodeLine &line, Kind kind) {
        merged.code.lines.push_back(line);
        merged.kinds.push_back(kind);
        merged.removed += kind == Kind::Removed;
        merged.added += kind == Kind::Added;
    };
    std::vector<std::pair<CodeLine, Kind>> waiting; // of `after`, until all that they replace is there
    std::size_t next = 0;                           // line of `after`
    const auto takeUntil = [&](std::size_t line, Kind kind) { // with the labels on the way
        for (; next < line; ++next)
            waiting.emplace_back(after.lines[next], Kind::Same);
        if (next < after.lines.size())
            waiting.emplace_back(after.lines[next++], kind);
    };
    const auto flush = [&] {
        for (const auto &[line, kind] : std::exchange(waiting, {}))
            add(line, kind);
    };
    for (const ComparedCode &row : compareCode(before, after)) {
        if (row.kind == Kind::Same)
            flush();
        if (row.left >= 0 && row.kind != Kind::Same) {
            CodeLine gone = before.lines[static_cast<std::size_t>(row.left)];
            gone.chain = -1;
            gone.address = -1;
            add(gone, Kind::Removed);
        }
        if (row.right >= 0)
            takeUntil(static_cast<std::size_t>(row.right), row.kind == Kind::Same ? Kind::Same : Kind::Added);
        if (row.kind == Kind::Same)
            flush();
    }
    for (; next < after.lines.size(); ++next)
        waiting.emplace_back(after.lines[next], Kind::Same); // labels at the end
    flush();
    return merged;
}

} // namespace warpwright
