// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/lowering/planner.h"
#include "agent/playbook/analysis/convolution_pattern.h"
#include "agent/playbook/analysis/matmul_pattern.h"
#include "agent/playbook/analysis/output_layout.h"
#include "agent/playbook/analysis/reduction_direction.h"
#include "agent/playbook/fusion/fusion_pipeline.h"
#include "agent/playbook/ir/overloaded.h"
#include "agent/playbook/lowering/attention_builder.h"
#include "agent/playbook/lowering/channels_last_choice.h"
#include "agent/playbook/lowering/convolution_builder.h"
#include "agent/playbook/lowering/iteration_space.h"
#include "agent/playbook/lowering/materialize_gathers.h"
#include "agent/playbook/lowering/materialize_states.h"
#include "agent/playbook/lowering/matmul_builder.h"
#include "agent/playbook/lowering/node_lowering.h"
#include "agent/playbook/lowering/scatter_sort_builder.h"
#include "agent/playbook/schedule/sampled_tensors.h"

#include <algorithm>
#include <array>
#include <functional>
#include <numeric>
#include <set>

namespace warpwright {
namespace {
constexpr int mostTries = 200; ///< splits and prerequisites for one kernel

/// A kernel, and the node to materialize before it for coalesced accesses; -1: none.
struct LoweredOutputs {
    Kernel kernel;
    int uncoalesced = -1;
};

class Planner {
public:
    Planner(const ReferenceGraph &graph, SharedDevice device, const ProgramChoices &choices,
            bool areLayoutsFree)
        : m_graph(graph), m_areLayoutsFree(areLayoutsFree) {
        m_program.choices = choices;
        m_program.device = std::move(device);
        m_channelsLast = channelsLastConvolutions(graph, choices);
    }

    Program run(const std::vector<int> &residuals) {
        for (std::size_t i = 0; i < m_graph.nodes.size(); ++i)
            if (m_graph.nodes[i].kind != GraphNode::Kind::Operator)
                addKnown(static_cast<int>(i), ProgramBuffer::Kind::Input, static_cast<int>(i),
                         layoutOfInput(m_graph.nodes[i]));
        // Residual sums come first: the matmul's epilogue adds what is in memory already.
        for (const std::vector<int> &first : {residuals, materializedGathers(m_graph)})
            for (const int node : first)
                if (m_program.unsupported.isEmpty() && !m_known.contains(node))
                    materialize(node, -1);
        for (const int state : materializedStates(m_graph))
            if (m_program.unsupported.isEmpty() && !m_known.contains(state)) {
                m_inReadOrder.insert(state);
                materialize(state, -1);
            }
        m_program.outputs.assign(m_graph.outputs.size(), -1);
        std::vector<std::size_t> order(m_graph.outputs.size());
        std::iota(order.begin(), order.end(), std::size_t(0));
        // The largest first: smaller outputs are often reductions over its loops.
        std::stable_sort(order.begin(), order.end(), [this](std::size_t a, std::size_t b) {
            return elementCount(shapeOf(m_graph.outputs[a])) > elementCount(shapeOf(m_graph.outputs[b]));
        });
        for (const std::size_t output : order)
            if (m_program.outputs[output] < 0 && m_program.unsupported.isEmpty())
                planOutput(output, order);
        m_program.graph = m_graph; // passes add the nodes that they materialize
        runFusionPasses(m_program);
        return std::move(m_program);
    }

private:
    const Shape &shapeOf(int node) const { return m_graph.nodes[static_cast<std::size_t>(node)].shape; }

    int addBuffer(ProgramBuffer::Kind kind, int node, const TensorLayout &layout) {
        m_program.buffers.push_back({kind, node, layout});
        return static_cast<int>(m_program.buffers.size()) - 1;
    }

    int addKnown(int key, ProgramBuffer::Kind kind, int node, const TensorLayout &layout) {
        const int buffer = addBuffer(kind, node, layout);
        m_known[key] = {buffer, layout};
        return buffer;
    }

