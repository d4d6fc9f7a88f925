// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/lowering/plan_of_nodes.h"
#include "agent/playbook/analysis/convolution_plan.h"
#include "agent/playbook/analysis/product_plan.h"
#include "agent/playbook/analysis/result_layout.h"
#include "agent/playbook/analysis/sums_across.h"
#include "agent/playbook/fusion/plan_passes.h"
#include "agent/playbook/lowering/attention_plan.h"
#include "agent/playbook/lowering/convolution_builder.h"
#include "agent/playbook/lowering/finished_convolutions.h"
#include "agent/playbook/lowering/kept_states.h"
#include "agent/playbook/lowering/kernel_lowering.h"
#include "agent/playbook/lowering/loop_space.h"
#include "agent/playbook/lowering/matmul_builder.h"
#include "agent/playbook/lowering/own_anchors.h"
#include "agent/playbook/lowering/repeated_lookups.h"
#include "agent/playbook/schedule/sampled_images.h"

#include <algorithm>
#include <array>
#include <functional>
#include <numeric>
#include <set>

namespace warpwright {
namespace {

constexpr int mostTries = 200; ///< splits and cuts on the way to one kernel

/// A kernel, and what has to be computed before it after all; -1: nothing.
struct LoweredOutputs {
    FusedKernel kernel;
    int across = -1;
};

class Planner {
public:
    Planner(const ReferenceGraph &graph, const PlanChoices &choices, bool areLayoutsFree)
        : m_graph(graph), m_areLayoutsFree(areLayoutsFree) {
        m_plan.choices = choices;
        m_finished = finishedConvolutions(graph, choices);
    }

    KernelPlan run(const std::vector<int> &residuals) {
        for (std::size_t i = 0; i < m_graph.nodes.size(); ++i)
            if (m_graph.nodes[i].kind != GraphNode::Kind::Operator)
                addKnown(static_cast<int>(i), PlanBuffer::Kind::Leaf, static_cast<int>(i),
                         layoutOfLeaf(m_graph.nodes[i]));
        // A product's epilogue adds what is there already: such sums are made where the product is.
        for (const int sum : residuals)
            if (m_plan.cannot.isEmpty() && !m_known.contains(sum))
                computeBefore(sum, -1);
        for (const int small : repeatedLookUps(m_graph))
            if (m_plan.cannot.isEmpty() && !m_known.contains(small))
                computeBefore(small, -1);
        for (const int state : keptStates(m_graph))
            if (m_plan.cannot.isEmpty() && !m_known.contains(state)) {
                m_asRead.insert(state);
                computeBefore(state, -1);
            }
        m_plan.outputs.assign(m_graph.outputs.size(), -1);
        std::vector<std::size_t> order(m_graph.outputs.size());
        std::iota(order.begin(), order.end(), std::size_t(0));
        // The largest first: its loops hold the rows that smaller results are sums of.
        std::stable_sort(order.begin(), order.end(), [this](std::size_t a, std::size_t b) {
            return elementCount(shapeOf(m_graph.outputs[a])) > elementCount(shapeOf(m_graph.outputs[b]));
        });
        for (const std::size_t output : order)
            if (m_plan.outputs[output] < 0 && m_plan.cannot.isEmpty())
                planOutput(output, order);
        m_plan.graph = m_graph; // passes add what they leave in memory to it
        passOver(m_plan);
        return std::move(m_plan);
    }

private:
    const Shape &shapeOf(int node) const { return m_graph.nodes[static_cast<std::size_t>(node)].shape; }

    int addBuffer(PlanBuffer::Kind kind, int node, const BufferLayout &layout) {
        m_plan.buffers.push_back({kind, node, layout});
        return static_cast<int>(m_plan.buffers.size()) - 1;
    }

    int addKnown(int key, PlanBuffer::Kind kind, int node, const BufferLayout &layout) {
        const int buffer = addBuffer(kind, node, layout);
        m_known[key] = {buffer, layout};
        return buffer;
    }

    /// Only kernels of the plan will read it, so it may lie in any order.
    bool isFree(int node) const {
        return m_areLayoutsFree &&
               (m_apart.contains(node) ||
                std::find(m_graph.outputs.begin(), m_graph.outputs.end(), node) == m_graph.outputs.end());
    }

    bool fail(const QString &why) {
        if (m_plan.cannot.isEmpty())
            m_plan.cannot = why;
        return false;
    }

