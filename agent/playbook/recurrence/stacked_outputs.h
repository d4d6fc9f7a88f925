// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/recurrence/find_loop.h"

#include <map>

namespace warpwright {

/// A concat of outputs of consecutive time steps: a view of their memory.
struct StackedOutputs {
    std::size_t result = 0; ///< which output of the time step
    std::int64_t first = 0; ///< time step
    std::int64_t count = 0;
    bool isBackwards = false;
    std::vector<std::int64_t> order; ///< of the dimensions, 0 is time
};

/// What is read of time steps after the loop.
class LoopConsumers {
public:
    LoopConsumers(const ReferenceGraph &graph, const RecurrentLoop &loop);

    /// Whether more is read at this position than the output of the last time step.
    [[nodiscard]] bool readsEarlierTimeSteps(int position) const;
    /// Whether it is an output of a time step that is read outside, and which.
    [[nodiscard]] bool isResult(int node) const;
    [[nodiscard]] std::size_t resultOf(int node) const;
    [[nodiscard]] std::optional<StackedOutputs> stacked(int node) const;
    /// How many of a concat's parts, from this one on, are outputs of consecutive time steps.
    [[nodiscard]] std::size_t timeStepsFrom(const std::vector<GraphArgument> &parts, std::size_t begin) const;

private:
    [[nodiscard]] std::optional<StackedOutputs> findStacked(const GraphNode &node) const;

    const ReferenceGraph &m_graph;
    const RecurrentLoop &m_loop;
    std::map<int, StackedOutputs> m_stacked;
};

/// The graph where runs of time steps within a larger concat are concatenated first, on their own.
[[nodiscard]] ReferenceGraph stackTimeSteps(const ReferenceGraph &graph, const RecurrentLoop &loop);

/// Appends it to a graph as views of `history`: outputs of all time steps, time first.
[[nodiscard]] int appendStacked(ReferenceGraph &graph, int history, const StackedOutputs &stacked,
                                const Shape &shape);

} // namespace warpwright