    /// Only kernels of the program will read it, so its layout is free.
    bool isFree(int node) const {
        return m_areLayoutsFree &&
               (m_viaTemporary.contains(node) ||
                std::find(m_graph.outputs.begin(), m_graph.outputs.end(), node) == m_graph.outputs.end());
    }

    bool fail(const QString &why) {
        if (m_program.unsupported.isEmpty())
            m_program.unsupported = why;
        return false;
    }

    void planOutput(std::size_t output, const std::vector<std::size_t> &order) {
        const int node = m_graph.outputs[output];
        // A matmul that stores unaligned rows is many times slower than an aligned one and a copy.
        const GraphNode &asked = m_graph.nodes[static_cast<std::size_t>(node)];
        if (m_areLayoutsFree && isBlasMatmul(m_graph, asked) && !m_known.contains(node) &&
            hasUnalignedRows(m_graph, asked))
            m_viaTemporary.insert(node);
        // A library's result is an output as it is.
        if (isCompleteStructuredOp(m_graph.nodes[static_cast<std::size_t>(node)]) &&
            !m_known.contains(node) && !materialize(node, -1))
            return;
        // An earlier kernel has materialized it for itself.
        const auto made = m_known.find(node);
        if (made != m_known.end()) {
            ProgramBuffer &buffer = m_program.buffers[static_cast<std::size_t>(made->second.buffer)];
            if (buffer.kind == ProgramBuffer::Kind::Temporary && !m_viaTemporary.contains(node)) {
                buffer.kind = ProgramBuffer::Kind::Output;
                m_program.outputs[output] = made->second.buffer;
                return;
            }
        }
        IterationSpace space;
        if (!findSpace(node, space))
            return;
        std::vector<std::pair<std::size_t, AffineMap>> together = {{output, space.map}};
        std::optional<LoweredOutputs> kernel = lowered(space, together, m_known);
        for (const std::size_t other : order) {
            if (other == output || m_program.outputs[other] >= 0 || m_known.contains(m_graph.outputs[other]))
                continue;
            const auto map = mapOfOtherOutput(shapeOf(m_graph.outputs[other]), shapeOf(node), space);
            if (!map)
                continue;
            together.emplace_back(other, *map);
            if (auto more = lowered(space, together, m_known))
                kernel = std::move(more);
            else
                together.pop_back();
        }
        // A reduction that reads NHWC tensors reads all tensors as NHWC, where there are copies.
        if (kernel->kernel.hasReductions() && readsChannelsLast(m_program, m_graph, kernel->kernel))
            if (auto other = lowered(space, together, withCopies()))
                kernel = std::move(other);
        if (kernel->uncoalesced >= 0) {
            if (materialize(kernel->uncoalesced, node))
                planOutput(output, order);
            return;
        }
        const auto known = withSampled(kernel->kernel, [&](const KnownBuffers &copies) {
            auto again = lowered(space, together, copies);
            return again && again->uncoalesced < 0 ? std::optional(std::move(again->kernel)) : std::nullopt;
        });
        if (known)
            kernel = lowered(space, together, *known);
        else if (together.size() == 1 && kernel->kernel.hasReductions() &&
                 needsSampledLayoutFirst(node, space, kernel->kernel)) {
            if (materialize(node, -1))
                planOutput(output, order);
            return;
        }
        for (std::size_t i = 0; i < together.size(); ++i) {
            const std::size_t some = together[i].first;
            const TensorLayout layout = layoutOfOutput(m_graph, m_graph.outputs[some]);
            m_program.outputs[some] = addBuffer(ProgramBuffer::Kind::Output, m_graph.outputs[some], layout);
            kernel->kernel.stores[i].buffer = m_program.outputs[some];
            // An input that is returned stays the input for its consumers.
            m_known.emplace(m_graph.outputs[some], KnownBuffer{m_program.outputs[some], layout});
        }
        kernel->kernel.finish();
        m_program.kernels.push_back(std::move(kernel->kernel));
    }

