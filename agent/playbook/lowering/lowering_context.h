// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/tensor_layout.h"
#include "agent/playbook/lowering/index_space.h"
#include "agent/playbook/lowering/lowering_result.h"

#include <map>
#include <set>
#include <tuple>

namespace warpwright {

/// A node where a kernel's loops ask for an element of it.
struct NodeAt {
    int result;            ///< the node whose value it is
    const GraphNode &node; ///< that computes it: itself, or the one with several results that it is of
    QString opName;        ///< its operator's
    int item;              ///< which of these
    const AffineMap &map;  ///< the element
};

/// One kernel while nodes of a graph become steps of it: what is in memory, what it has already, under which
/// condition it reads, and what has got in the way. All that families of operators share.
///
/// Functions that give a step give -1 once something is in the way: the first obstacle stays, and nothing
/// more is lowered.
class LoweringContext {
public:
    /// The step of a node that is not in memory, by its operator.
    using LowerOperator = int (*)(LoweringContext &, const NodeAt &);

    LoweringContext(const ReferenceGraph &graph, const KnownBuffers &known, Shape loops, std::size_t outer,
                    LowerOperator lowerOperator);

    /// The step that computes `node` where `map` says.
    int lower(int node, const AffineMap &map);
    /// An operand of `node` where the result is at `map`, of this type: broadcast, or a number.
    int operand(const GraphNode &node, const GraphArgument &argument, const AffineMap &map, ElementType type);
    /// The element of a node that lies in memory.
    int load(const KnownBuffer &known, const GraphNode &node, const AffineMap &map);
    /// Where `flat` is in `shape`: by divisions where no loop follows it. Empty: a loop has to become two.
    std::optional<AffineMap> digitsIn(const AffineExpr &flat, const Shape &shape);

    int stop(const Obstacle &obstacle);
    int requireBuffer(int node) { return stop(NeedsBuffer{node}); }
    int refuse(const QString &why) { return stop(Unsupported{why}); }
    int refuseUnknown(const GraphNode &node); ///< the operator has no family yet
    /// Stops if it is one of the loops; what is counted by a step cannot become two.
    bool stopToSplit(const std::optional<LoopSplit> &split);
    [[nodiscard]] const std::optional<Obstacle> &obstacle() const { return m_obstacle; }
    /// Whether it has stopped for this node to be in memory first.
    [[nodiscard]] bool lacksBuffer(int node) const;
    /// There is another way round the obstacle.
    void clearObstacle() { m_obstacle.reset(); }

    [[nodiscard]] const ReferenceGraph &graph() const { return m_graph; }
    [[nodiscard]] const GraphNode &nodeAt(int node) const;
    [[nodiscard]] const KnownBuffers &known() const { return m_known; }
    [[nodiscard]] Kernel &kernel() { return m_kernel; }
    [[nodiscard]] const Kernel &kernel() const { return m_kernel; }
    [[nodiscard]] IndexSpace &indices() { return m_indices; }
    [[nodiscard]] const IndexSpace &indices() const { return m_indices; }
    /// A condition without which nothing is read; -1: none.
    [[nodiscard]] int guard() const { return m_guard; }
    /// How often what is being lowered is said, by short rows within short rows.
    [[nodiscard]] std::int64_t unrollFactor() const { return m_unrollFactor; }
    /// The kernel's reductions: which step is which node.
    [[nodiscard]] const std::map<int, int> &reductions() const { return m_reductions; }
    void addReduction(int step, int node) { m_reductions.emplace(step, node); }
    /// Whether the step is what is left of a whole number in a narrower type.
    [[nodiscard]] bool isWrapped(int step) const { return m_wrapped.contains(step); }
    void addWrapped(int step) { m_wrapped.insert(step); }

    /// A condition, if there is one, for whatever is read while it lives.
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

    /// Whatever is lowered while it lives is said so often.
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
    std::map<std::tuple<int, AffineMap, int>, int> m_lowered; ///< node, place and guard
    std::map<int, std::size_t> m_stepsOf; ///< by node: steps that it brought with what it is made of
    std::map<int, int> m_reductions;
    std::set<int> m_wrapped;
    int m_guard = -1;
    std::int64_t m_unrollFactor = 1;
    std::optional<Obstacle> m_obstacle;
};

} // namespace warpwright
