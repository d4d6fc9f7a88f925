// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/graph_passes/fold_batch_norm.h"

#include "agent/playbook/analysis/convolution_pattern.h"
#include "agent/playbook/ir/graph_rewriter.h"

#include <map>
#include <optional>
#include <set>

namespace warpwright {
namespace {

enum class ScaleStep { Convert, Add, Subtract, Multiply, Divide };

/// What follows a convolution, as far as it is a factor or an offset per channel.
struct Scaling {
    struct Part {
        ScaleStep step = ScaleStep::Convert;
        GraphArgument value; ///< a tensor with one element per channel, or a number
    };
    std::vector<Part> parts;
    std::vector<int> nodes; ///< the convolution and the nodes folded into it, but for the last
    int last = -1;          ///< has the value of the convolution with all of it
};

class FoldedBatchNorms {
public:
    explicit FoldedBatchNorms(const ReferenceGraph &graph)
        : m_graph(graph), m_readers(readersOf(graph)), m_rewriter(graph) {}

    ReferenceGraph run() {
        std::map<int, Scaling> folded; // by their last nodes
        std::set<int> gone;
        for (std::size_t i = 0; i < m_graph.nodes.size(); ++i)
            if (auto scaling = scalingOf(static_cast<int>(i))) {
                gone.insert(scaling->nodes.begin(), scaling->nodes.end());
                folded.emplace(scaling->last, std::move(*scaling));
            }
        return m_rewriter.run([&](int position) {
            if (const auto scaling = folded.find(position); scaling != folded.end())
                return scaled(scaling->second);
            return gone.contains(position) ? -1 // no consumer is left
                                           : m_rewriter.append(m_rewriter.moved(position));
        });
    }

private:
    [[nodiscard]] const GraphNode &at(int node) const {
        return m_graph.nodes[static_cast<std::size_t>(node)];
    }

    // Empty without a factor: an offset alone is a bias already, and is added as such.
    [[nodiscard]] std::optional<Scaling> scalingOf(int position) const {
        const GraphNode &convolution = at(position);
        // Filters times a small factor may be subnormal in FP16 where results are not.
        if (!canBeChannelsLast(m_graph, convolution) || convolution.arguments[6].truth ||
            convolution.type == ElementType::Float16 ||
            elementCount(at(convolution.arguments[1].node).shape) > elementCount(convolution.shape))
            return std::nullopt;
        Scaling scaling{{}, {position}, -1};
        Scaling found;
        std::vector<int> passed;
        bool hasOffset = hasBias(convolution);
        bool hasFactor = false;
        for (int node = position;;) {
            const std::vector<int> &readers = m_readers[static_cast<std::size_t>(node)];
            if (readers.size() != 1 || readers[0] < 0)
                break;
            const auto part = partOf(convolution, node, at(readers[0]));
            const bool isOffset = part && (part->step == ScaleStep::Add || part->step == ScaleStep::Subtract);
            // A number alone is no tensor, so no bias.
            if (!part || (isOffset && !hasOffset && part->value.kind == GraphArgument::Kind::Number))
                break;
            hasOffset = hasOffset || isOffset;
            hasFactor = hasFactor || (part->step != ScaleStep::Convert && !isOffset);
            node = readers[0];
            scaling.parts.push_back(*part);
            if (at(node).type == convolution.type && hasFactor) {
                found = scaling;
                found.last = node;
            }
            scaling.nodes.push_back(node);
        }
        return found.last < 0 ? std::nullopt : std::optional(std::move(found));
    }

    [[nodiscard]] std::optional<Scaling::Part> partOf(const GraphNode &convolution, int source,
                                                      const GraphNode &node) const {
        if (node.shape != convolution.shape || !isFloating(node.type))
            return std::nullopt;
        const QString op = node.op;
        if (op.startsWith(QLatin1String("_to_copy")) || op == QLatin1String("prims.convert_element_type"))
            return bytesOf(node.type) >= bytesOf(convolution.type)
                       ? std::optional(Scaling::Part{ScaleStep::Convert, {}})
                       : std::nullopt;
        const auto step = stepOf(op);
        if (!step || node.arguments.size() != 2 || !node.keywords.empty())
            return std::nullopt;
        const bool isFirst =
            node.arguments[0].kind == GraphArgument::Kind::Node && node.arguments[0].node == source;
        const GraphArgument &value = node.arguments[isFirst ? 1 : 0];
        const bool isReversed = !isFirst && (*step == ScaleStep::Subtract || *step == ScaleStep::Divide);
        const bool isNumber = value.kind == GraphArgument::Kind::Number;
        const bool isVector =
            value.kind == GraphArgument::Kind::Node && isOfChannels(convolution, at(value.node));
        return !isReversed && (isNumber || isVector) ? std::optional(Scaling::Part{*step, value})
                                                     : std::nullopt;
    }

