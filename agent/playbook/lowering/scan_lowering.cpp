// SPDX-License-Identifier: GPL-3.0-or-later
// KernelLowering's scans: running sums, products and extremes along a dimension, which becomes the kernel's
// row. What is computed from elements before and after them goes along in the same loop.
#include "agent/playbook/analysis/operator_traits.h"
#include "agent/playbook/lowering/kernel_lowering.h"

#include <algorithm>

namespace warpwright {

std::optional<int> KernelLowering::lowerScan(int place, const GraphNode &node, int item,
                                             const IndexMap &map) {
    const QString op = wordOf(node);
    const bool isExtreme = op == QLatin1String("cummax") || op == QLatin1String("cummin");
    const std::optional<KernelOp> scan =
        op == QLatin1String("cumsum")         ? std::optional(KernelOp::ScanSum)
        : op == QLatin1String("cumprod")      ? std::optional(KernelOp::ScanProduct)
        : op == QLatin1String("cummax")       ? std::optional(KernelOp::ScanMaximum)
        : op == QLatin1String("cummin")       ? std::optional(KernelOp::ScanMinimum)
        : op == QLatin1String("logcumsumexp") ? std::optional(KernelOp::ScanLogSumExp)
                                              : std::nullopt;
    if (!scan)
        return std::nullopt;
    const GraphNode &value = m_graph.nodes[static_cast<std::size_t>(place)];
    const int source = node.arguments[0].node;
    const Shape &shape = m_graph.nodes[static_cast<std::size_t>(source)].shape;
    if (shape.empty())
        return isExtreme && item == 1 ? m_kernel.number(0, ElementType::Int64) : lower(source, map);
    const std::size_t d = dimensionOf(node.arguments[1].number, shape.size());
    const std::size_t count = m_kernel.loops.size();
    const std::size_t outer = m_kernel.outer;
    AffineIndex along = map[d];
    along.steps.resize(std::max(along.steps.size(), count), 0);
    // A loop that counts backwards along it has to run the other way.
    std::vector<int> loops;
    std::int64_t length = 1;
    bool isCounted = m_guard >= 0;
    for (std::size_t k = 0; k < along.steps.size(); ++k) {
        if (along.steps[k] == 0)
            continue;
        isCounted = isCounted || k >= count;
        if (k < count && along.steps[k] < 0) {
            m_flip = static_cast<int>(k);
            m_flippedFor = place;
            return -1;
        }
        loops.push_back(static_cast<int>(k));
        length *= m_sizes[k];
    }
    bool isShared = false; // another dimension goes along the same loop: a diagonal
    for (std::size_t i = 0; i < map.size(); ++i)
        for (const int k : loops)
            isShared = isShared || (i != d && static_cast<std::size_t>(k) < map[i].steps.size() &&
                                    map[i].steps[static_cast<std::size_t>(k)] != 0);
    const bool isWhole = !isCounted && !isShared && length == shape[d] && along.offset == 0;
    bool isRepeated = false; // for each round of a loop that it does not depend on
    for (std::size_t k = 0; k < count; ++k)
        isRepeated = isRepeated ||
                     (m_sizes[k] > 1 && std::none_of(map.begin(), map.end(), [k](const AffineIndex &index) {
                          return k < index.steps.size() && index.steps[k] != 0;
                      }));
    if (!isWhole || isRepeated) {
        m_cut = place;
        return -1;
    }
    if (outer == count && !loops.empty()) {
        m_found = FoundReduction{place, {shape[d]}, loops, true};
        return -1;
    }
    std::int64_t span = 1;
    bool isRow = true;
    for (std::size_t k = count; k-- > 0;) {
        const std::int64_t wanted = k < outer || m_kernel.loops[k] == 1 ? 0 : span;
        isRow = isRow && (along.steps[k] == wanted || m_kernel.loops[k] == 1);
        span *= k < outer ? 1 : m_kernel.loops[k];
    }
    if (!isRow) {
        m_cut = place;
        return -1;
    }
    const int element = lower(source, map);
    if (element < 0)
        return element;
    const ElementType type = isExtreme ? m_kernel.step(element).type : computedType(value.type);
    const int running = m_kernel.add(*scan, type, {m_kernel.converted(element, type)});
    if (!isExtreme || item == 0)
        return running;
    // The last place so far at which an element was no less than all before it.
    const KernelOp atLeast = KernelOp::LessOrEqual;
    int isNew = *scan == KernelOp::ScanMaximum ? m_kernel.add(atLeast, ElementType::Bool, {running, element})
                                               : m_kernel.add(atLeast, ElementType::Bool, {element, running});
    if (isFloating(type))
        isNew =
            m_kernel.add(KernelOp::Or, ElementType::Bool,
                         {isNew, m_kernel.add(KernelOp::NotEqual, ElementType::Bool, {element, element})});
    const int here = m_kernel.add(KernelOp::Select, ElementType::Int64,
                                  {isNew, valueOf(along), m_kernel.number(0, ElementType::Int64)});
    return m_kernel.add(KernelOp::ScanMaximum, ElementType::Int64, {here});
}

} // namespace warpwright
