// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/lowering/scatter_builder.h"

#include "agent/playbook/analysis/matmul_pattern.h"
#include "agent/playbook/analysis/operator_traits.h"
#include "agent/playbook/lowering/node_lowering.h"

#include <algorithm>

namespace warpwright {
namespace {

/// A scatter of rows at indices: put, added, or reduced by maximum or minimum.
struct ScatterArguments {
    ScatterKind kind = ScatterKind::Add;
    int indices = -1; ///< nodes
    int values = -1;
};

std::optional<ScatterArguments> extremesOf(const GraphNode &node) {
    // index_reduce(x, 0, indices, rows, "amax") with include_self
    const auto isNode = [&node](std::size_t i) {
        return node.arguments[i].kind == GraphArgument::Kind::Node;
    };
    if (node.arguments.size() != 5 || !isNode(2) || !isNode(3) || node.arguments[1].number != 0)
        return std::nullopt;
    const QString word = node.arguments[4].word;
    if (word != QLatin1String("amax") && word != QLatin1String("amin"))
        return std::nullopt;
    return ScatterArguments{word == QLatin1String("amax") ? ScatterKind::Maximum : ScatterKind::Minimum,
                            node.arguments[2].node, node.arguments[3].node};
}

/// The node with the indices; -1: other arguments.
int indicesOf(const GraphNode &node) {
    const GraphArgument *indices = node.argument(1);
    const bool isOne = indices != nullptr && indices->items.size() == 1 &&
                       indices->items[0].kind == GraphArgument::Kind::Node;
    return isOne ? indices->items[0].node : -1;
}

std::optional<ScatterArguments> scatterArguments(const GraphNode &node) {
    if (opNameOf(node) == QLatin1String("index_reduce"))
        return extremesOf(node);
    if (node.op != QLatin1String("index_put") || node.arguments.size() < 3 || indicesOf(node) < 0)
        return std::nullopt;
    const bool isSum = node.arguments.size() > 3 && node.arguments[3].truth;
    return ScatterArguments{isSum ? ScatterKind::Add : ScatterKind::Put, indicesOf(node),
                            node.arguments[2].node};
}

bool isRowMajor(const AffineExpr &address, const Shape &shape) {
    const Shape strides = contiguousStrides(shape);
    for (std::size_t d = 0; d < shape.size(); ++d)
        if (shape[d] > 1 && address.steps[d] != strides[d])
            return false;
    return address.offset == 0;
}

/// Operands as row-major plain loads, or the node to materialize.
class Operands {
public:
    Operands(const ReferenceGraph &graph, const KnownBuffers &known, StructuredKernel &answer)
        : m_graph(graph), m_known(known), m_answer(answer) {}

    /// `isZero`: set where the node is all zeros and needs no input. Empty: m_answer says why.
    std::optional<KernelInput> inputOf(int node, bool *isZero = nullptr) {
        const GraphNode &what = m_graph.nodes[static_cast<std::size_t>(node)];
        const std::size_t count = what.shape.size();
        NodeLowering lowering(m_graph, m_known, what.shape, count);
        const int step = stepOf(lowering.lower(node, identityMap(count, count)));
        const Kernel &kernel = lowering.kernel();
        if (isZero != nullptr && step >= 0 && kernel.step(step).op == Opcode::Number &&
            kernel.step(step).number == 0) {
            *isZero = true;
            return std::nullopt;
        }
        if (isPlainLoad(kernel, step)) {
            const KernelInput &input = kernel.inputs[static_cast<std::size_t>(kernel.step(step).input)];
            if (input.type == what.type && isRowMajor(input.address, what.shape))
                return input;
        }
        if (m_known.contains(node))
            m_answer.unsupported = QStringLiteral("scattered rows are not row-major in memory");
        else
            m_answer.prerequisite = node;
        return std::nullopt;
    }

private:
    const ReferenceGraph &m_graph;
    const KnownBuffers &m_known;
    StructuredKernel &m_answer;
};

} // namespace

bool isRowScatter(const ReferenceGraph &graph, const GraphNode &node) {
    const auto nodeAt = [&](int nodeIndex) -> const GraphNode & {
        return graph.nodes[static_cast<std::size_t>(nodeIndex)];
    };
    const std::optional<ScatterArguments> parsed =
        node.shape.size() == 2 ? scatterArguments(node) : std::nullopt;
    if (!parsed)
        return false;
    const GraphNode &indices = nodeAt(parsed->indices);
    const GraphNode &values = nodeAt(parsed->values);
    const bool isExtreme = parsed->kind == ScatterKind::Maximum || parsed->kind == ScatterKind::Minimum;
    const bool isKnownType = node.type == ElementType::Float32 ||
                             (node.type == ElementType::Float64 && !isExtreme) ||
                             node.type == ElementType::Int32 || node.type == ElementType::Int64;
    return isKnownType && values.type == node.type && indices.type == ElementType::Int64 &&
           indices.shape.size() == 1 && values.shape == Shape{indices.shape[0], node.shape[1]};
}

StructuredKernel scatterKernel(const ReferenceGraph &graph, const KnownBuffers &known, int node) {
    const GraphNode &what = graph.nodes[static_cast<std::size_t>(node)];
    const ScatterArguments parsed = scatterArguments(what).value();
    StructuredKernel answer;
    Operands operands(graph, known, answer);
    bool isZero = false;
    const auto values = operands.inputOf(parsed.values);
    const auto indices = values ? operands.inputOf(parsed.indices) : std::nullopt;
    const auto base = indices ? operands.inputOf(what.arguments[0].node, &isZero) : std::nullopt;
    if (!indices || (!base && !isZero))
        return answer;
    Kernel kernel;
    const ScatterSizes sizes{elementCount(graph.nodes[static_cast<std::size_t>(parsed.indices)].shape),
                             what.shape[0],
                             what.shape[1],
                             parsed.kind,
                             1,
                             base ? 2 : -1};
    kernel.structuredOp = ScatteredRows{sizes};
    kernel.loops = {sizes.count, sizes.columns};
    kernel.outer = kernel.loops.size();
    const int value = kernel.load(*values);
    KernelInput one = *indices;
    one.address.steps.push_back(0);
    kernel.inputs.push_back(one);
    if (base)
        kernel.inputs.push_back(*base);
    kernel.stores.push_back({value, -1, what.type, {0, {sizes.columns, 1}}});
    answer.kernel = std::move(kernel);
    answer.layout = contiguousLayout(what.shape);
    return answer;
}

} // namespace warpwright
