// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/lowering/channels_last_choice.h"

#include "agent/playbook/analysis/boundary_modes.h"
#include "agent/playbook/analysis/convolution_pattern.h"
#include "agent/playbook/analysis/matmul_pattern.h"
#include "agent/playbook/analysis/view_maps.h"
#include "agent/playbook/lowering/scatter_sort_builder.h"

#include <algorithm>

namespace warpwright {
namespace {

constexpr std::int64_t leastFilters = 48;       ///< of the 64 of a tensor core tile
constexpr std::int64_t leastChannelBytes = 128; ///< of a pipeline stage
constexpr double leastOperations = 1e9;         ///< that pay for two copies

class ChannelsLastChoice {
public:
    explicit ChannelsLastChoice(const ReferenceGraph &graph) : m_graph(graph), m_readers(graph.nodes.size()) {
        for (std::size_t i = 0; i < graph.nodes.size(); ++i)
            forEachTensor(graph.nodes[i], [&](const GraphArgument &argument) {
                auto &readers = m_readers[static_cast<std::size_t>(argument.node)];
                if (readers.empty() || readers.back() != static_cast<int>(i))
                    readers.push_back(static_cast<int>(i));
            });
        for (const int output : graph.outputs)
            m_readers[static_cast<std::size_t>(output)].push_back(result);
    }

    [[nodiscard]] std::set<int> run() const {
        std::set<int> found;
        for (int node = 0; node < static_cast<int>(m_graph.nodes.size()); ++node)
            if (fitsTensorCores(at(node)) && isReadByLoops(node))
                found.insert(node);
        return found;
    }

private:
    static constexpr int result = -1; ///< stands for the reader of the graph's outputs

    [[nodiscard]] const GraphNode &at(int node) const {
        return m_graph.nodes[static_cast<std::size_t>(node)];
    }

    [[nodiscard]] bool fitsTensorCores(const GraphNode &node) const {
        if (!isConvolution(node) || !canBeChannelsLast(m_graph, node) || node.arguments[6].truth ||
            node.arguments[8].number != 1 || !boundaryModesOf(node).empty())
            return false;
        const Shape &filters = at(node.arguments[1].node).shape;
        const auto sums = static_cast<double>(elementCount(node.shape));
        const auto inner = static_cast<double>(elementCount(filters) / filters[0]);
        return filters[0] >= leastFilters && filters[1] * bytesOf(node.type) >= leastChannelBytes &&
               elementCount(filters) > filters[0] * filters[1] && 2 * sums * inner >= leastOperations;
    }

    [[nodiscard]] bool takesMemory(int node) const {
        return isConvolution(at(node)) || isBlasMatmul(m_graph, at(node)) ||
               isScatterOrSort(m_graph, at(node));
    }

    /// No library call and no structured kernel reads it directly: either would need NCHW.
    [[nodiscard]] bool isReadByLoops(int node) const {
        const std::vector<int> &readers = m_readers[static_cast<std::size_t>(node)];
        return std::none_of(readers.begin(), readers.end(),
                            [this](int reader) { return reader != result && takesMemory(reader); });
    }

    const ReferenceGraph &m_graph;
    std::vector<std::vector<int>> m_readers;
};

} // namespace

std::set<int> channelsLastConvolutions(const ReferenceGraph &graph, const ProgramChoices &choices) {
    return choices.hasSm90Matmuls && !choices.isChannelsLast ? ChannelsLastChoice(graph).run()
                                                             : std::set<int>();
}

} // namespace warpwright