    void planOutput(std::size_t output, const std::vector<std::size_t> &order) {
        const int node = m_graph.outputs[output];
        // A product whose rows would begin anywhere takes many times as long as a copy of what it makes.
        const GraphNode &asked = m_graph.nodes[static_cast<std::size_t>(node)];
        if (m_areLayoutsFree && isMatrixProduct(m_graph, asked) && !m_known.contains(node) &&
            hasOddRows(m_graph, asked))
            m_apart.insert(node);
        // What a library makes is a result as it is.
        if (isWholeAnchor(m_graph.nodes[static_cast<std::size_t>(node)]) && !m_known.contains(node) &&
            !computeBefore(node, -1))
            return;
        // Another kernel has computed it for itself: then it is not computed twice.
        const auto made = m_known.find(node);
        if (made != m_known.end()) {
            PlanBuffer &buffer = m_plan.buffers[static_cast<std::size_t>(made->second.buffer)];
            if (buffer.kind == PlanBuffer::Kind::Temporary && !m_apart.contains(node)) {
                buffer.kind = PlanBuffer::Kind::Output;
                m_plan.outputs[output] = made->second.buffer;
                return;
            }
        }
        LoopSpace space;
        if (!findSpace(node, space))
            return;
        std::vector<std::pair<std::size_t, IndexMap>> together = {{output, space.map}};
        std::optional<LoweredOutputs> kernel = lowered(space, together, m_known);
        for (const std::size_t other : order) {
            if (other == output || m_plan.outputs[other] >= 0 || m_known.contains(m_graph.outputs[other]))
                continue;
            const auto map = mapOfOther(shapeOf(m_graph.outputs[other]), shapeOf(node), space);
            if (!map)
                continue;
            together.emplace_back(other, *map);
            if (auto more = lowered(space, together, m_known))
                kernel = std::move(more);
            else
                together.pop_back();
        }
        // Sums over images that lie so have all of them so, where there are copies.
        if (kernel->kernel.hasReductions() && readsChannelsLast(m_plan, m_graph, kernel->kernel))
            if (auto other = lowered(space, together, withCopies()))
                kernel = std::move(other);
        if (kernel->across >= 0) {
            if (computeBefore(kernel->across, node))
                planOutput(output, order);
            return;
        }
        const auto known = withSampled(kernel->kernel, [&](const KnownBuffers &copies) {
            auto again = lowered(space, together, copies);
            return again && again->across < 0 ? std::optional(std::move(again->kernel)) : std::nullopt;
        });
        if (known)
            kernel = lowered(space, together, *known);
        else if (together.size() == 1 && kernel->kernel.hasReductions() &&
                 isApartAsSampled(node, space, kernel->kernel)) {
            if (computeBefore(node, -1))
                planOutput(output, order);
            return;
        }
        for (std::size_t i = 0; i < together.size(); ++i) {
            const std::size_t some = together[i].first;
            const BufferLayout layout = layoutOfResult(m_graph, m_graph.outputs[some]);
            m_plan.outputs[some] = addBuffer(PlanBuffer::Kind::Output, m_graph.outputs[some], layout);
            kernel->kernel.stores[i].buffer = m_plan.outputs[some];
            // A leaf that is returned stays the leaf for those who read it.
            m_known.emplace(m_graph.outputs[some], KnownBuffer{m_plan.outputs[some], layout});
        }
        kernel->kernel.finish();
        m_plan.kernels.push_back(std::move(kernel->kernel));
    }

    std::optional<LoweredOutputs> lowered(const LoopSpace &space,
                                          const std::vector<std::pair<std::size_t, IndexMap>> &outputs,
                                          const KnownBuffers &known) const {
        KernelLowering lowering(m_graph, known, space.loops, space.outer);
        for (const auto &[output, map] : outputs) {
            const int node = m_graph.outputs[output];
            if (!store(lowering, node, map, layoutOfResult(m_graph, node)))
                return std::nullopt;
        }
        const int across = readAcross(lowering);
        return LoweredOutputs{std::move(lowering.kernel()), across};
    }

    /// The same of a node that is to lie so; empty: it does not fit.
    std::optional<FusedKernel> lowered(const LoopSpace &space, int node, const BufferLayout &layout,
                                       const KnownBuffers &known) const {
        KernelLowering lowering(m_graph, known, space.loops, space.outer);
        return store(lowering, node, space.map, layout) && readAcross(lowering) < 0
                   ? std::optional(std::move(lowering.kernel()))
                   : std::nullopt;
    }

    /// The node where `map` says becomes a result of the kernel, which is to lie so; false: it does not fit.
    bool store(KernelLowering &lowering, int node, const IndexMap &map, const BufferLayout &layout) const {
        const int step = stepOf(lowering.lower(node, map));
        FusedKernel &kernel = lowering.kernel();
        const ElementType type = m_graph.nodes[static_cast<std::size_t>(node)].type;
        kernel.stores.push_back({step, -1, type, addressIn(kernel, map, layout)});
        return step >= 0;
    }