    static std::optional<ScaleStep> stepOf(const QString &op) {
        const QString word = op.section(QLatin1Char('.'), 0, 0);
        return word == QLatin1String("add")   ? std::optional(ScaleStep::Add)
               : word == QLatin1String("sub") ? std::optional(ScaleStep::Subtract)
               : word == QLatin1String("mul") ? std::optional(ScaleStep::Multiply)
               : word == QLatin1String("div") ? std::optional(ScaleStep::Divide)
                                              : std::nullopt;
    }

    /// One element per channel, broadcast over images and space.
    static bool isOfChannels(const GraphNode &convolution, const GraphNode &value) {
        const std::size_t dimensions = convolution.shape.size();
        const std::size_t own = value.shape.size();
        if (own + 1 < dimensions || own > dimensions || !isFloating(value.type))
            return false;
        for (std::size_t d = 0; d < own; ++d) {
            const std::size_t where = dimensions - own + d;
            if (value.shape[d] != (where == 1 ? convolution.shape[1] : 1))
                return false;
        }
        return true;
    }

    int append(const char *op, const Shape &shape, ElementType type, std::vector<GraphArgument> arguments) {
        GraphNode node;
        node.name = m_name;
        node.op = QLatin1String(op);
        node.arguments = std::move(arguments);
        node.shape = shape;
        node.strides = contiguousStrides(shape);
        node.type = type;
        return m_rewriter.append(std::move(node));
    }
    int converted(int node, ElementType type) {
        const GraphNode &from = m_rewriter.written(node);
        return from.type == type ? node : append("_to_copy", from.shape, type, {nodeArgument(node)});
    }

    // The convolution with scaled filters and a bias, in place of the last node that is folded.
    int scaled(const Scaling &scaling) {
        GraphNode convolution = m_rewriter.moved(scaling.nodes[0]);
        m_name = convolution.name;
        const std::int64_t channels = convolution.shape[1];
        const ElementType type = computeType(convolution.type);
        const auto combined = [&](const char *op, int first, const GraphArgument &second) {
            return append(op, {channels}, type, {nodeArgument(first), second});
        };
        int factor = -1;
        int offset = hasBias(convolution) ? convolution.arguments[2].node : -1;
        for (const Scaling::Part &part : scaling.parts) {
            if (part.step == ScaleStep::Convert)
                continue;
            GraphArgument value = part.value;
            if (value.kind == GraphArgument::Kind::Node)
                value = nodeArgument(
                    append("view", {channels}, at(part.value.node).type,
                           {nodeArgument(m_rewriter.newPositionOf(value.node)), listArgument({channels})}));
            const bool isSum = part.step == ScaleStep::Add || part.step == ScaleStep::Subtract;
            const char *op = part.step == ScaleStep::Add        ? "add.Tensor"
                             : part.step == ScaleStep::Subtract ? "sub.Tensor"
                             : part.step == ScaleStep::Multiply ? "mul.Tensor"
                                                                : "div.Tensor";
            if (offset >= 0)
                offset = combined(op, offset, value);
            else if (isSum)
                offset = part.step == ScaleStep::Add ? value.node : append("neg", {channels}, type, {value});
            if (isSum)
                continue;
            if (factor < 0 && part.step == ScaleStep::Multiply && value.kind == GraphArgument::Kind::Node)
                factor = value.node;
            else
                factor = combined(op, factor < 0 ? ones(channels, type) : factor, value);
        }
        Shape wide(convolution.shape.size(), 1);
        wide[0] = channels;
        const int filters = convolution.arguments[1].node;
        const Shape shape = m_rewriter.written(filters).shape;
        const int factors =
            append("view", wide, m_rewriter.written(factor).type, {nodeArgument(factor), listArgument(wide)});
        convolution.arguments[1] = nodeArgument(
            converted(append("mul.Tensor", shape, type, {nodeArgument(filters), nodeArgument(factors)}),
                      convolution.type));
        if (offset >= 0)
            convolution.arguments[2] = nodeArgument(converted(offset, convolution.type));
        return m_rewriter.append(std::move(convolution));
    }

