// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/history/iteration_tree.h"

#include <algorithm>
#include <map>
#include <set>

namespace warpwright {

std::vector<TreeRow> treeRows(const std::vector<IterationRecord> &records, int current) {
    std::map<int, int> byNumber;
    for (std::size_t i = 0; i < records.size(); ++i)
        byNumber.emplace(records[i].iteration.number, static_cast<int>(i));
    const auto parentOf = [&](int index) {
        const auto parent = byNumber.find(records[static_cast<std::size_t>(index)].iteration.parent);
        // Numbers grow from parent to child; anything else was not written by us and would not end.
        return parent == byNumber.end() || parent->second >= index ? -1 : parent->second;
    };
    std::map<int, std::vector<int>> children; // -1: the roots
    for (const auto &[number, index] : byNumber)
        children[parentOf(index)].push_back(index);
    std::set<int> straight;
    const auto target = byNumber.find(current);
    int at = target != byNumber.end() ? target->second : static_cast<int>(records.size()) - 1;
    for (; at >= 0; at = parentOf(at))
        straight.insert(at);

    struct Waiting {
        int index;
        int depth;
        bool beginsBranch;
    };
    std::vector<Waiting> stack;
    const auto wait = [&](int parent, int depth) {
        const auto found = children.find(parent);
        if (found == children.end())
            return;
        std::vector<int> some = found->second;
        // The one that goes on below comes last: off the stack last, and so pushed first.
        const auto main =
            std::find_if(some.begin(), some.end(), [&](int one) { return straight.count(one) > 0; });
        const int last = main == some.end() ? some.back() : *main;
        stack.push_back({last, depth, false});
        for (auto one = some.rbegin(); one != some.rend(); ++one)
            if (*one != last)
                stack.push_back({*one, parent < 0 ? depth : depth + 1, parent >= 0});
    };
    std::vector<TreeRow> rows;
    wait(-1, 0);
    while (!stack.empty()) {
        const Waiting one = stack.back();
        stack.pop_back();
        // Deeper than a screen is wide nobody counts bars.
        const int depth = std::min(one.depth, 12);
        QString branch = QStringLiteral("│  ").repeated(std::max(0, depth - (one.beginsBranch ? 1 : 0)));
        if (one.beginsBranch)
            branch += QStringLiteral("├─ ");
        rows.push_back({one.index, branch});
        wait(one.index, one.depth);
    }
    return rows;
}

} // namespace warpwright