    static AffineIndex addressIn(const FusedKernel &kernel, const IndexMap &map, const BufferLayout &layout) {
        AffineIndex address = combined(map, layout.strides, 0);
        address.steps.resize(kernel.loops.size(), 0);
        return address;
    }

    /// Loops in which `node` can be computed by one kernel, after kernels for what does not fit into it.
    bool findSpace(int node, LoopSpace &space) {
        if (elementCount(shapeOf(node)) == 0)
            return fail(QStringLiteral("a result is empty"));
        space = loopsOver(shapeOf(node));
        int flips = 0;
        int appended = -1; // the reduction whose row was added to the loops
        // With more in memory other loops may do: it begins anew.
        const auto computeFirst = [&](int before) {
            // What a sum that does not fit is a sum of itself: with that in memory both share their rows.
            if (appended >= 0 && before != appended && dependsOn(m_graph, before, appended))
                before = appended;
            appended = -1;
            flips = 0;
            space = loopsOver(shapeOf(node));
            return computeBefore(before, node);
        };
        for (int i = 0; i < mostTries; ++i) {
            KernelLowering lowering(m_graph, m_known, space.loops, space.outer);
            const LoweringResult result = lowering.lower(node, space.map);
            if (std::holds_alternative<Lowered>(result))
                return true;
            const Match change{
                [](const Lowered &) { return true; },
                [&](const LoopSplit &split) {
                    space.split(split);
                    return true;
                },
                [&](const FlipLoop &flip) {
                    // There and back in one kernel cannot be: then one of the two is a kernel before.
                    if (flips++ > 0)
                        return computeFirst(flip.scan);
                    space.flip(static_cast<std::size_t>(flip.loop));
                    return true;
                },
                [&](const NeedsRows &rows) {
                    if (space.makeRows(rows.repeated, rows.reduced))
                        return true;
                    if (!rows.repeated.empty())
                        return computeFirst(rows.node);
                    space.appendRows(rows.reduced);
                    appended = rows.node;
                    return true;
                },
                [&](const NeedsBuffer &needed) {
                    return computeFirst(needed.node) || fail(QStringLiteral("its loops do not fit together"));
                },
                [&](const Unsupported &unsupported) { return fail(unsupported.why); },
            };
            if (!std::visit(change, result))
                return false;
        }
        return fail(QStringLiteral("no loops were found for it within %1 tries").arg(mostTries));
    }

    bool isWholeAnchor(const GraphNode &node) const {
        return isMatrixProduct(m_graph, node) || isOwnAnchor(m_graph, node) ||
               (isConvolution(node) && !hasBias(node) && !isChannelsLast(node));
    }

    bool isChannelsLast(const GraphNode &node) const {
        return m_plan.choices.isChannelsLast
                   ? canBeChannelsLast(m_graph, node)
                   : m_finished.contains(static_cast<int>(&node - m_graph.nodes.data()));
    }

    // A library's kernel, after kernels for those of its operands that do not lie in memory as it needs them.
    bool computeAnchor(int node) {
        const GraphNode &what = m_graph.nodes[static_cast<std::size_t>(node)];
        const bool isLast = isChannelsLast(what);
        // With channels last it is no result yet, but what such are read from.
        const bool isBare = isConvolution(what) && (hasBias(what) || isLast);
        const bool mayBeAttention = m_plan.choices.hasAttention && !isConvolution(what);
        for (int i = 0; i < mostTries; ++i) {
            AnchorKernel found;
            if (mayBeAttention)
                found = attentionKernel(m_graph, m_known, node, isFree(node));
            if (!found.kernel && found.before < 0)
                found = isConvolution(what) ? convolutionKernel(m_graph, m_known, node, m_copies[isLast],
                                                                isLast, m_plan.choices.isChannelsLast)
                        : isOwnAnchor(m_graph, what) ? ownAnchorKernel(m_graph, m_known, node)
                                                     : productKernel(m_graph, m_known, node, isFree(node));
            if (!found.cannot.isEmpty())
                return fail(found.cannot);
            if (found.kernel) {
                const std::vector<int> one = {isBare ? withoutBias(node) : node};
                const std::vector<int> &keys = found.results.empty() ? one : found.results;
                for (std::size_t k = 0; k < keys.size(); ++k)
                    found.kernel->stores[k].buffer = addKnown(keys[k], PlanBuffer::Kind::Temporary,
                                                              keys[k] < 0 ? node : keys[k], found.layout);
                m_plan.kernels.push_back(std::move(*found.kernel));
                return true;
            }
            if (!(found.isCopy ? copyForConvolution(found.before, isLast)
                               : computeBefore(found.before, node, found.wished)))
                return false;
        }
        return fail(QStringLiteral("a library's operands need too many kernels before it"));
    }