    std::optional<LoweredOutputs> lowered(const IterationSpace &space,
                                          const std::vector<std::pair<std::size_t, AffineMap>> &outputs,
                                          const KnownBuffers &known) const {
        NodeLowering lowering(m_graph, known, space.loops, space.outer);
        for (const auto &[output, map] : outputs) {
            const int node = m_graph.outputs[output];
            if (!store(lowering, node, map, layoutOfOutput(m_graph, node)))
                return std::nullopt;
        }
        const int uncoalesced = uncoalescedNode(lowering);
        return LoweredOutputs{std::move(lowering.kernel()), uncoalesced};
    }

    /// The same for a node with this layout; empty: it does not fit.
    std::optional<Kernel> lowered(const IterationSpace &space, int node, const TensorLayout &layout,
                                  const KnownBuffers &known) const {
        NodeLowering lowering(m_graph, known, space.loops, space.outer);
        return store(lowering, node, space.map, layout) && uncoalescedNode(lowering) < 0
                   ? std::optional(std::move(lowering.kernel()))
                   : std::nullopt;
    }

    /// Stores the node at `map` in this layout; false: it does not fit.
    bool store(NodeLowering &lowering, int node, const AffineMap &map, const TensorLayout &layout) const {
        const int step = stepOf(lowering.lower(node, map));
        Kernel &kernel = lowering.kernel();
        const ElementType type = m_graph.nodes[static_cast<std::size_t>(node)].type;
        kernel.stores.push_back({step, -1, type, addressIn(kernel, map, layout)});
        return step >= 0;
    }

    static AffineExpr addressIn(const Kernel &kernel, const AffineMap &map, const TensorLayout &layout) {
        AffineExpr address = linearize(map, layout.strides, 0);
        address.steps.resize(kernel.loops.size(), 0);
        return address;
    }

    /// Loops in which one kernel can compute `node`, after kernels for what does not fit into it.
    bool findSpace(int node, IterationSpace &space) {
        if (elementCount(shapeOf(node)) == 0)
            return fail(QStringLiteral("a result is empty"));
        space = loopsOver(shapeOf(node));
        int flips = 0;
        int appended = -1; // the reduction whose loops were appended
        // With more in memory other loops may do: starts over.
        const auto materializeFirst = [&](int prerequisite) {
            // What depends on the appended reduction: with that one in memory both share their loops.
            if (appended >= 0 && prerequisite != appended && dependsOn(m_graph, prerequisite, appended))
                prerequisite = appended;
            appended = -1;
            flips = 0;
            space = loopsOver(shapeOf(node));
            return materialize(prerequisite, node);
        };
        for (int i = 0; i < mostTries; ++i) {
            NodeLowering lowering(m_graph, m_known, space.loops, space.outer);
            const LoweringResult result = lowering.lower(node, space.map);
            if (std::holds_alternative<Lowered>(result))
                return true;
            const Overloaded change{
                [](const Lowered &) { return true; },
                [&](const LoopSplit &split) {
                    space.split(split);
                    return true;
                },
                [&](const FlipLoop &flip) {
                    // Scans in both directions do not fit one kernel: one of them is materialized.
                    if (flips++ > 0)
                        return materializeFirst(flip.scan);
                    space.flip(static_cast<std::size_t>(flip.loop));
                    return true;
                },
                [&](const NeedsInnerLoops &rows) {
                    if (space.makeInnerLoops(rows.repeated, rows.reduced))
                        return true;
                    if (!rows.repeated.empty())
                        return materializeFirst(rows.node);
                    space.appendInnerLoops(rows.reduced);
                    appended = rows.node;
                    return true;
                },
                [&](const NeedsBuffer &needed) {
                    return materializeFirst(needed.node) || fail(QStringLiteral("no loop nest fits it"));
                },
                [&](const Unsupported &unsupported) { return fail(unsupported.why); },
            };
            if (!std::visit(change, result))
                return false;
        }
        return fail(QStringLiteral("no loop nest was found for it in %1 tries").arg(mostTries));
    }

