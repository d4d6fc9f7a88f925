// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/lowering/attention_plan.h"

#include "agent/playbook/analysis/attention_softmax.h"
#include "agent/playbook/analysis/product_plan.h"
#include "agent/playbook/ir/parted_loops.h"
#include "agent/playbook/lowering/kernel_lowering.h"

#include <algorithm>
#include <numeric>
#include <set>

namespace warpwright {
namespace {

constexpr int mostSplits = 50;
constexpr std::int64_t mostWidth = 128; ///< elements of a query or a value: more of them no registers hold
constexpr std::int64_t leastRows = 16;  ///< that one instruction of the matrix units takes
constexpr std::int64_t mostPlaces = std::int64_t(1) << 31;
constexpr int scoresBuffer = -2; ///< of no plan

enum class Part { Batch, Row, Key };

AffineIndex with(AffineIndex index, std::size_t loops) {
    index.steps.resize(loops, 0);
    return index;
}

class AttentionPlanner {
public:
    AttentionPlanner(const ReferenceGraph &graph, const KnownBuffers &known, int node, bool isFree)
        : m_graph(graph),
          m_known(known),
          m_node(graph.nodes[static_cast<std::size_t>(node)]),
          m_weights(m_node.arguments[0].node),
          m_isFree(isFree) {}

    AnchorKernel run() {
        if (!findScores())
            return {};
        const std::size_t matrix = m_node.shape.size() - 2;
        const Shape &weights = nodeAt(m_weights).shape;
        m_space = {{matrix > 0 ? m_node.shape[0] : 1, weights[matrix], weights[matrix + 1]},
                   {Part::Batch, Part::Row, Part::Key}};
        if (m_space.loops[1] < leastRows || m_space.loops[2] < leastRows)
            return {};
        for (int i = 0; i < mostSplits; ++i) {
            m_split.reset();
            if (tryLoops())
                return std::move(m_answer);
            if (!m_split)
                return {};
            m_space.split(*m_split);
        }
        return {};
    }

private:
    const GraphNode &nodeAt(int node) const { return m_graph.nodes[static_cast<std::size_t>(node)]; }

    // Batches and rows.
    std::size_t outerLoops() const {
        const auto key = std::find(m_space.parts.begin(), m_space.parts.end(), Part::Key);
        return static_cast<std::size_t>(key - m_space.parts.begin());
    }

    // The one product below the weights that is not in memory yet, where nobody else wants what is between.
    bool findScores() {
        std::set<int> products;
        std::set<int> seen;
        std::vector<int> open = {m_weights};
        while (!open.empty()) {
            const int node = open.back();
            open.pop_back();
            if (m_known.contains(node) || !seen.insert(node).second)
                continue;
            if (isMatrixProduct(m_graph, nodeAt(node)))
                products.insert(node);
            else
                forEachTensor(nodeAt(node),
                              [&open](const GraphArgument &operand) { open.push_back(operand.node); });
        }
        if (products.size() != 1)
            return false;
        m_scores = *products.begin();
        std::set<int> between;
        for (int node = m_scores; node <= m_weights; ++node)
            if (dependsOn(m_graph, node, m_scores) && dependsOn(m_graph, m_weights, node))
                between.insert(node);
        const bool hasExponentials = std::any_of(between.begin(), between.end(), [this](int node) {
            return plainOp(nodeAt(node).op) == KernelOp::Exponential;
        });
        const bool isResult = std::any_of(m_graph.outputs.begin(), m_graph.outputs.end(),
                                          [&](int output) { return between.contains(output); });
        return hasExponentials && !isResult && !hasOtherReaders(between);
    }

    bool hasOtherReaders(const std::set<int> &between) const {
        bool hasOthers = false;
        for (std::size_t i = 0; i < m_graph.nodes.size(); ++i)
            if (&m_graph.nodes[i] != &m_node && !between.contains(static_cast<int>(i)))
                forEachTensor(m_graph.nodes[i], [&](const GraphArgument &operand) {
                    hasOthers = hasOthers || between.contains(operand.node);
                });
        return hasOthers;
    }

