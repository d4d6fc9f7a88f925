// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/graph_passes/separable_pooling.h"

#include "agent/playbook/ir/graph_rewriter.h"

#include <algorithm>
#include <optional>

namespace warpwright {
namespace {

constexpr double betweenLoads =
    8; ///< loads from the cache cost as much as writing an element and reading it again

constexpr std::int64_t mostSliding = 64;

/// A pooling's windows, by height and width.
struct PoolingWindows {
    Shape size, stride, margin, dilation;

    /// The same with windows of one element along a dimension.
    [[nodiscard]] PoolingWindows without(std::size_t dimension) const {
        PoolingWindows some = *this;
        some.size[dimension] = some.stride[dimension] = some.dilation[dimension] = 1;
        some.margin[dimension] = 0;
        return some;
    }
};

class SeparablePooling {
public:
    SeparablePooling(const ReferenceGraph &graph, bool usesSlidingWindow)
        : m_graph(graph), m_slidesDown(usesSlidingWindow), m_rewriter(graph) {}

    ReferenceGraph run() {
        const auto readers = readersOf(m_graph);
        return m_rewriter.run([&](int position) {
            const GraphNode &node = m_graph.nodes[static_cast<std::size_t>(position)];
            if (node.kind != GraphNode::Kind::Operator || node.op != QLatin1String("getitem") ||
                node.arguments[1].number != 0)
                return m_rewriter.append(m_rewriter.moved(position));
            const int pool = node.arguments[0].node;
            const auto windows = readers[static_cast<std::size_t>(pool)].size() == 1
                                     ? windowsOf(m_graph.nodes[static_cast<std::size_t>(pool)], node.shape)
                                     : std::nullopt;
            return windows ? separated(node, *windows) : m_rewriter.append(m_rewriter.moved(position));
        });
    }

private:
    [[nodiscard]] const Shape &imageOf(const GraphNode &pool) const {
        return m_graph.nodes[static_cast<std::size_t>(pool.arguments[0].node)].shape;
    }

    /// Empty: it is left as it is.
    [[nodiscard]] std::optional<PoolingWindows> windowsOf(const GraphNode &pool, const Shape &result) const {
        if (!pool.op.startsWith(QLatin1String("max_pool2d")))
            return std::nullopt;
        const auto along = [&](int argument, const Shape &otherwise) {
            const GraphArgument *some = pool.argument(argument);
            Shape values = some == nullptr ? Shape() : some->integers();
            if (values.empty())
                values = otherwise;
            values.resize(2, values.back());
            return values;
        };
        PoolingWindows windows;
        windows.size = along(1, {1});
        windows.stride = along(2, windows.size);
        windows.margin = along(3, {0});
        windows.dilation = along(4, {1});
        const auto results = static_cast<double>(elementCount(result));
        const double between = results / static_cast<double>(result[result.size() - 2]) *
                               static_cast<double>(imageOf(pool)[result.size() - 2]);
        const auto height = static_cast<double>(windows.size[0]);
        const auto width = static_cast<double>(windows.size[1]);
        // Windows of so many elements slide down in one kernel. A CPU took 2 to 4 times as long with that.
        if (m_slidesDown && windows.stride[0] == 1 && windows.size[0] * windows.size[1] <= mostSliding)
            return std::nullopt;
        const bool isWorthIt = between * (width + betweenLoads) + results * height < results * height * width;
        return isWorthIt ? std::optional(windows) : std::nullopt;
    }

    int separated(const GraphNode &item, const PoolingWindows &windows) {
        const GraphNode &pool = m_graph.nodes[static_cast<std::size_t>(item.arguments[0].node)];
        Shape shape = imageOf(pool);
        shape.back() = item.shape.back();
        const int rows =
            pooled(item, m_rewriter.newPositionOf(pool.arguments[0].node), shape, windows.without(0));
        return pooled(item, rows, item.shape, windows.without(1));
    }

    int pooled(const GraphNode &like, int image, const Shape &shape, const PoolingWindows &windows) {
        return m_rewriter.append(like, "max_pool2d.default", shape,
                                 {nodeArgument(image), listArgument(windows.size),
                                  listArgument(windows.stride), listArgument(windows.margin),
                                  listArgument(windows.dilation)});
    }

    const ReferenceGraph &m_graph;
    bool m_slidesDown;
    GraphRewriter m_rewriter;
};

} // namespace

ReferenceGraph withSeparablePooling(const ReferenceGraph &graph, bool usesSlidingWindow) {
    return SeparablePooling(graph, usesSlidingWindow).run();
}

} // namespace warpwright
