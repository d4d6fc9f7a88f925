// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/analysis/graph_views.h"
#include "agent/playbook/ir/buffer_layout.h"
#include "agent/playbook/ir/fused_kernel.h"

#include <functional>
#include <map>
#include <set>

namespace warpwright {

/// Writes nodes of a graph as steps of one kernel whose loops are given, from a result back to what is in
/// memory: views become addresses, pointwise operators steps, and reductions over exactly the kernel's rows
/// its sums. What does not fit stops it, with what would help.
///
/// An index may hang on values (a look-up), or on a counter in a way that is no affine function of it (a
/// quotient): it is then a counter of its own behind the loops' (`countedBy`), and views and addresses follow
/// it like any other.
class KernelLowering {
public:
    KernelLowering(const ReferenceGraph &graph, const KnownBuffers &known, Shape loops, std::size_t outer);

    /// A reduction that was met where the loops have no rows yet.
    struct FoundReduction {
        int node = -1;
        Shape reduced;              ///< sizes of what it goes over
        std::vector<int> repeated;  ///< loops that it does not depend on
        bool isByEveryOther = true; ///< all other loops count different ones of its results
    };

    /// The step that computes `node` where `map` says. -1: it does not fit.
    int lower(int node, const IndexMap &map);

    [[nodiscard]] FusedKernel &kernel() { return m_kernel; }
    [[nodiscard]] const FusedKernel &kernel() const { return m_kernel; }
    /// The kernel's reductions: which step is which node.
    [[nodiscard]] const std::map<int, int> &sums() const { return m_sums; }
    [[nodiscard]] const std::optional<LoopSplit> &split() const { return m_split; }
    [[nodiscard]] int cut() const { return m_cut; } ///< a node to be computed by a kernel before; -1: none
    [[nodiscard]] const std::optional<FoundReduction> &found() const { return m_found; }
    [[nodiscard]] int flip() const { return m_flip; } ///< a loop that has to run the other way; -1: none
    [[nodiscard]] int flippedFor() const { return m_flippedFor; } ///< the scan that asks for it
    [[nodiscard]] const QString &cannot() const { return m_cannot; }

private:
    int lowerNew(int place, const IndexMap &map);
    [[nodiscard]] int longestPart() const;
    int lowerOperator(int place, const GraphNode &node, const IndexMap &map);
    int lowerPointwise(int place, const GraphNode &node, const IndexMap &map);
    int lowerSpecial(const GraphNode &node, const IndexMap &map);
    int lowerLiteral(const GraphNode &node, const IndexMap &map);
    int lowerQuestion(const GraphNode &node, const IndexMap &map);
    int lowerBits(const GraphNode &node, const IndexMap &map);
    int withinType(const GraphNode &node, int step);
    int cutTo(ElementType type, int step);
    int lowerItem(int place, const GraphNode &node, const IndexMap &map);
    int lowerReduction(int place, const GraphNode &node, const QString &op, const IndexMap &map);
    // By family, each in a file of its own; empty: the operator is not of that family
    std::optional<int> lowerAnchor(int place, const GraphNode &node, const IndexMap &map);
    int lowerConvolution(int place, const GraphNode &node, const IndexMap &map);
    int multiplied(const GraphNode &product, const IndexMap &map, const AffineIndex &along);
    int lowerShortProduct(const GraphNode &node, const IndexMap &map);
    int lowerProduct(int place, const GraphNode &node, const IndexMap &map);
    std::optional<int> lowerJoin(const GraphNode &node, const IndexMap &map);
    [[nodiscard]] int loopOver(const AffineIndex &index, std::int64_t size) const;
    int lowerInset(const GraphNode &node, const IndexMap &map);
    int lowerPadding(const GraphNode &node, const IndexMap &map);
    std::optional<int> lowerLookUp(const GraphNode &node, const IndexMap &map);
    std::optional<int> lowerBag(int place, const GraphNode &node, int item, const IndexMap &map);
    std::optional<int> lowerWindow(int place, const GraphNode &node, int item, const IndexMap &map);
    std::optional<int> lowerPlace(int place, const GraphNode &node, int item, const IndexMap &map);
    std::optional<int> lowerScan(int place, const GraphNode &node, int item, const IndexMap &map);
    std::optional<int> lowerFamily(int place, const GraphNode &node, int item, const IndexMap &map);