    int ones(std::int64_t channels, ElementType type) {
        return append("full", {channels}, type, {listArgument({channels}), numberArgument(1)});
    }

    const ReferenceGraph &m_graph;
    std::vector<std::vector<int>> m_readers;
    QString m_name; ///< for new nodes
    GraphRewriter m_rewriter;
};

/// (u + s) + (v + t) = u + (v + (s + t)) for results u, v of convolutions: one tensor and one bias are left
/// to add.
class CombinedBiases {
public:
    explicit CombinedBiases(const ReferenceGraph &graph)
        : m_graph(graph), m_readers(readersOf(graph)), m_rewriter(graph) {}

    ReferenceGraph run() {
        std::set<int> withoutBias;   // the first of two
        std::map<int, int> secondOf; // by the node that adds both
        for (std::size_t i = 0; i < m_graph.nodes.size(); ++i)
            if (const GraphNode &node = m_graph.nodes[i]; isSum(node)) {
                secondOf[static_cast<int>(i)] = node.arguments[1].node;
                withoutBias.insert(node.arguments[0].node);
            }
        std::set<int> moved;
        for (const auto &[sum, second] : secondOf)
            moved.insert(second);
        return m_rewriter.run([&](int position) {
            if (moved.contains(position))
                return -1; // together with the sum
            GraphNode node = m_rewriter.moved(position);
            if (withoutBias.contains(position))
                node.arguments[2] = GraphArgument();
            if (const auto second = secondOf.find(position); second != secondOf.end()) {
                GraphNode last = m_rewriter.old(second->second);
                GraphNode offset = m_rewriter.old(last.arguments[2].node);
                offset.kind = GraphNode::Kind::Operator;
                offset.op = QStringLiteral("add.Tensor");
                offset.strides = contiguousStrides(offset.shape);
                offset.offset = 0;
                offset.keywords.clear();
                offset.arguments = {
                    m_rewriter.old(m_graph.nodes[static_cast<std::size_t>(position)].arguments[0].node)
                        .arguments[2],
                    last.arguments[2]};
                last = m_rewriter.moved(std::move(last));
                last.arguments[2] = nodeArgument(m_rewriter.append(m_rewriter.moved(std::move(offset))));
                node.arguments[1] = nodeArgument(m_rewriter.append(std::move(last)));
            }
            return m_rewriter.append(std::move(node));
        });
    }

private:
    [[nodiscard]] bool isSum(const GraphNode &node) const {
        const bool isPlain = node.op == QLatin1String("add.Tensor") && node.arguments.size() == 2 &&
                             node.keywords.empty() && isReadHere(node.arguments[0]) &&
                             isReadHere(node.arguments[1]);
        return isPlain && node.arguments[0].node != node.arguments[1].node &&
               m_graph.nodes[static_cast<std::size_t>(node.arguments[0].node)].shape == node.shape &&
               m_graph.nodes[static_cast<std::size_t>(node.arguments[1].node)].shape == node.shape;
    }

    /// A convolution with a bias that only this sum reads.
    [[nodiscard]] bool isReadHere(const GraphArgument &argument) const {
        if (argument.kind != GraphArgument::Kind::Node ||
            m_readers[static_cast<std::size_t>(argument.node)].size() != 1)
            return false;
        const GraphNode &node = m_graph.nodes[static_cast<std::size_t>(argument.node)];
        return canBeChannelsLast(m_graph, node) && hasBias(node) && !node.arguments[6].truth;
    }

    const ReferenceGraph &m_graph;
    std::vector<std::vector<int>> m_readers;
    GraphRewriter m_rewriter;
};

} // namespace

ReferenceGraph withFoldedBatchNorms(const ReferenceGraph &graph) {
    const ReferenceGraph scaled = FoldedBatchNorms(graph).run();
    return CombinedBiases(scaled).run();
}

} // namespace warpwright