    // True: m_answer says what to do. Else a split is asked for, or it does not fit.
    bool tryLoops() {
        KnownBuffers supposed = m_known;
        supposed[m_scores] = {scoresBuffer, layoutByRows(nodeAt(m_scores).shape)};
        KernelLowering lowering(m_graph, supposed, m_space.loops, outerLoops());
        const LoweringResult result = lowering.lower(m_weights, mapOf({Part::Batch, Part::Row, Part::Key}));
        if (const auto *split = std::get_if<LoopSplit>(&result)) {
            m_split = *split;
            return false;
        }
        if (const auto *needed = std::get_if<NeedsBuffer>(&result))
            return computeBefore(needed->node);
        const int weights = stepOf(result);
        if (weights < 0)
            return false;
        const FusedKernel &found = lowering.kernel();
        const auto softmax = softmaxOf(found, weights);
        if (!softmax)
            return false;
        const int scores = scoresIn(found, *softmax);
        if (scores < 0)
            return false;
        const AffineIndex &address = found.leaves[static_cast<std::size_t>(found.step(scores).leaf)].address;
        const auto places = digitsOf(address, nodeAt(m_scores).shape, m_space.loops, m_split);
        if (!places)
            return false;
        return readOperands(*places) && (isPlanned() || combine(found, weights, scores, *softmax));
    }

    bool isPlanned() const { return m_answer.kernel || m_answer.before >= 0; }

    bool computeBefore(int node) {
        if (node < 0 || m_known.contains(node) || dependsOn(m_graph, node, m_scores))
            return false;
        m_answer.before = node;
        return true;
    }

    // The step that reads the scores, where only what the softmax is of does; -1: others do, or several.
    int scoresIn(const FusedKernel &found, const Softmax &softmax) const {
        int scores = -1;
        for (std::size_t i = 0; i < found.steps.size(); ++i) {
            const KernelStep &step = found.steps[i];
            if (step.op != KernelOp::Load ||
                found.leaves[static_cast<std::size_t>(step.leaf)].buffer != scoresBuffer)
                continue;
            if (scores >= 0 || !isPlainLoad(found, static_cast<int>(i)))
                return -1;
            scores = static_cast<int>(i);
        }
        const bool isBelow = scores >= 0 && isMadeOf(found, softmax.logit, scores);
        return isBelow && !hasSumsBelow(found, softmax.logit) ? scores : -1;
    }

    IndexMap mapOf(std::initializer_list<Part> parts) const {
        IndexMap map;
        for (const Part part : parts)
            if (part != Part::Batch || m_node.shape.size() > 2)
                map.push_back(m_space.of(part));
        return map;
    }

    // Queries, keys and values as what lies in memory, times a number; places: of the scores.
    bool readOperands(const IndexMap &places) {
        const std::size_t count = m_space.loops.size();
        const GraphNode &scores = nodeAt(m_scores);
        const int queries = scores.arguments[0].node;
        const int values = m_node.arguments[1].node;
        m_loops = m_space.loops;
        m_loops.push_back(nodeAt(queries).shape.back());
        m_loops.push_back(nodeAt(values).shape.back());
        if (m_loops[count] > mostWidth || m_loops[count + 1] > mostWidth)
            return false;
        IndexMap all;
        for (const AffineIndex &place : places)
            all.push_back(with(place, m_loops.size()));
        const IndexMap own = identityMap(m_loops.size(), m_loops.size());
        const bool hasBatch = scores.shape.size() > 2;
        const IndexMap batch = hasBatch ? IndexMap{all[0]} : IndexMap{};
        const auto operandMap = [&](const AffineIndex &first, const AffineIndex &second) {
            IndexMap map = batch;
            map.push_back(first);
            map.push_back(second);
            return map;
        };
        const std::size_t matrix = hasBatch ? 1 : 0;
        IndexMap valueMap;
        for (const AffineIndex &index : mapOf({Part::Batch, Part::Key}))
            valueMap.push_back(with(index, m_loops.size()));
        valueMap.push_back(own[count + 1]);
        m_operands.clear();
        return read(queries, operandMap(all[matrix], own[count]), count, false) &&
               (isPlanned() ||
                read(scores.arguments[1].node, operandMap(own[count], all[matrix + 1]), count, true)) &&
               (isPlanned() || read(values, valueMap, count + 1, false));
    }

    // `along`: the loop over its elements, in which neighbours lie side by side. False: a split is asked for,
    // or it does not fit; true, and perhaps something has to be before.
    bool read(int node, const IndexMap &map, std::size_t along, bool isTurned) {
        KernelLowering lowering(m_graph, m_known, m_loops, m_loops.size());
        const LoweringResult result = lowering.lower(node, map);
        const int step = stepOf(result);
        // A loop over elements stays one: what is put together of parts of them is computed before.
        if (const auto *split = std::get_if<LoopSplit>(&result);
            split != nullptr && static_cast<std::size_t>(split->loop) < m_space.loops.size()) {
            m_split = *split;
            return false;
        }
        Operand operand;
        if (step >= 0 && isScaledLoad(lowering.kernel(), step, operand)) {
            if (operand.leaf.address.steps[along] == 1 || m_loops[along] == 1) {
                const bool isAlike = m_operands.empty() || operand.leaf.type == m_operands[0].leaf.type;
                m_operands.push_back(operand);
                return isAlike;
            }
            return copied(node, isTurned);
        }
        const int base = belowScalings(node);
        return m_known.contains(base) ? copied(node, isTurned) : computeBefore(base);
    }

