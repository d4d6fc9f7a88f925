// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/tensor_layout.h"
#include "agent/playbook/lowering/index_space.h"
#include "agent/playbook/lowering/lowering_result.h"

#include <map>
#include <set>
#include <tuple>

namespace warpwright {

/// A node, and the index at which a kernel needs it.
struct NodeAt {
    int result;            ///< the node whose value is needed
    const GraphNode &node; ///< that computes it: itself, or the node of several results that it selects from
    QString opName;        ///< of `node`
    int item;              ///< which result
    const AffineMap &map;  ///< the index
};

/// State of one kernel while nodes are lowered into it, shared by all operator families: buffers in memory,
/// steps so far, the guard of reads, and the obstacle, if any.
///
/// Functions that return a step return -1 after an obstacle: the first one stays, and nothing more is
/// lowered.
class LoweringContext {
public:
    /// Lowers a node that is not in memory.
    using LowerOperator = int (*)(LoweringContext &, const NodeAt &);

    LoweringContext(const ReferenceGraph &graph, const KnownBuffers &known, Shape loops, std::size_t outer,
                    LowerOperator lowerOperator);

    /// The step that computes `node` at `map`.
    int lower(int node, const AffineMap &map);
    /// An operand of `node` for the result at `map`, in this type: broadcast, or a number.
    int operand(const GraphNode &node, const GraphArgument &argument, const AffineMap &map, ElementType type);
    /// Loads the element of a node that is in memory.
    int load(const KnownBuffer &known, const GraphNode &node, const AffineMap &map);
    /// Delinearizes `flat`, by divisions where no loops match it. Empty: a loop has to be split.
    std::optional<AffineMap> digitsIn(const AffineExpr &flat, const Shape &shape);

    int stop(const Obstacle &obstacle);
    int requireBuffer(int node) { return stop(NeedsBuffer{node}); }
    int refuse(const QString &why) { return stop(Unsupported{why}); }
    int refuseUnknown(const GraphNode &node); ///< no family supports the operator yet
    /// Stops if one of the loops is to be split; dynamic indices cannot be.
    bool stopToSplit(const std::optional<LoopSplit> &split);
    [[nodiscard]] const std::optional<Obstacle> &obstacle() const { return m_obstacle; }
    /// Whether the obstacle is that this node is not in memory.
    [[nodiscard]] bool lacksBuffer(int node) const;
    /// The caller has a way round the obstacle.
    void clearObstacle() { m_obstacle.reset(); }

    [[nodiscard]] const ReferenceGraph &graph() const { return m_graph; }
    [[nodiscard]] const GraphNode &nodeAt(int node) const;
    [[nodiscard]] const KnownBuffers &known() const { return m_known; }
    [[nodiscard]] Kernel &kernel() { return m_kernel; }
    [[nodiscard]] const Kernel &kernel() const { return m_kernel; }
    [[nodiscard]] IndexSpace &indices() { return m_indices; }
    [[nodiscard]] const IndexSpace &indices() const { return m_indices; }
    /// The condition for reads; -1: none.
    [[nodiscard]] int guard() const { return m_guard; }
    /// How many copies of the current steps nested unrolling makes.
    [[nodiscard]] std::int64_t unrollFactor() const { return m_unrollFactor; }
    /// The kernel's reductions: node by step.
    [[nodiscard]] const std::map<int, int> &reductions() const { return m_reductions; }
    void addReduction(int step, int node) { m_reductions.emplace(step, node); }
    /// Whether the step is an integer wrapped to a narrower type.
    [[nodiscard]] bool isWrapped(int step) const { return m_wrapped.contains(step); }
    void addWrapped(int step) { m_wrapped.insert(step); }

    /// A condition, if there is one, for all reads in its lifetime.
    class Guard {
    public:
        Guard(LoweringContext &context, std::optional<int> condition);
        ~Guard() { m_context.m_guard = m_before; }
        Guard(const Guard &) = delete;
        Guard &operator=(const Guard &) = delete;

    private:
        LoweringContext &m_context;
        int m_before;
    };

    /// Steps lowered in its lifetime are copied so often.
    class Unrolling {
    public:
        Unrolling(LoweringContext &context, std::int64_t times);
        ~Unrolling() { m_context.m_unrollFactor = m_before; }
        Unrolling(const Unrolling &) = delete;
        Unrolling &operator=(const Unrolling &) = delete;

    private:
        LoweringContext &m_context;
        std::int64_t m_before;
    };

private:
    int lowerUncached(int nodeIndex, const AffineMap &map);
    int stopAtStepLimit(int node);
    [[nodiscard]] int costliestNode() const;

    const ReferenceGraph &m_graph;
    const KnownBuffers &m_known;
    LowerOperator m_lowerOperator;
    Kernel m_kernel;
    IndexSpace m_indices;
    std::map<std::tuple<int, AffineMap, int>, int> m_lowered; ///< by node, map and guard
    std::map<int, std::size_t> m_stepsOf; ///< by node: steps that it and its operands added
    std::map<int, int> m_reductions;
    std::set<int> m_wrapped;
    int m_guard = -1;
    std::int64_t m_unrollFactor = 1;
    std::optional<Obstacle> m_obstacle;
};

} // namespace warpwright