    int lowerView(const GraphNode &node, const IndexMap &map);
    int loadKnown(const KnownBuffer &known, const GraphNode &node, const IndexMap &map);
    /// Where `flat` is in `shape`: by divisions where no loop follows it. Empty: a loop has to become two.
    std::optional<IndexMap> digitsIn(const AffineIndex &flat, const Shape &shape);
    int loadFrom(int buffer, const GraphNode &node, const AffineIndex &address);
    [[nodiscard]] AffineIndex withoutDigits(AffineIndex address) const;
    /// A condition for whatever is read while it lives.
    class Guard;
    [[nodiscard]] int valueOf(const AffineIndex &index);
    [[nodiscard]] AffineIndex countedBy(int step, std::int64_t size);
    /// Smallest and largest value.
    [[nodiscard]] std::pair<std::int64_t, std::int64_t> rangeOf(const AffineIndex &index) const;
    /// `first <= index < end` as a step; empty: it always is.
    [[nodiscard]] std::optional<int> within(const AffineIndex &index, std::int64_t first, std::int64_t end);
    int both(std::optional<int> one, std::optional<int> other); ///< -1: neither
    [[nodiscard]] IndexMap digitsByDivision(const AffineIndex &flat, const Shape &shape);
    /// Where each of `reduced` is for the elements of a row whose result is at `result`; empty: it does not
    /// fit, and what would help is said.
    std::optional<IndexMap> rowDigits(int place, const IndexMap &result, const Shape &reduced);
    [[nodiscard]] bool isCostly(int node) const;
    int lowerMoment(int place, const GraphNode &node, bool isVariance, const IndexMap &map);
    int operand(const GraphNode &node, const GraphArgument &argument, const IndexMap &map, ElementType type);
    /// What a reduction goes over, and where each of its elements is.
    struct ReducedRow {
        int source = -1; ///< the node that is reduced
        std::vector<std::size_t> dimensions;
        Shape reduced;                  ///< their sizes
        IndexMap map;                   ///< of the source; 0 in those dimensions
        std::optional<IndexMap> digits; ///< of the kernel's row; empty: few elements, by a step each
    };
    /// Empty: it does not fit, and what would help is said. `place`: the node whose value it is.
    std::optional<ReducedRow> reducedRow(int place, const GraphNode &node, const IndexMap &map);
    /// The step of a reduction of what `with` makes of each element, converted to `type` before. -1: it does
    /// not fit.
    int reduce(const ReducedRow &row, KernelOp op, ElementType type,
               const std::function<int(int element)> &with = {});
    /// Whether a reduction at `place` that just did not fit is better said element by element than computed
    /// by a kernel before: then that is no longer asked for.
    [[nodiscard]] bool isShortRow(int place, int source, const IndexMap &result, const Shape &reduced);
    int overShortRow(const Shape &reduced, KernelOp reduction, ElementType type,
                     const std::function<int(const IndexMap &digits)> &element);
    int refuse(const QString &why);
    int refuseUnknown(const GraphNode &node); ///< the operator has no family yet
    [[nodiscard]] ElementType promoted(const GraphNode &node) const;

    const ReferenceGraph &m_graph;
    const KnownBuffers &m_known;
    FusedKernel m_kernel;
    std::map<std::tuple<int, IndexMap, int>, int> m_done; ///< node, place and guard
    std::map<int, std::size_t> m_stepsOf; ///< by node: steps that it brought with what it is made of
    std::map<int, int> m_sums;
    Shape m_sizes;              ///< of the loops, and of what is counted by a step
    std::vector<int> m_counted; ///< these steps
    /// What was taken apart into digits: where each is counted, and what it counts for.
    struct Digits {
        AffineIndex flat;
        std::vector<std::pair<std::size_t, std::int64_t>> places;
    };
    std::vector<Digits> m_digits;
    std::set<int> m_cutOff; ///< these steps
    int m_guard = -1;
    std::int64_t m_times = 1; ///< how often short rows say what is being lowered
    int m_flip = -1;
    int m_flippedFor = -1;
    std::optional<LoopSplit> m_split;
    std::optional<FoundReduction> m_found;
    int m_cut = -1;
    QString m_cannot;
};

/// While it lives, whatever the lowering reads is read under this condition only.
class KernelLowering::Guard {
public:
    Guard(KernelLowering &lowering, int condition);
    ~Guard();
    Guard(const Guard &) = delete;
    Guard &operator=(const Guard &) = delete;

private:
    KernelLowering &m_lowering;
    int m_before;
};

} // namespace warpwright