    // What has to be in memory for the operand to be a load: below views, factors and wider types.
    int belowScalings(int node) const {
        for (;;) {
            node = belowViews(m_graph, node);
            const GraphNode &what = nodeAt(node);
            if (m_known.contains(node) || what.kind != GraphNode::Kind::Operator || what.arguments.empty() ||
                what.arguments[0].kind != GraphArgument::Kind::Node)
                return node;
            const int source = what.arguments[0].node;
            const bool isConversion = what.op.startsWith(QLatin1String("_to_copy")) ||
                                      what.op.startsWith(QLatin1String("prims.convert_element_type"));
            const bool isWider = isConversion && isFloating(nodeAt(source).type) &&
                                 bytesOf(nodeAt(source).type) < bytesOf(what.type);
            const bool isCopy =
                what.op.startsWith(QLatin1String("clone")) && nodeAt(source).type == what.type;
            const bool isScaled = what.op.startsWith(QLatin1String("mul.")) && what.arguments.size() > 1 &&
                                  what.arguments[1].kind == GraphArgument::Kind::Number &&
                                  nodeAt(source).type == what.type;
            if (!isWider && !isScaled && !isCopy)
                return node;
            node = source;
        }
    }

    struct Operand {
        KernelLeaf leaf;
        double factor = 1;
    };

    // A type with fewer digits may have been widened: the matrix units take what lies in memory.
    static bool isScaledLoad(const FusedKernel &kernel, int number, Operand &operand) {
        for (;;) {
            const KernelStep &step = kernel.step(number);
            if (step.op == KernelOp::Convert && isFloating(step.type)) {
                number = step.operands[0];
            } else if (step.op == KernelOp::Multiply &&
                       kernel.step(step.operands[1]).op == KernelOp::Number) {
                operand.factor *= kernel.step(step.operands[1]).number;
                number = step.operands[0];
            } else {
                break;
            }
        }
        if (!isPlainLoad(kernel, number))
            return false;
        operand.leaf = kernel.leaves[static_cast<std::size_t>(kernel.step(number).leaf)];
        return operand.leaf.type == ElementType::Float32 || operand.leaf.type == ElementType::Float16 ||
               operand.leaf.type == ElementType::BFloat16;
    }

    // A copy in which the elements of one key lie side by side.
    bool copied(int node, bool isTurned) {
        if (!computeBefore(node))
            return false;
        if (isTurned) {
            const Shape &shape = nodeAt(node).shape;
            std::vector<std::size_t> order(shape.size());
            std::iota(order.begin(), order.end(), std::size_t(0));
            std::swap(order[order.size() - 1], order[order.size() - 2]);
            m_answer.wished = layoutInOrder(shape, order, 1, shape[shape.size() - 2]);
        }
        return true;
    }

    // The steps of the softmax between two products.
    bool combine(const FusedKernel &found, int weights, int scores, const Softmax &softmax) {
        FusedKernel kernel;
        kernel.loops = m_loops;
        kernel.outer = outerLoops();
        kernel.anchor = Anchor::Attention;
        const ElementType type = ElementType::Float32;
        const int query = kernel.load(m_operands[0].leaf);
        const int key = kernel.load(m_operands[1].leaf);
        const int value = kernel.load(m_operands[2].leaf);
        const auto sumOf = [&kernel](int first, int second) {
            KernelStep step;
            step.op = KernelOp::RowSum;
            step.operands = {kernel.add(KernelOp::Multiply, type, {first, second})};
            const int sum = kernel.append(step);
            kernel.steps[static_cast<std::size_t>(sum)].level = StepLevel::Element; // one for each key
            return sum;
        };
        kernel.attention.score = sumOf(query, key);
        const double factor = m_operands[0].factor * m_operands[1].factor;
        int scaled = kernel.attention.score;
        if (factor != 1)
            scaled = kernel.add(KernelOp::Multiply, type, {scaled, kernel.number(factor, type)});
        std::vector<int> places(found.steps.size(), -1);
        places[static_cast<std::size_t>(scores)] = scaled;
        copySteps(found, weights, kernel, places);
        kernel.attention.logit = places[static_cast<std::size_t>(softmax.logit)];
        kernel.attention.isSafe = softmax.isSafe;
        kernel.attention.batches =
            static_cast<std::size_t>(std::count(m_space.parts.begin(), m_space.parts.end(), Part::Batch));
        int result = sumOf(places[static_cast<std::size_t>(weights)], value);
        if (m_operands[2].factor != 1)
            result =
                kernel.add(KernelOp::Multiply, type, {result, kernel.number(m_operands[2].factor, type)});
        kernel.stores.push_back({result, -1, m_node.type, resultAddress()});
        if (!hasNarrowPlaces(kernel))
            return false;
        m_answer.kernel = std::move(kernel);
        return true;
    }

