// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/affine_map.h"

#include <functional>
#include <map>

/// A loop over time that was gone through turn by turn, as one turn, and what it is given and leaves: values.
namespace warpwright {

/// What a turn reads that it does not compute.
struct TimeStepInput {
    enum class Kind {
        Invariant, ///< the same tensor at each turn
        Slice,     ///< of a tensor, at each turn another one, and so many elements further on
        Carried    ///< what the turn before has left
    };

    Kind kind = Kind::Invariant;
    int node = -1;   ///< of the turn's graph: an Input; of a parameter of the reference a copy
    int source = -1; ///< of the whole graph: the tensor, no view; Carried: what the first turn is given
    AffineMap index; ///< Part: where an element of the first turn's part is in it
    Shape step;      ///< Part: and by how much each index grows with a turn
    int result = -1; ///< Carried: which of the turn's outputs it was
};

/// Turns of a graph that do the same, each with what the one before has left.
struct RecurrentLoop {
    int first = 0;  ///< the first turn's first node
    int period = 0; ///< nodes of a turn
    int timeSteps = 0;
    int loop = -1;            ///< the one node that says all of it, where turns have no nodes of their own
    std::map<int, int> items; ///< of such a loop, by node: which of its results; first what the last turn has
                              ///< left at each position, then what all have, turns first
    ReferenceGraph timeStep;  ///< of leaves and of one turn's operators; outputs: what others read of it
    std::vector<int> nodeAtPosition;   ///< by position in a turn: its node of the turn's graph
    std::vector<TimeStepInput> inputs; ///< of the turn's
    std::vector<int> positions;        ///< by output of the turn: which of a turn's nodes it is
    std::vector<bool> areCarried;      ///< by output: the next turn reads it

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
    /// Of a written loop: what all turns have left.
    [[nodiscard]] bool isOfAllTimeSteps(int node) const {
        const auto item = items.find(node);
        return item != items.end() && item->second >= static_cast<int>(positions.size());
    }
};

/// The longest one that is worth a loop; empty: nothing is repeated so often, or turns differ in more than in
/// which part of a tensor they read.
[[nodiscard]] std::optional<RecurrentLoop> findRecurrentLoop(const ReferenceGraph &graph);

/// The tensor that views look at in the end, and where an element of `node` is in it; no further than to one
/// for which `isEnd` holds.
struct ResolvedView {
    int base = -1;
    AffineMap index;

    bool operator==(const ResolvedView &) const = default;
};
[[nodiscard]] std::optional<ResolvedView> resolveViews(const ReferenceGraph &graph, int node,
                                                       const std::function<bool(int)> &isEnd = {});

} // namespace warpwright
