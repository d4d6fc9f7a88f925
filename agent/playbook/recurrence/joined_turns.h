// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/recurrence/graph_repetition.h"

#include <map>

namespace warpwright {

/// A join of what many turns have left: a view of where it lies, one after the other.
struct JoinedTurns {
    std::size_t result = 0; ///< of the turn
    std::int64_t first = 0; ///< turn
    std::int64_t count = 0;
    bool isBackwards = false;
    std::vector<std::int64_t> order; ///< of the dimensions, 0 the turns
};

/// What is read of turns by what comes after them.
class LaterReaders {
public:
    LaterReaders(const ReferenceGraph &graph, const Repetition &turns);

    /// More than what the last turn has left at this place.
    [[nodiscard]] bool readsManyOf(int position) const;
    /// Something outside reads it, and which of the turn's outputs it is.
    [[nodiscard]] bool isResult(int node) const;
    [[nodiscard]] std::size_t resultOf(int node) const;
    [[nodiscard]] std::optional<JoinedTurns> joined(int node) const;
    /// How many of a join's parts, from this one on, are what turns that follow each other have left.
    [[nodiscard]] std::size_t turnsFrom(const std::vector<GraphArgument> &parts, std::size_t begin) const;

private:
    [[nodiscard]] std::optional<JoinedTurns> findJoined(const GraphNode &node) const;

    const ReferenceGraph &m_graph;
    const Repetition &m_turns;
    std::map<int, JoinedTurns> m_joined;
};

/// The graph where turns that stand in a join beside others are joined before it, on their own.
[[nodiscard]] ReferenceGraph withJoinsOfTurns(const ReferenceGraph &graph, const Repetition &turns);

/// Appends it to a graph as views of `history`: what all turns have left, turns first.
[[nodiscard]] int appendJoined(ReferenceGraph &graph, int history, const JoinedTurns &joined,
                               const Shape &shape);

} // namespace warpwright