    bool isCompleteStructuredOp(const GraphNode &node) const {
        return isBlasMatmul(m_graph, node) || isScatterOrSort(m_graph, node) ||
               (isConvolution(node) && !hasBias(node) && !isChannelsLast(node));
    }

    bool isChannelsLast(const GraphNode &node) const {
        return m_program.choices.isChannelsLast
                   ? canBeChannelsLast(m_graph, node)
                   : m_channelsLast.contains(static_cast<int>(&node - m_graph.nodes.data()));
    }

    // A structured op's kernel, after kernels for operands that are not in memory as it needs them.
    bool materializeStructuredOp(int node) {
        const GraphNode &what = m_graph.nodes[static_cast<std::size_t>(node)];
        const bool usesChannelsLast = isChannelsLast(what);
        // In NHWC it is not the node's result yet, but what its consumers read.
        const bool isBare = isConvolution(what) && (hasBias(what) || usesChannelsLast);
        const bool mayBeAttention = m_program.choices.hasAttention && !isConvolution(what);
        for (int i = 0; i < mostTries; ++i) {
            StructuredKernel found;
            if (mayBeAttention)
                found = attentionKernel(m_graph, m_known, node, isFree(node));
            if (!found.kernel && found.prerequisite < 0)
                found = isConvolution(what)
                            ? convolutionKernel(m_graph, m_known, node, m_copies[usesChannelsLast],
                                                usesChannelsLast, m_program.choices.isChannelsLast)
                        : isScatterOrSort(m_graph, what) ? scatterOrSortKernel(m_graph, m_known, node)
                                                         : matmulKernel(m_graph, m_known, node, isFree(node));
            if (!found.unsupported.isEmpty())
                return fail(found.unsupported);
            if (found.kernel) {
                const std::vector<int> one = {isBare ? withoutBias(node) : node};
                const std::vector<int> &keys = found.results.empty() ? one : found.results;
                for (std::size_t k = 0; k < keys.size(); ++k)
                    found.kernel->stores[k].buffer = addKnown(keys[k], ProgramBuffer::Kind::Temporary,
                                                              keys[k] < 0 ? node : keys[k], found.layout);
                m_program.kernels.push_back(std::move(*found.kernel));
                return true;
            }
            if (!(found.isCopy ? copyForConvolution(found.prerequisite, usesChannelsLast)
                               : materialize(found.prerequisite, node, found.preferredLayout)))
                return false;
        }
        return fail(QStringLiteral("a library call needs too many kernels before it"));
    }

    bool materialize(int node, int forNode, const std::optional<TensorLayout> &preferredLayout = {}) {
        const GraphNode &asked = m_graph.nodes[static_cast<std::size_t>(node)];
        const bool isStructuredOp =
            isConvolution(asked) || isBlasMatmul(m_graph, asked) || isScatterOrSort(m_graph, asked);
        if (isStructuredOp && !m_known.contains(node) && m_inProgress.insert(withoutBias(node)).second)
            return materializeStructuredOp(node);
        if (node == forNode || m_known.contains(node) || !m_inProgress.insert(node).second)
            return fail(QStringLiteral("a reduction goes over elements in an order that is not supported"));
        const std::optional<KnownBuffer> made = computeTemporary(
            node, preferredLayout && isFree(node) ? *preferredLayout : contiguousLayout(shapeOf(node)));
        if (made)
            m_known[node] = *made;
        return made.has_value();
    }

