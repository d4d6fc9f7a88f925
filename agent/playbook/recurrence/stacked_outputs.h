// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/recurrence/find_loop.h"

#include <map>

namespace warpwright {

/// A join of what many turns have left: a view of where it lies, one after the other.
struct StackedOutputs {
    std::size_t result = 0; ///< of the turn
    std::int64_t first = 0; ///< turn
    std::int64_t count = 0;
    bool isBackwards = false;
    std::vector<std::int64_t> order; ///< of the dimensions, 0 the turns
};

/// What is read of turns by what comes after them.
class LoopConsumers {
public:
    LoopConsumers(const ReferenceGraph &graph, const RecurrentLoop &timeSteps);

    /// More than what the last turn has left at this place.
    [[nodiscard]] bool readsManyOf(int position) const;
    /// Something outside reads it, and which of the turn's outputs it is.
    [[nodiscard]] bool isResult(int node) const;
    [[nodiscard]] std::size_t resultOf(int node) const;
    [[nodiscard]] std::optional<StackedOutputs> stacked(int node) const;
    /// How many of a join's parts, from this one on, are what turns that follow each other have left.
    [[nodiscard]] std::size_t timeStepsFrom(const std::vector<GraphArgument> &parts, std::size_t begin) const;

private:
    [[nodiscard]] std::optional<StackedOutputs> findStacked(const GraphNode &node) const;

    const ReferenceGraph &m_graph;
    const RecurrentLoop &m_loop;
    std::map<int, StackedOutputs> m_stacked;
};

/// The graph where turns that stand in a join beside others are joined before it, on their own.
[[nodiscard]] ReferenceGraph withStacksOfTimeSteps(const ReferenceGraph &graph,
                                                   const RecurrentLoop &timeSteps);

/// Appends it to a graph as views of `history`: what all turns have left, turns first.
[[nodiscard]] int appendStacked(ReferenceGraph &graph, int history, const StackedOutputs &stacked,
                                const Shape &shape);

} // namespace warpwright