    bool computeBefore(int node, int forNode, const std::optional<BufferLayout> &wished = {}) {
        const GraphNode &asked = m_graph.nodes[static_cast<std::size_t>(node)];
        const bool isAnchor =
            isConvolution(asked) || isMatrixProduct(m_graph, asked) || isOwnAnchor(m_graph, asked);
        if (isAnchor && !m_known.contains(node) && m_being.insert(withoutBias(node)).second)
            return computeAnchor(node);
        if (node == forNode || m_known.contains(node) || !m_being.insert(node).second)
            return fail(
                QStringLiteral("a reduction goes over elements in an order that no family here knows"));
        const std::optional<KnownBuffer> made =
            computeTemporary(node, wished && isFree(node) ? *wished : layoutByRows(shapeOf(node)));
        if (made)
            m_known[node] = *made;
        return made.has_value();
    }

    bool copyForConvolution(int node, bool isLast) {
        if (m_copies[isLast].contains(node))
            return fail(QStringLiteral("a convolution's operand lies in an order that no library takes"));
        const std::optional<KnownBuffer> made = computeTemporary(
            node, isLast ? layoutWithChannelsLast(shapeOf(node)) : layoutByRows(shapeOf(node)));
        if (made)
            m_copies[isLast][node] = *made;
        return made.has_value();
    }

    std::optional<KnownBuffer> computeTemporary(int node, const BufferLayout &layout) {
        for (int i = 0; i < mostTries; ++i) {
            LoopSpace space;
            if (!findSpace(node, space))
                return std::nullopt;
            const KnownBuffers known = layout != layoutByRows(shapeOf(node)) ? withCopies() : m_known;
            KernelLowering lowering(m_graph, known, space.loops, space.outer);
            store(lowering, node, space.map, layout);
            if (const int across = readAcross(lowering); across >= 0) {
                if (!computeBefore(across, node))
                    return std::nullopt;
                continue;
            }
            const BufferLayout usual = layoutByRows(shapeOf(node));
            if (layout != usual && turnsResults(lowering.kernel())) {
                const std::optional<KnownBuffer> made = computeTemporary(node, usual);
                if (!made)
                    return std::nullopt;
                m_known[node] = *made;
                continue;
            }
            // Threads with neighbours of what they read write them so as well, if only our kernels read it.
            BufferLayout chosen = layout;
            if (layout == usual && isFree(node) &&
                (m_asRead.contains(node) || turnsResults(lowering.kernel())))
                if (const auto order = orderOfReading(lowering.kernel(), space.map)) {
                    chosen = layoutInOrder(shapeOf(node), *order, 1, shapeOf(node)[order->back()]);
                    lowering.kernel().stores[0].address = addressIn(lowering.kernel(), space.map, chosen);
                }
            FusedKernel kernel = std::move(lowering.kernel());
            // What is sampled has channels side by side, and so has what is made of it, where that is free.
            const BufferLayout asSampled =
                chosen == usual && isFree(node)
                    ? layoutAsSampled(kernel, m_plan.buffers, shapeOf(node), space.map)
                    : chosen;
            const auto again = [&](const KnownBuffers &copies) {
                return lowered(space, node, asSampled, copies);
            };
            if (const auto copies = withSampled(kernel, again)) {
                chosen = asSampled;
                kernel = *again(*copies);
            }
            const int buffer = addBuffer(PlanBuffer::Kind::Temporary, node, chosen);
            kernel.stores[0].buffer = buffer;
            kernel.finish();
            m_plan.kernels.push_back(std::move(kernel));
            return KnownBuffer{buffer, chosen};
        }
        fail(QStringLiteral("its loops do not fit together"));
        return std::nullopt;
    }