    bool copyForConvolution(int node, bool usesChannelsLast) {
        if (m_copies[usesChannelsLast].contains(node))
            return fail(QStringLiteral("a convolution's operand has a layout that no library takes"));
        const std::optional<KnownBuffer> made = computeTemporary(
            node, usesChannelsLast ? channelsLastLayout(shapeOf(node)) : contiguousLayout(shapeOf(node)));
        if (made)
            m_copies[usesChannelsLast][node] = *made;
        return made.has_value();
    }

    std::optional<KnownBuffer> computeTemporary(int node, const TensorLayout &layout) {
        for (int i = 0; i < mostTries; ++i) {
            IterationSpace space;
            if (!findSpace(node, space))
                return std::nullopt;
            const KnownBuffers known = layout != contiguousLayout(shapeOf(node)) ? withCopies() : m_known;
            NodeLowering lowering(m_graph, known, space.loops, space.outer);
            store(lowering, node, space.map, layout);
            if (const int uncoalesced = uncoalescedNode(lowering); uncoalesced >= 0) {
                if (!materialize(uncoalesced, node))
                    return std::nullopt;
                continue;
            }
            const TensorLayout usual = contiguousLayout(shapeOf(node));
            if (layout != usual && transposesResults(lowering.kernel())) {
                const std::optional<KnownBuffer> made = computeTemporary(node, usual);
                if (!made)
                    return std::nullopt;
                m_known[node] = *made;
                continue;
            }
            // Keeps stores coalesced: the result has the order of the reads, if only our kernels read it.
            TensorLayout chosen = layout;
            if (layout == usual && isFree(node) &&
                (m_inReadOrder.contains(node) || transposesResults(lowering.kernel())))
                if (const auto order = readOrder(lowering.kernel(), space.map)) {
                    chosen = layoutInOrder(shapeOf(node), *order, 1, shapeOf(node)[order->back()]);
                    lowering.kernel().stores[0].address = addressIn(lowering.kernel(), space.map, chosen);
                }
            Kernel kernel = std::move(lowering.kernel());
            // Sampled tensors have channels innermost, and so has the result, where its layout is free.
            const TensorLayout asSampled =
                chosen == usual && isFree(node)
                    ? layoutAsSampled(kernel, m_program.buffers, shapeOf(node), space.map)
                    : chosen;
            const auto again = [&](const KnownBuffers &copies) {
                return lowered(space, node, asSampled, copies);
            };
            if (const auto copies = withSampled(kernel, again)) {
                chosen = asSampled;
                kernel = *again(*copies);
            }
            const int buffer = addBuffer(ProgramBuffer::Kind::Temporary, node, chosen);
            kernel.stores[0].buffer = buffer;
            kernel.finish();
            m_program.kernels.push_back(std::move(kernel));
            return KnownBuffer{buffer, chosen};
        }
        fail(QStringLiteral("no loop nest fits it"));
        return std::nullopt;
    }

    /// An NHWC convolution result that a reduction would read or store uncoalesced: a pass before brings it
    /// into NCHW. Or a reduction that reads across rows where another one reads along them. -1: none.
    int uncoalescedNode(const NodeLowering &lowering) const {
        if (const int sum = uncoalescedReduction(lowering.kernel(), lowering.reductions()); sum >= 0)
            return sum;
        Kernel kernel = lowering.kernel();
        kernel.finish();
        if (!kernel.hasReductions())
            return -1;
        const std::size_t last = kernel.loops.size() - 1;
        const auto isAlong = [&](std::size_t loop, const KernelInput &input) {
            return input.address.steps[loop] == 1 &&
                   std::all_of(kernel.stores.begin(), kernel.stores.end(), [&](const KernelStore &store) {
                       return kernel.levelOf(store.address) < StepLevel::Column ||
                              store.address.steps[loop] == 1;
                   });
        };
        for (const KernelInput &input : kernel.inputs) {
            const ProgramBuffer &buffer = m_program.buffers[static_cast<std::size_t>(input.buffer)];
            const bool isOurs = buffer.kind == ProgramBuffer::Kind::Temporary &&
                                !m_known.contains(buffer.node) &&
                                isChannelsLast(m_graph.nodes[static_cast<std::size_t>(buffer.node)]);
            if (isOurs && !isAlong(last, input) && !(kernel.outer > 0 && isAlong(kernel.outer - 1, input)))
                return buffer.node;
        }
        return -1;
    }

