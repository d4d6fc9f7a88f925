// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/affine_map.h"

#include <functional>
#include <map>

/// An unrolled loop over time as one time step with its inputs and outputs: values.
namespace warpwright {

/// What a time step reads and does not compute.
struct TimeStepInput {
    enum class Kind {
        Invariant, ///< the same tensor at each time step
        Slice,     ///< of a tensor, so many elements further on at each time step
        Carried    ///< an output of the time step before
    };

    Kind kind = Kind::Invariant;
    int node = -1;   ///< an Input of the time step's graph; of a parameter of the reference a copy
    int source = -1; ///< of the whole graph, no view; Carried: the initial state
    AffineMap index; ///< Slice: index of an element of the first time step's slice in it
    Shape step;      ///< Slice: by how much each index grows per time step
    int result = -1; ///< Carried: which of the time step's outputs it was
};

/// Time steps of a graph that do the same, each with the states of the one before.
struct RecurrentLoop {
    int first = 0;  ///< the first time step's first node
    int period = 0; ///< nodes per time step
    int timeSteps = 0;
    int loop = -1;            ///< the loop operator, where time steps have no nodes of their own
    std::map<int, int> items; ///< of a loop operator, by node: which result; first the final output at each
                              ///< position, then that of all time steps, time first
    ReferenceGraph timeStep;  ///< inputs and operators; outputs: what others read
    std::vector<int> nodeAtPosition;   ///< by position in a time step: its node of `timeStep`
    std::vector<TimeStepInput> inputs; ///< of `timeStep`
    std::vector<int> positions;        ///< by output: its position in a time step
    std::vector<bool> areCarried;      ///< by output: the next time step reads it

    [[nodiscard]] bool isLoopOperator() const { return loop >= 0; }
    [[nodiscard]] bool holds(int node) const {
        return isLoopOperator() ? node == loop || items.contains(node)
                                : node >= first && node < first + period * timeSteps;
    }
    [[nodiscard]] int timeStepOf(int node) const {
        return isLoopOperator() ? timeSteps - 1 : (node - first) / period;
    }
    [[nodiscard]] int positionOf(int node) const {
        return isLoopOperator() ? items.at(node) % static_cast<int>(positions.size())
                                : (node - first) % period;
    }
    /// Of a loop operator: whether it is an output of all time steps.
    [[nodiscard]] bool isStackedResult(int node) const {
        const auto item = items.find(node);
        return item != items.end() && item->second >= static_cast<int>(positions.size());
    }
};

/// The longest loop that is worth planning; empty: nothing repeats often enough, or time steps differ in more
/// than the slices that they read.
[[nodiscard]] std::optional<RecurrentLoop> findRecurrentLoop(const ReferenceGraph &graph);

/// The tensor that a chain of views ends at, and the index of an element of `node` in it; stops at one for
/// which `isEnd` holds.
struct ResolvedView {
    int base = -1;
    AffineMap index;

    bool operator==(const ResolvedView &) const = default;
};
[[nodiscard]] std::optional<ResolvedView> resolveViews(const ReferenceGraph &graph, int node,
                                                       const std::function<bool(int)> &isEnd = {});

} // namespace warpwright