    /// A convolution whose result lies with channels last and would be read or left in another order by a
    /// kernel with sums: its threads cannot have neighbours in both. Then a pass before brings it into
    /// torch's order. Or a sum that reads across where another reads along. -1: none.
    int readAcross(const KernelLowering &lowering) const {
        if (const int sum = sumAcross(lowering.kernel(), lowering.sums()); sum >= 0)
            return sum;
        FusedKernel kernel = lowering.kernel();
        kernel.finish();
        if (!kernel.hasReductions())
            return -1;
        const std::size_t last = kernel.loops.size() - 1;
        const auto isAlong = [&](std::size_t loop, const KernelLeaf &leaf) {
            return leaf.address.steps[loop] == 1 &&
                   std::all_of(kernel.stores.begin(), kernel.stores.end(), [&](const KernelStore &store) {
                       return kernel.levelOf(store.address) < StepLevel::Column ||
                              store.address.steps[loop] == 1;
                   });
        };
        for (const KernelLeaf &leaf : kernel.leaves) {
            const PlanBuffer &buffer = m_plan.buffers[static_cast<std::size_t>(leaf.buffer)];
            const bool isOurs = buffer.kind == PlanBuffer::Kind::Temporary &&
                                !m_known.contains(buffer.node) &&
                                isChannelsLast(m_graph.nodes[static_cast<std::size_t>(buffer.node)]);
            if (isOurs && !isAlong(last, leaf) && !(kernel.outer > 0 && isAlong(kernel.outer - 1, leaf)))
                return buffer.node;
        }
        return -1;
    }

    /// What lies in memory, with channels last where there is a copy that lies so.
    KnownBuffers withCopies() const {
        KnownBuffers known = m_known;
        for (const auto &[copied, buffer] : m_copies[1])
            known[copied] = buffer;
        return known;
    }

    /// What lies in memory, with copies of images that the kernel samples. `again`: the kernel that would
    /// read them. Empty: they are not worth it, or it would not share its places.
    std::optional<KnownBuffers>
    withSampled(const FusedKernel &kernel,
                const std::function<std::optional<FusedKernel>(const KnownBuffers &)> &again) {
        if (!m_plan.choices.copiesSampled)
            return std::nullopt;
        KnownBuffers known = m_known;
        std::set<int> missing;
        std::set<int> buffers;
        for (const SampledImage &image : sampledImages(kernel, m_plan.buffers)) {
            const int node = m_plan.buffers[static_cast<std::size_t>(image.buffer)].node;
            const auto lies = m_known.find(node);
            if (lies == m_known.end() || lies->second.buffer != image.buffer)
                continue;
            const BufferLayout layout = layoutWithInnermost(shapeOf(node), image.channels);
            const auto made = m_sampled.find(node);
            known[node] = made != m_sampled.end() && made->second.layout == layout
                              ? made->second
                              : KnownBuffer{image.buffer, layout};
            if (known[node].buffer == image.buffer)
                missing.insert(node);
            buffers.insert(known[node].buffer);
        }
        std::optional<FusedKernel> trial = buffers.empty() ? std::nullopt : again(known);
        if (!trial)
            return std::nullopt;
        trial->finish();
        if (!sharesPlaces(*trial, buffers))
            return std::nullopt;
        for (const int node : missing) {
            const std::optional<KnownBuffer> copy = computeTemporary(node, known[node].layout);
            if (!copy)
                return std::nullopt;
            known[node] = m_sampled[node] = *copy;
        }
        return known;
    }

    /// Whether sums over places of images share these only where the result lies with channels innermost, as
    /// forward's does not: then it is made before, and brought into order.
    bool isApartAsSampled(int node, const LoopSpace &space, const FusedKernel &kernel) {
        const BufferLayout layout = layoutAsSampled(kernel, m_plan.buffers, shapeOf(node), space.map);
        if (layout == layoutByRows(shapeOf(node)) || !m_areLayoutsFree || !m_apart.insert(node).second)
            return false;
        const auto again = [&](const KnownBuffers &copies) {
            return lowered(space, node, layout, copies);
        };
        if (withSampled(kernel, again))
            return true;
        m_apart.erase(node);
        return false;
    }

    const ReferenceGraph &m_graph;
    bool m_areLayoutsFree;
    KernelPlan m_plan;
    KnownBuffers m_known;
    std::array<KnownBuffers, 2> m_copies; ///< by rows, with channels last: of a convolution's operands
    KnownBuffers m_sampled;               ///< copies of images that are read where other tensors say
    std::set<int> m_finished;             ///< convolutions that have channels last for their own sake
    std::set<int> m_being;
    std::set<int> m_asRead; ///< pointwise values that lie as what they are made of
    std::set<int> m_apart;  ///< results that are made somewhere else first
};

} // namespace

KernelPlan planOfNodes(const ReferenceGraph &graph, const PlanChoices &choices, bool areLayoutsFree,
                       const std::vector<int> &residuals) {
    return Planner(graph, choices, areLayoutsFree).run(residuals);
}

} // namespace warpwright
