// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/lowering/scatter_plan.h"

#include "agent/playbook/analysis/operator_traits.h"
#include "agent/playbook/analysis/product_plan.h"
#include "agent/playbook/lowering/kernel_lowering.h"

#include <algorithm>

namespace warpwright {
namespace {

/// What torch calls it: rows that are put or added at places, or that raise or lower what is there.
struct ScatterWords {
    ScatterKind kind = ScatterKind::Add;
    int places = -1; ///< nodes
    int values = -1;
};

std::optional<ScatterWords> extremesOf(const GraphNode &node) {
    // index_reduce(x, 0, places, rows, "amax"), what is in x included
    const auto isNode = [&node](std::size_t i) {
        return node.arguments[i].kind == GraphArgument::Kind::Node;
    };
    if (node.arguments.size() != 5 || !isNode(2) || !isNode(3) || node.arguments[1].number != 0)
        return std::nullopt;
    const QString word = node.arguments[4].word;
    if (word != QLatin1String("amax") && word != QLatin1String("amin"))
        return std::nullopt;
    return ScatterWords{word == QLatin1String("amax") ? ScatterKind::Maximum : ScatterKind::Minimum,
                        node.arguments[2].node, node.arguments[3].node};
}

/// The node that says where; -1: the arguments are others.
int placesOf(const GraphNode &node) {
    const GraphArgument *places = node.argument(1);
    const bool isOne =
        places != nullptr && places->items.size() == 1 && places->items[0].kind == GraphArgument::Kind::Node;
    return isOne ? places->items[0].node : -1;
}

std::optional<ScatterWords> wordsOf(const GraphNode &node) {
    if (wordOf(node) == QLatin1String("index_reduce"))
        return extremesOf(node);
    if (node.op != QLatin1String("index_put") || node.arguments.size() < 3 || placesOf(node) < 0)
        return std::nullopt;
    const bool isSum = node.arguments.size() > 3 && node.arguments[3].truth;
    return ScatterWords{isSum ? ScatterKind::Add : ScatterKind::Put, placesOf(node), node.arguments[2].node};
}

bool liesByRows(const AffineIndex &address, const Shape &shape) {
    const Shape strides = contiguousStrides(shape);
    for (std::size_t d = 0; d < shape.size(); ++d)
        if (shape[d] > 1 && address.steps[d] != strides[d])
            return false;
    return address.offset == 0;
}

/// Operands as they lie: each a load by rows, or the node that has to be made so before.
class Operands {
public:
    Operands(const ReferenceGraph &graph, const KnownBuffers &known, AnchorKernel &answer)
        : m_graph(graph), m_known(known), m_answer(answer) {}

    /// `isZero`: set where the node is nothing but zeros, and there is no leaf. Empty: m_answer says why.
    std::optional<KernelLeaf> leafOf(int node, bool *isZero = nullptr) {
        const GraphNode &what = m_graph.nodes[static_cast<std::size_t>(node)];
        const std::size_t count = what.shape.size();
        KernelLowering lowering(m_graph, m_known, what.shape, count);
        const int step = stepOf(lowering.lower(node, identityMap(count, count)));
        const FusedKernel &kernel = lowering.kernel();
        if (isZero != nullptr && step >= 0 && kernel.step(step).op == KernelOp::Number &&
            kernel.step(step).number == 0) {
            *isZero = true;
            return std::nullopt;
        }
        if (isPlainLoad(kernel, step)) {
            const KernelLeaf &leaf = kernel.leaves[static_cast<std::size_t>(kernel.step(step).leaf)];
            if (leaf.type == what.type && liesByRows(leaf.address, what.shape))
                return leaf;
        }
        if (m_known.contains(node))
            m_answer.cannot = QStringLiteral("rows that are scattered do not lie by rows");
        else
            m_answer.before = node;
        return std::nullopt;
    }

private:
    const ReferenceGraph &m_graph;
    const KnownBuffers &m_known;
    AnchorKernel &m_answer;
};

} // namespace

bool isScatteredRows(const ReferenceGraph &graph, const GraphNode &node) {
    const auto nodeAt = [&](int place) -> const GraphNode & {
        return graph.nodes[static_cast<std::size_t>(place)];
    };
    const std::optional<ScatterWords> words = node.shape.size() == 2 ? wordsOf(node) : std::nullopt;
    if (!words)
        return false;
    const GraphNode &places = nodeAt(words->places);
    const GraphNode &values = nodeAt(words->values);
    const bool isExtreme = words->kind == ScatterKind::Maximum || words->kind == ScatterKind::Minimum;
    const bool isKnownType = node.type == ElementType::Float32 ||
                             (node.type == ElementType::Float64 && !isExtreme) ||
                             node.type == ElementType::Int32 || node.type == ElementType::Int64;
    return isKnownType && values.type == node.type && places.type == ElementType::Int64 &&
           places.shape.size() == 1 && values.shape == Shape{places.shape[0], node.shape[1]};
}

AnchorKernel scatterKernel(const ReferenceGraph &graph, const KnownBuffers &known, int node) {
    const GraphNode &what = graph.nodes[static_cast<std::size_t>(node)];
    const ScatterWords words = wordsOf(what).value();
    AnchorKernel answer;
    Operands operands(graph, known, answer);
    bool isZero = false;
    const auto values = operands.leafOf(words.values);
    const auto places = values ? operands.leafOf(words.places) : std::nullopt;
    const auto base = places ? operands.leafOf(what.arguments[0].node, &isZero) : std::nullopt;
    if (!places || (!base && !isZero))
        return answer;
    FusedKernel kernel;
    kernel.anchor = Anchor::ScatteredRows;
    kernel.scatter = {elementCount(graph.nodes[static_cast<std::size_t>(words.places)].shape),
                      what.shape[0],
                      what.shape[1],
                      words.kind,
                      1,
                      base ? 2 : -1};
    kernel.loops = {kernel.scatter.count, kernel.scatter.columns};
    kernel.outer = kernel.loops.size();
    const int value = kernel.load(*values);
    KernelLeaf one = *places;
    one.address.steps.push_back(0);
    kernel.leaves.push_back(one);
    if (base)
        kernel.leaves.push_back(*base);
    kernel.stores.push_back({value, -1, what.type, {0, {kernel.scatter.columns, 1}}});
    answer.kernel = std::move(kernel);
    answer.layout = layoutByRows(what.shape);
    return answer;
}

} // namespace warpwright