    // Within one attention places are counted in 32 bits.
    static bool hasNarrowPlaces(const FusedKernel &kernel) {
        const auto isNarrow = [&kernel](AffineIndex address) {
            for (std::size_t k = 0; k < kernel.attention.batches; ++k)
                address.steps[k] = 0;
            const auto [first, last] = rangeOf(address, kernel.loops);
            return first > -mostPlaces && last < mostPlaces;
        };
        return isNarrow(kernel.stores[0].address) &&
               std::all_of(kernel.leaves.begin(), kernel.leaves.end(),
                           [&](const KernelLeaf &leaf) { return isNarrow(leaf.address); });
    }

    void copySteps(const FusedKernel &found, int last, FusedKernel &kernel, std::vector<int> &places) const {
        const std::vector<bool> needed = neededBy(found, last);
        for (int number = 0; number <= last; ++number) {
            if (places[static_cast<std::size_t>(number)] >= 0 || !needed[static_cast<std::size_t>(number)])
                continue;
            KernelStep step = found.step(number);
            for (int &operand : step.operands)
                operand = places[static_cast<std::size_t>(operand)];
            int place = -1;
            if (step.op == KernelOp::Load) {
                KernelLeaf leaf = found.leaves[static_cast<std::size_t>(step.leaf)];
                leaf.address = with(leaf.address, m_loops.size());
                std::vector<int> indices = step.operands;
                const int guard = step.isGuarded ? indices.back() : -1;
                if (step.isGuarded)
                    indices.pop_back();
                place = kernel.load(leaf, indices, guard);
                kernel.steps[static_cast<std::size_t>(place)].number = step.number;
            } else {
                if (step.op == KernelOp::Index)
                    step.index = with(step.index, m_loops.size());
                place = kernel.append(std::move(step));
            }
            places[static_cast<std::size_t>(number)] = place;
        }
    }

    // A free result lies in the order of the queries: what follows most often brings heads together again,
    // and then their elements lie side by side already.
    AffineIndex resultAddress() {
        const std::size_t outer = outerLoops();
        const std::size_t columns = m_loops.size() - 1;
        const std::size_t first = m_node.shape.size() > 2 ? 0 : 1;
        Shape parts(m_loops.begin() + static_cast<std::ptrdiff_t>(first),
                    m_loops.begin() + static_cast<std::ptrdiff_t>(outer));
        parts.push_back(m_loops[columns]);
        std::vector<std::size_t> order(parts.size());
        std::iota(order.begin(), order.end(), std::size_t(0));
        const std::vector<std::int64_t> &steps = m_operands[0].leaf.address.steps;
        const bool isSpread = std::all_of(order.begin(), order.end() - 1, [&](std::size_t k) {
            return steps[k + first] > 0 || m_loops[k + first] == 1;
        });
        if (m_isFree && isSpread)
            std::stable_sort(order.begin(), order.end() - 1, [&](std::size_t a, std::size_t b) {
                return steps[a + first] > steps[b + first];
            });
        m_answer.layout = layoutInOrder(parts, order, 1, parts.back());
        AffineIndex address = constantIndex(0, m_loops.size());
        for (std::size_t k = first; k < outer; ++k)
            address.steps[k] = m_answer.layout.strides[k - first];
        address.steps[columns] = m_answer.layout.strides.back();
        return address;
    }

    const ReferenceGraph &m_graph;
    const KnownBuffers &m_known;
    const GraphNode &m_node;
    int m_weights;
    bool m_isFree;
    int m_scores = -1;
    PartedLoops<Part> m_space{{}, {}};
    std::optional<LoopSplit> m_split;
    Shape m_loops; ///< of the space, and of the elements of queries and values
    std::vector<Operand> m_operands;
    AnchorKernel m_answer;
};

} // namespace

AnchorKernel attentionKernel(const ReferenceGraph &graph, const KnownBuffers &known, int node, bool isFree) {
    return AttentionPlanner(graph, known, node, isFree).run();
}

} // namespace warpwright