    /// What is in memory, as NHWC where there is such a copy.
    KnownBuffers withCopies() const {
        KnownBuffers known = m_known;
        for (const auto &[copied, buffer] : m_copies[1])
            known[copied] = buffer;
        return known;
    }

    /// What is in memory, with copies of tensors that the kernel samples. `again`: the kernel with these.
    /// Empty: they are not worth it, or it would not share its indices.
    std::optional<KnownBuffers>
    withSampled(const Kernel &kernel,
                const std::function<std::optional<Kernel>(const KnownBuffers &)> &again) {
        if (!m_program.choices.copiesSampled)
            return std::nullopt;
        KnownBuffers known = m_known;
        std::set<int> missing;
        std::set<int> buffers;
        for (const SampledTensor &image : sampledTensors(kernel, m_program.buffers)) {
            const int node = m_program.buffers[static_cast<std::size_t>(image.buffer)].node;
            const auto lies = m_known.find(node);
            if (lies == m_known.end() || lies->second.buffer != image.buffer)
                continue;
            const TensorLayout layout = layoutWithInnermost(shapeOf(node), image.channels);
            const auto made = m_sampled.find(node);
            known[node] = made != m_sampled.end() && made->second.layout == layout
                              ? made->second
                              : KnownBuffer{image.buffer, layout};
            if (known[node].buffer == image.buffer)
                missing.insert(node);
            buffers.insert(known[node].buffer);
        }
        std::optional<Kernel> trial = buffers.empty() ? std::nullopt : again(known);
        if (!trial)
            return std::nullopt;
        trial->finish();
        trial->device = m_program.device;
        if (!sharesIndices(*trial, buffers))
            return std::nullopt;
        for (const int node : missing) {
            const std::optional<KnownBuffer> copy = computeTemporary(node, known[node].layout);
            if (!copy)
                return std::nullopt;
            known[node] = m_sampled[node] = *copy;
        }
        return known;
    }

    /// Whether reductions over sampled tensors share indices only with a channels-innermost result, which
    /// forward's is not: then that is computed first, and transposed.
    bool needsSampledLayoutFirst(int node, const IterationSpace &space, const Kernel &kernel) {
        const TensorLayout layout = layoutAsSampled(kernel, m_program.buffers, shapeOf(node), space.map);
        if (layout == contiguousLayout(shapeOf(node)) || !m_areLayoutsFree ||
            !m_viaTemporary.insert(node).second)
            return false;
        const auto again = [&](const KnownBuffers &copies) {
            return lowered(space, node, layout, copies);
        };
        if (withSampled(kernel, again))
            return true;
        m_viaTemporary.erase(node);
        return false;
    }

    const ReferenceGraph &m_graph;
    bool m_areLayoutsFree;
    Program m_program;
    KnownBuffers m_known;
    std::array<KnownBuffers, 2> m_copies; ///< row-major, NHWC: of convolutions' operands
    KnownBuffers m_sampled;               ///< copies of tensors that are read at computed indices
    std::set<int> m_channelsLast;         ///< of channelsLastConvolutions()
    std::set<int> m_inProgress;
    std::set<int> m_inReadOrder;  ///< pointwise nodes stored in the order of their inputs
    std::set<int> m_viaTemporary; ///< outputs that are computed in a temporary first
};

} // namespace

Program programOfNodes(const ReferenceGraph &graph, const SharedDevice &device, const ProgramChoices &choices,
                       bool areLayoutsFree, const std::vector<int> &residuals) {
    return Planner(graph, device, choices, areLayoutsFree).run(residuals);
}

} // namespace warpwright
