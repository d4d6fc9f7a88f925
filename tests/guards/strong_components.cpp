// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/guards/strong_components.h"

#include <algorithm>

namespace warpwright {

// Tarjan's algorithm, with the calls that are open on a stack of its own.
QVector<QVector<int>> strongComponents(const QVector<QVector<int>> &arrows) {
    struct Call {
        int node;
        qsizetype next; // of its arrows
    };
    const int unseen = -1;
    QVector<int> index(arrows.size(), unseen);
    QVector<int> lowest(arrows.size(), unseen);
    QVector<bool> isOpen(arrows.size(), false);
    QVector<int> open;
    QVector<Call> calls;
    QVector<QVector<int>> found;
    int seen = 0;
    const auto enter = [&](int node) {
        index[node] = lowest[node] = seen++;
        open.append(node);
        isOpen[node] = true;
        calls.append({node, 0});
    };
    for (int start = 0; start < arrows.size(); ++start) {
        if (index.at(start) != unseen)
            continue;
        enter(start);
        while (!calls.isEmpty()) {
            const int node = calls.last().node;
            if (calls.last().next < arrows.at(node).size()) {
                const int other = arrows.at(node).at(calls.last().next++);
                if (index.at(other) == unseen)
                    enter(other);
                else if (isOpen.at(other))
                    lowest[node] = std::min(lowest.at(node), index.at(other));
                continue;
            }
            calls.removeLast();
            if (!calls.isEmpty())
                lowest[calls.last().node] = std::min(lowest.at(calls.last().node), lowest.at(node));
            if (lowest.at(node) != index.at(node))
                continue;
            QVector<int> group;
            do {
                group.append(open.takeLast());
                isOpen[group.last()] = false;
            } while (group.last() != node);
            std::sort(group.begin(), group.end());
            if (group.size() > 1)
                found.append(group);
        }
    }
    std::stable_sort(found.begin(), found.end(),
                     [](const auto &left, const auto &right) { return left.size() > right.size(); });
    return found;
}

} // namespace warpwright
