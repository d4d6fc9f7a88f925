// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/graph_passes/partial_im2col.h"

#include "agent/playbook/analysis/boundary_modes.h"
#include "agent/playbook/analysis/convolution_pattern.h"
#include "agent/playbook/ir/graph_rewriter.h"

#include <map>
#include <optional>
#include <tuple>

namespace warpwright {
namespace {

constexpr std::int64_t fewChannels = 4;
constexpr std::int64_t leastRowTaps = 5; ///< taps: with fewer channels tensor cores would still be idle
constexpr std::int64_t leastTaps =
    140; ///< of a filter, in all channels: else writing the wide image dominates
constexpr std::int64_t leastFilters = 16;
constexpr double mostWaste = 1.5; ///< padded length of a row, relative to its own

/// Rows of filters as channels.
struct FilterRows {
    std::int64_t taps = 0;    ///< taps of a row
    std::int64_t widened = 0; ///< with zeros at the end
    std::int64_t step = 1;    ///< stride along the image's rows
    std::int64_t padding = 0; ///< zeros before and after these
};

class PartialIm2col {
public:
    explicit PartialIm2col(const ReferenceGraph &graph) : m_graph(graph), m_rewriter(graph) {}

    ReferenceGraph run() {
        return m_rewriter.run([this](int position) {
            const auto rows = rowsOf(m_graph.nodes[static_cast<std::size_t>(position)]);
            GraphNode node = m_rewriter.moved(position);
            return m_rewriter.append(rows ? withColumnFilters(std::move(node), *rows) : std::move(node));
        });
    }

private:
    /// Empty: it is left as it is.
    [[nodiscard]] std::optional<FilterRows> rowsOf(const GraphNode &node) const {
        if (!isConvolution(node) || node.shape.size() != 4 || node.type == ElementType::Float64)
            return std::nullopt;
        const Shape &image = m_graph.nodes[static_cast<std::size_t>(node.arguments[0].node)].shape;
        const Shape &filters = m_graph.nodes[static_cast<std::size_t>(node.arguments[1].node)].shape;
        const auto last = [&node](std::size_t argument, std::int64_t otherwise) {
            const Shape values = node.arguments[argument].integers();
            return values.empty() ? otherwise : values.back();
        };
        FilterRows rows;
        rows.taps = rows.widened = filters[3];
        rows.step = last(3, 1);
        rows.padding = last(4, 0);
        const std::int64_t channels = filters[1];
        while (channels * rows.widened * bytesOf(node.type) % 16 != 0)
            ++rows.widened;
        const bool isOrdinary = boundaryModesOf(node).empty() && image.size() == 4 && image[1] == channels &&
                                last(5, 1) == 1 && !node.arguments[6].truth && node.arguments[8].number == 1;
        const bool isWorthIt =
            channels <= fewChannels && rows.taps >= leastRowTaps && 2 * rows.step <= rows.taps &&
            filters[2] > 1 && channels * filters[2] * filters[3] >= leastTaps && filters[0] >= leastFilters &&
            static_cast<double>(rows.widened) <= mostWaste * static_cast<double>(rows.taps);
        return isOrdinary && isWorthIt ? std::optional(rows) : std::nullopt;
    }

    GraphNode withColumnFilters(GraphNode node, const FilterRows &rows) {
        node.arguments[0].node = widened(node.arguments[0].node, rows);
        node.arguments[1].node = columns(node.arguments[1].node, rows);
        const auto first = [&node](std::size_t argument, std::int64_t otherwise) {
            const Shape values = node.arguments[argument].integers();
            return values.empty() ? otherwise : values.front();
        };
        node.arguments[3] = listArgument({first(3, 1), 1});
        node.arguments[4] = listArgument({first(4, 0), 0});
        node.arguments[5] = listArgument({first(5, 1), 1});
        return node;
    }

    /// [n, c, h, w] as [n, c * widened, h, positions]; several filters of one image share it.
    int widened(int image, const FilterRows &rows) {
        const auto [known, isNew] =
            m_widened.emplace(std::tuple(image, rows.taps, rows.step, rows.padding), -1);
        if (!isNew)
            return known->second;
        const GraphNode from = m_rewriter.written(image);
        const std::int64_t behind = rows.padding + rows.widened - rows.taps;
        const Shape &shape = from.shape;
        Shape padded = shape;
        padded[3] += rows.padding + behind;
        if (rows.padding + behind > 0)
            image = m_rewriter.append(
                from, "constant_pad_nd", padded,
                {nodeArgument(image), listArgument({rows.padding, behind}), numberArgument(0)});
        const std::int64_t positions = (padded[3] - rows.widened) / rows.step + 1;
        const int windows = m_rewriter.append(
            from, "unfold", {shape[0], shape[1], shape[2], positions, rows.widened},
            {nodeArgument(image), numberArgument(3), numberArgument(static_cast<double>(rows.widened)),
             numberArgument(static_cast<double>(rows.step))});
        const int transposed =
            m_rewriter.append(from, "permute", {shape[0], shape[1], rows.widened, shape[2], positions},
                              {nodeArgument(windows), listArgument({0, 1, 4, 2, 3})});
        const Shape merged = {shape[0], shape[1] * rows.widened, shape[2], positions};
        return known->second = m_rewriter.append(from, "reshape", merged,
                                                 {nodeArgument(transposed), listArgument(merged)});
    }

    /// [o, c, height, width] as [o, c * widened, height, 1].
    int columns(int filters, const FilterRows &rows) {
        const GraphNode from = m_rewriter.written(filters);
        const Shape &shape = from.shape;
        if (rows.widened > rows.taps)
            filters = m_rewriter.append(
                from, "constant_pad_nd", {shape[0], shape[1], shape[2], rows.widened},
                {nodeArgument(filters), listArgument({0, rows.widened - rows.taps}), numberArgument(0)});
        const int transposed =
            m_rewriter.append(from, "permute", {shape[0], shape[1], rows.widened, shape[2]},
                              {nodeArgument(filters), listArgument({0, 1, 3, 2})});
        const Shape merged = {shape[0], shape[1] * rows.widened, shape[2], 1};
        return m_rewriter.append(from, "reshape", merged, {nodeArgument(transposed), listArgument(merged)});
    }

    const ReferenceGraph &m_graph;
    GraphRewriter m_rewriter;
    std::map<std::tuple<int, std::int64_t, std::int64_t, std::int64_t>, int> m_widened;
};

} // namespace

ReferenceGraph withPartialIm2col(const ReferenceGraph &graph) {
    return PartialIm2col(graph).run();
}

} // namespace warpwright
