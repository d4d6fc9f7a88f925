// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/lowering/attention_builder.h"

#include "agent/playbook/analysis/matmul_pattern.h"
#include "agent/playbook/analysis/softmax_pattern.h"
#include "agent/playbook/ir/split_loops.h"
#include "agent/playbook/lowering/node_lowering.h"

#include <algorithm>
#include <numeric>
#include <set>

namespace warpwright {
namespace {

constexpr int mostSplits = 50;
constexpr std::int64_t mostHeadSize = 128; ///< elements of a query or a value: more do not fit registers
constexpr std::int64_t leastRows = 16;     ///< of one tensor core instruction
constexpr std::int64_t indexLimit = std::int64_t(1) << 31;
constexpr int scoresBuffer = -2; ///< belongs to no program

enum class LoopRole { Batch, Row, Key };

AffineExpr withLoops(AffineExpr index, std::size_t loops) {
    index.steps.resize(loops, 0);
    return index;
}

class AttentionBuilder {
public:
    AttentionBuilder(const ReferenceGraph &graph, const KnownBuffers &known, int node, bool isFree)
        : m_graph(graph),
          m_known(known),
          m_node(graph.nodes[static_cast<std::size_t>(node)]),
          m_weights(m_node.arguments[0].node),
          m_isFree(isFree) {}

    StructuredKernel run() {
        if (!findScores())
            return {};
        const std::size_t matrix = m_node.shape.size() - 2;
        const Shape &weights = nodeAt(m_weights).shape;
        m_space = {{matrix > 0 ? m_node.shape[0] : 1, weights[matrix], weights[matrix + 1]},
                   {LoopRole::Batch, LoopRole::Row, LoopRole::Key}};
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
        const auto key = std::find(m_space.parts.begin(), m_space.parts.end(), LoopRole::Key);
        return static_cast<std::size_t>(key - m_space.parts.begin());
    }

