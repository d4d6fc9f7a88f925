// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/scatter_plan.h"

namespace warpwright {
namespace {

/// The node that says where; -1: the arguments are others.
int placesOf(const GraphNode &node) {
    const GraphArgument *places = node.argument(1);
    const bool isOne =
        places != nullptr && places->items.size() == 1 && places->items[0].kind == GraphArgument::Kind::Node;
    return isOne ? places->items[0].node : -1;
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
        const int step = lowering.lower(node, identityMap(count, count));
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
    if (node.op != QLatin1String("index_put") || node.shape.size() != 2 || node.arguments.size() < 3 ||
        placesOf(node) < 0)
        return false;
    const GraphNode &places = nodeAt(placesOf(node));
    const GraphNode &values = nodeAt(node.arguments[2].node);
    const bool isKnownType = node.type == ElementType::Float32 || node.type == ElementType::Float64 ||
                             node.type == ElementType::Int32 || node.type == ElementType::Int64;
    return isKnownType && values.type == node.type && places.type == ElementType::Int64 &&
           places.shape.size() == 1 && values.shape == Shape{places.shape[0], node.shape[1]};
}

AnchorKernel scatterKernel(const ReferenceGraph &graph, const KnownBuffers &known, int node) {
    const GraphNode &what = graph.nodes[static_cast<std::size_t>(node)];
    AnchorKernel answer;
    Operands operands(graph, known, answer);
    bool isZero = false;
    const auto values = operands.leafOf(what.arguments[2].node);
    const auto places = values ? operands.leafOf(placesOf(what)) : std::nullopt;
    const auto base = places ? operands.leafOf(what.arguments[0].node, &isZero) : std::nullopt;
    if (!places || (!base && !isZero))
        return answer;
    FusedKernel kernel;
    kernel.anchor = Anchor::ScatteredRows;
    kernel.scatter = {elementCount(graph.nodes[static_cast<std::size_t>(placesOf(what))].shape),
                      what.shape[0], what.shape[1], what.arguments.size() > 3 && what.arguments[3].truth};
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