    // The only matmul below the weights that is not in memory yet, if nothing else reads what is between.
    bool findScores() {
        std::set<int> matmuls;
        std::set<int> seen;
        std::vector<int> open = {m_weights};
        while (!open.empty()) {
            const int node = open.back();
            open.pop_back();
            if (m_known.contains(node) || !seen.insert(node).second)
                continue;
            if (isBlasMatmul(m_graph, nodeAt(node)))
                matmuls.insert(node);
            else
                forEachTensor(nodeAt(node),
                              [&open](const GraphArgument &operand) { open.push_back(operand.node); });
        }
        if (matmuls.size() != 1)
            return false;
        m_scores = *matmuls.begin();
        std::set<int> between;
        for (int node = m_scores; node <= m_weights; ++node)
            if (dependsOn(m_graph, node, m_scores) && dependsOn(m_graph, m_weights, node))
                between.insert(node);
        const bool hasExponentials = std::any_of(between.begin(), between.end(), [this](int node) {
            return opcodeFromName(nodeAt(node).op) == Opcode::Exp;
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

    // True: m_answer is set. False: a split is requested, or it does not match.
    bool tryLoops() {
        KnownBuffers assumed = m_known;
        assumed[m_scores] = {scoresBuffer, contiguousLayout(nodeAt(m_scores).shape)};
        NodeLowering lowering(m_graph, assumed, m_space.loops, outerLoops());
        const LoweringResult result =
            lowering.lower(m_weights, mapOf({LoopRole::Batch, LoopRole::Row, LoopRole::Key}));
        if (const auto *split = std::get_if<LoopSplit>(&result)) {
            m_split = *split;
            return false;
        }
        if (const auto *needed = std::get_if<NeedsBuffer>(&result))
            return requestBuffer(needed->node);
        const int weights = stepOf(result);
        if (weights < 0)
            return false;
        const Kernel &found = lowering.kernel();
        const auto softmax = softmaxOf(found, weights);
        if (!softmax)
            return false;
        const int scores = scoresIn(found, *softmax);
        if (scores < 0)
            return false;
        const AffineExpr &address = found.inputs[static_cast<std::size_t>(found.step(scores).input)].address;
        const auto positions = delinearize(address, nodeAt(m_scores).shape, m_space.loops, m_split);
        if (!positions)
            return false;
        return readOperands(*positions) && (isPlanned() || buildKernel(found, weights, scores, *softmax));
    }

    bool isPlanned() const { return m_answer.kernel || m_answer.prerequisite >= 0; }

    bool requestBuffer(int node) {
        if (node < 0 || m_known.contains(node) || dependsOn(m_graph, node, m_scores))
            return false;
        m_answer.prerequisite = node;
        return true;
    }

    // The load of the scores, if only the softmax input uses it; -1: other uses, or several loads.
    int scoresIn(const Kernel &found, const Softmax &softmax) const {
        int scores = -1;
        for (std::size_t i = 0; i < found.steps.size(); ++i) {
            const KernelStep &step = found.steps[i];
            if (step.op != Opcode::Load ||
                found.inputs[static_cast<std::size_t>(step.input)].buffer != scoresBuffer)
                continue;
            if (scores >= 0 || !isPlainLoad(found, static_cast<int>(i)))
                return -1;
            scores = static_cast<int>(i);
        }
        const bool isBelow = scores >= 0 && isDerivedFrom(found, softmax.logit, scores);
        return isBelow && !dependsOnReduction(found, softmax.logit) ? scores : -1;
    }

    AffineMap mapOf(std::initializer_list<LoopRole> parts) const {
        AffineMap map;
        for (const LoopRole part : parts)
            if (part != LoopRole::Batch || m_node.shape.size() > 2)
                map.push_back(m_space.of(part));
        return map;
    }

    // Queries, keys and values as scaled loads; `positions`: indices of the scores.
    bool readOperands(const AffineMap &positions) {
        const std::size_t count = m_space.loops.size();
        const GraphNode &scores = nodeAt(m_scores);
        const int queries = scores.arguments[0].node;
        const int values = m_node.arguments[1].node;
        m_loops = m_space.loops;
        m_loops.push_back(nodeAt(queries).shape.back());
        m_loops.push_back(nodeAt(values).shape.back());
        if (m_loops[count] > mostHeadSize || m_loops[count + 1] > mostHeadSize)
            return false;
        AffineMap all;
        for (const AffineExpr &position : positions)
            all.push_back(withLoops(position, m_loops.size()));
        const AffineMap identity = identityMap(m_loops.size(), m_loops.size());
        const bool hasBatch = scores.shape.size() > 2;
        const AffineMap batch = hasBatch ? AffineMap{all[0]} : AffineMap{};
        const auto operandMap = [&](const AffineExpr &first, const AffineExpr &second) {
            AffineMap map = batch;
            map.push_back(first);
            map.push_back(second);
            return map;
        };
        const std::size_t matrix = hasBatch ? 1 : 0;
        AffineMap valueMap;
        for (const AffineExpr &index : mapOf({LoopRole::Batch, LoopRole::Key}))
            valueMap.push_back(withLoops(index, m_loops.size()));
        valueMap.push_back(identity[count + 1]);
        m_operands.clear();
        return read(queries, operandMap(all[matrix], identity[count]), count, false) &&
               (isPlanned() ||
                read(scores.arguments[1].node, operandMap(identity[count], all[matrix + 1]), count, true)) &&
               (isPlanned() || read(values, valueMap, count + 1, false));
    }

    // `along`: the loop over head elements, which must be contiguous. False: a split is requested, or it does
    // not match; true: done, perhaps with a prerequisite.
    bool read(int node, const AffineMap &map, std::size_t along, bool isTransposed) {
        NodeLowering lowering(m_graph, m_known, m_loops, m_loops.size());
        const LoweringResult result = lowering.lower(node, map);
        const int step = stepOf(result);
        // The loop over head elements is never split: an operand concatenated along it is materialized.
        if (const auto *split = std::get_if<LoopSplit>(&result);
            split != nullptr && static_cast<std::size_t>(split->loop) < m_space.loops.size()) {
            m_split = *split;
            return false;
        }
        Operand operand;
        if (step >= 0 && isScaledLoad(lowering.kernel(), step, operand)) {
            if (operand.input.address.steps[along] == 1 || m_loops[along] == 1) {
                const bool isAlike = m_operands.empty() || operand.input.type == m_operands[0].input.type;
                m_operands.push_back(operand);
                return isAlike;
            }
            return requestCopy(node, isTransposed);
        }
        const int base = belowScalings(node);
        return m_known.contains(base) ? requestCopy(node, isTransposed) : requestBuffer(base);
    }

    // The node to materialize so that the operand is a load: below views, scaling and widening.
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
        KernelInput input;
        double factor = 1;
    };

    // The operand may have been widened: tensor cores take the narrower type in memory.
    static bool isScaledLoad(const Kernel &kernel, int number, Operand &operand) {
        for (;;) {
            const KernelStep &step = kernel.step(number);
            if (step.op == Opcode::Convert && isFloating(step.type)) {
                number = step.operands[0];
            } else if (step.op == Opcode::Multiply && kernel.step(step.operands[1]).op == Opcode::Number) {
                operand.factor *= kernel.step(step.operands[1]).number;
                number = step.operands[0];
            } else {
                break;
            }
        }
        if (!isPlainLoad(kernel, number))
            return false;
        operand.input = kernel.inputs[static_cast<std::size_t>(kernel.step(number).input)];
        return operand.input.type == ElementType::Float32 || operand.input.type == ElementType::Float16 ||
               operand.input.type == ElementType::BFloat16;
    }

    // A copy in which the elements of one key are contiguous.
    bool requestCopy(int node, bool isTransposed) {
        if (!requestBuffer(node))
            return false;
        if (isTransposed) {
            const Shape &shape = nodeAt(node).shape;
            std::vector<std::size_t> order(shape.size());
            std::iota(order.begin(), order.end(), std::size_t(0));
            std::swap(order[order.size() - 1], order[order.size() - 2]);
            m_answer.preferredLayout = layoutInOrder(shape, order, 1, shape[shape.size() - 2]);
        }
        return true;
    }

    // The steps of the softmax between two matmuls.
    bool buildKernel(const Kernel &found, int weights, int scores, const Softmax &softmax) {
        Kernel kernel;
        kernel.loops = m_loops;
        kernel.outer = outerLoops();
        auto &attention = kernel.structuredOp.emplace<Attention>();
        const ElementType type = ElementType::Float32;
        const int query = kernel.load(m_operands[0].input);
        const int key = kernel.load(m_operands[1].input);
        const int value = kernel.load(m_operands[2].input);
        const auto sumOf = [&kernel](int first, int second) {
            KernelStep step;
            step.op = Opcode::RowSum;
            step.operands = {kernel.add(Opcode::Multiply, type, {first, second})};
            const int sum = kernel.append(step);
            kernel.steps[static_cast<std::size_t>(sum)].level = StepLevel::Element; // one for each key
            return sum;
        };
        attention.score = sumOf(query, key);
        const double factor = m_operands[0].factor * m_operands[1].factor;
        int scaled = attention.score;
        if (factor != 1)
            scaled = kernel.add(Opcode::Multiply, type, {scaled, kernel.number(factor, type)});
        std::vector<int> positions(found.steps.size(), -1);
        positions[static_cast<std::size_t>(scores)] = scaled;
        copySteps(found, weights, kernel, positions);
        attention.logit = positions[static_cast<std::size_t>(softmax.logit)];
        attention.isSafe = softmax.isSafe;
        attention.batches =
            static_cast<std::size_t>(std::count(m_space.parts.begin(), m_space.parts.end(), LoopRole::Batch));
        int result = sumOf(positions[static_cast<std::size_t>(weights)], value);
        if (m_operands[2].factor != 1)
            result = kernel.add(Opcode::Multiply, type, {result, kernel.number(m_operands[2].factor, type)});
        kernel.stores.push_back({result, -1, m_node.type, resultAddress()});
        if (!has32BitIndexing(kernel))
            return false;
        m_answer.kernel = std::move(kernel);
        return true;
    }

    // Offsets within one batch entry are 32-bit.
    static bool has32BitIndexing(const Kernel &kernel) {
        const auto fits32Bits = [&kernel](AffineExpr address) {
            for (std::size_t k = 0; k < kernel.attention()->batches; ++k)
                address.steps[k] = 0;
            const auto [first, last] = rangeOf(address, kernel.loops);
            return first > -indexLimit && last < indexLimit;
        };
        return fits32Bits(kernel.stores[0].address) &&
               std::all_of(kernel.inputs.begin(), kernel.inputs.end(),
                           [&](const KernelInput &input) { return fits32Bits(input.address); });
    }

    void copySteps(const Kernel &found, int last, Kernel &kernel, std::vector<int> &positions) const {
        const std::vector<bool> needed = neededBy(found, last);
        for (int number = 0; number <= last; ++number) {
            if (positions[static_cast<std::size_t>(number)] >= 0 || !needed[static_cast<std::size_t>(number)])
                continue;
            KernelStep step = found.step(number);
            for (int &operand : step.operands)
                operand = positions[static_cast<std::size_t>(operand)];
            int position = -1;
            if (step.op == Opcode::Load) {
                KernelInput input = found.inputs[static_cast<std::size_t>(step.input)];
                input.address = withLoops(input.address, m_loops.size());
                std::vector<int> indices = step.operands;
                const int guard = step.isGuarded ? indices.back() : -1;
                if (step.isGuarded)
                    indices.pop_back();
                position = kernel.load(input, indices, guard);
                kernel.steps[static_cast<std::size_t>(position)].number = step.number;
            } else {
                if (step.op == Opcode::Index)
                    step.index = withLoops(step.index, m_loops.size());
                position = kernel.append(std::move(step));
            }
            positions[static_cast<std::size_t>(number)] = position;
        }
    }

    // A free result has the order of the queries: its consumer usually merges the heads again, and then their
    // elements are contiguous already.
    AffineExpr resultAddress() {
        const std::size_t outer = outerLoops();
        const std::size_t columns = m_loops.size() - 1;
        const std::size_t first = m_node.shape.size() > 2 ? 0 : 1;
        Shape parts(m_loops.begin() + static_cast<std::ptrdiff_t>(first),
                    m_loops.begin() + static_cast<std::ptrdiff_t>(outer));
        parts.push_back(m_loops[columns]);
        std::vector<std::size_t> order(parts.size());
        std::iota(order.begin(), order.end(), std::size_t(0));
        const std::vector<std::int64_t> &steps = m_operands[0].input.address.steps;
        const bool isSpread = std::all_of(order.begin(), order.end() - 1, [&](std::size_t k) {
            return steps[k + first] > 0 || m_loops[k + first] == 1;
        });
        if (m_isFree && isSpread)
            std::stable_sort(order.begin(), order.end() - 1, [&](std::size_t a, std::size_t b) {
                return steps[a + first] > steps[b + first];
            });
        m_answer.layout = layoutInOrder(parts, order, 1, parts.back());
        AffineExpr address = constantIndex(0, m_loops.size());
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
    SplitLoops<LoopRole> m_space{{}, {}};
    std::optional<LoopSplit> m_split;
    Shape m_loops; ///< of the space, then the elements of queries and of values
    std::vector<Operand> m_operands;
    StructuredKernel m_answer;
};

} // namespace

StructuredKernel attentionKernel(const ReferenceGraph &graph, const KnownBuffers &known, int node,
                                 bool isFree) {
    return AttentionBuilder(graph, known, node, isFree).run();
}

} // namespace warpwright
