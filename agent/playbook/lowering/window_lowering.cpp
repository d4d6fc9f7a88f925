// SPDX-License-Identifier: GPL-3.0-or-later
// KernelLowering's windows: pooling of every kind. A window is a row of its own, with conditions where it
// hangs over the edge; windows that overlap read from the cache what their neighbours have read.
#include "agent/playbook/analysis/operator_traits.h"
#include "agent/playbook/lowering/kernel_lowering.h"

#include <algorithm>
#include <limits>

namespace warpwright {
namespace {

/// How often what takes tens of instructions is done anew, instead of being written and read again.
constexpr double mostOverlap = 2.5;

/// The windows along one dimension: output o looks at o * stride - margin + i * apart, i < size.
struct Windows {
    std::int64_t from = 1; ///< elements there are
    std::int64_t to = 1;   ///< windows
    std::int64_t size = 1;
    std::int64_t stride = 1;
    std::int64_t margin = 0;
    std::int64_t apart = 1;
    bool isAdaptive = false; ///< sizes differ: from floor(o * from / to) to ceil((o + 1) * from / to)
};

std::int64_t numberOf(const GraphNode &node, int index, std::size_t dimension, std::int64_t otherwise) {
    const GraphArgument *argument = node.argument(index);
    if (argument == nullptr || argument->kind == GraphArgument::Kind::None)
        return otherwise;
    const Shape values = argument->integers();
    return values.empty() ? otherwise : values[std::min(dimension, values.size() - 1)];
}

bool isTrue(const GraphNode &node, int index, const char *keyword, bool otherwise) {
    const GraphArgument *argument = node.argument(index, keyword);
    return argument == nullptr || argument->kind != GraphArgument::Kind::Truth ? otherwise : argument->truth;
}

} // namespace

std::optional<int> KernelLowering::lowerWindow(int place, const GraphNode &node, int item,
                                               const IndexMap &map) {
    const QString op = wordOf(node);
    const bool isMaximum = op.contains(QLatin1String("max_pool")) && !op.contains(QLatin1String("unpool")) &&
                           !op.contains(QLatin1String("backward"));
    const bool isMean = op.contains(QLatin1String("avg_pool")) && !op.contains(QLatin1String("backward"));
    if (!isMaximum && !isMean)
        return std::nullopt;
    const qsizetype digit = op.indexOf(QLatin1String("pool")) + 4;
    const std::size_t spatial = op.size() > digit ? static_cast<std::size_t>(op[digit].digitValue()) : 0;
    const GraphNode &value = m_graph.nodes[static_cast<std::size_t>(place)];
    const int source = node.arguments[0].node;
    const Shape &from = m_graph.nodes[static_cast<std::size_t>(source)].shape;
    if (spatial < 1 || spatial > 3 || from.size() < spatial || value.shape.size() != from.size())
        return refuseUnknown(node);
    const std::size_t first = from.size() - spatial;
    const bool isAdaptive = op.contains(QLatin1String("adaptive"));
    std::vector<Windows> windows(spatial);
    Shape sizes;
    double overlap = 1;
    for (std::size_t i = 0; i < spatial; ++i) {
        Windows &one = windows[i];
        one.from = from[first + i];
        one.to = value.shape[first + i];
        if (isAdaptive) {
            one.isAdaptive = one.from % one.to != 0;
            one.stride = one.from / one.to;
            one.size = one.isAdaptive ? (one.from + one.to - 1) / one.to + 1 : one.stride;
        } else {
            one.size = numberOf(node, 1, i, 1);
            one.stride = numberOf(node, 2, i, one.size);
            one.margin = numberOf(node, 3, i, 0);
            one.apart = isMaximum ? numberOf(node, 4, i, 1) : 1;
        }
        sizes.push_back(one.size);
        overlap *= static_cast<double>(one.size * one.to) / static_cast<double>(one.from);
    }
    if (overlap > mostOverlap && isCostly(source)) {
        m_cut = source;
        return -1;
    }
    const auto digits = rowDigits(place, map, sizes);
    if (!digits && (item != 0 || !isShortRow(place, source, map, sizes)))
        return -1;
    const auto number = [this](std::int64_t some) {
        return m_kernel.number(static_cast<double>(some), ElementType::Int64);
    };
    const auto integer = [this](KernelOp some, int one, int two) {
        return m_kernel.add(some, ElementType::Int64, {one, two});
    };
    const auto scaled = [](AffineIndex index, std::int64_t factor, std::int64_t offset) {
        index.offset = index.offset * factor + offset;
        for (std::int64_t &step : index.steps)
            step *= factor;
        return index;
    };
    const auto sumOf = [](AffineIndex one, const AffineIndex &other) {
        one.offset += other.offset;
        one.steps.resize(std::max(one.steps.size(), other.steps.size()), 0);
        for (std::size_t k = 0; k < other.steps.size(); ++k)
            one.steps[k] += other.steps[k];
        return one;
    };
    // The place of an extreme is a whole number, what it is the place of is not.
    const ElementType type =
        computedType(isMaximum ? m_graph.nodes[static_cast<std::size_t>(source)].type : value.type);
    const bool countsMargin = isTrue(node, 5, "count_include_pad", true);
    std::optional<int> count; // of elements, where windows differ
    std::int64_t all = 1;
    const auto multiplied = [&](int some) {
        count = count ? integer(KernelOp::Multiply, *count, some) : some;
    };
    std::vector<AffineIndex> begins;
    std::vector<int> adaptiveSizes(spatial, -1);
    for (std::size_t i = 0; i < spatial; ++i) {
        const Windows &one = windows[i];
        const AffineIndex &o = map[first + i];
        if (one.isAdaptive) {
            const int begin = integer(KernelOp::Divide, valueOf(scaled(o, one.from, 0)), number(one.to));
            const int end = integer(KernelOp::Divide, valueOf(scaled(o, one.from, one.from + one.to - 1)),
                                    number(one.to));
            adaptiveSizes[i] = integer(KernelOp::Subtract, end, begin);
            begins.push_back(countedBy(begin, one.from));
            multiplied(adaptiveSizes[i]);
            continue;
        }
        begins.push_back(scaled(o, one.stride, -one.margin));
        // What a window may be divided by ends at the margin, which a last one may hang over.
        const std::int64_t low = countsMargin ? -one.margin : 0;
        const std::int64_t high = countsMargin ? one.from + one.margin : one.from;
        const auto [smallest, largest] = rangeOf(begins.back());
        if (smallest >= low && largest + one.size <= high) {
            all *= one.size;
            continue;
        }
        const auto bounded = [&](KernelOp some, int what, std::int64_t bound) {
            return m_kernel.add(some, ElementType::Int64, {what, number(bound)});
        };
        int start = valueOf(begins.back());
        int end = valueOf(scaled(begins.back(), 1, one.size));
        start = smallest < low ? bounded(KernelOp::Maximum, start, low) : start;
        end = largest + one.size > high ? bounded(KernelOp::Minimum, end, high) : end;
        multiplied(integer(KernelOp::Subtract, end, start));
    }
    const double outside = isMean ? 0 : -std::numeric_limits<double>::infinity();
    IndexMap where = map;
    std::optional<int> isThere;
    const auto elementAt = [&](const IndexMap &steps) {
        isThere.reset();
        for (std::size_t i = 0; i < spatial; ++i) {
            where[first + i] = sumOf(begins[i], scaled(steps[i], windows[i].apart, 0));
            const std::optional<int> inside =
                windows[i].isAdaptive
                    ? m_kernel.add(KernelOp::Less, ElementType::Bool, {valueOf(steps[i]), adaptiveSizes[i]})
                    : within(where[first + i], 0, windows[i].from);
            const int both = this->both(isThere, inside);
            isThere = both < 0 ? std::nullopt : std::optional(both);
        }
        int element = -1;
        {
            const Guard guard(*this, isThere.value_or(-1));
            element = lower(source, where);
        }
        if (element < 0)
            return element;
        element = m_kernel.converted(element, type);
        return isThere
                   ? m_kernel.add(KernelOp::Select, type, {*isThere, element, m_kernel.number(outside, type)})
                   : element;
    };
    const KernelOp reduction = isMean ? KernelOp::RowSum : KernelOp::RowMaximum;
    const int element = digits ? elementAt(*digits) : overShortRow(sizes, reduction, type, elementAt);
    if (element < 0)
        return element;
    const int whole = digits ? m_kernel.add(reduction, type, {element}) : element;
    if (isMean) {
        const GraphArgument *divisor = isAdaptive ? nullptr : node.argument(6, "divisor_override");
        if (divisor != nullptr && divisor->kind == GraphArgument::Kind::Number)
            return m_kernel.add(KernelOp::Divide, type, {whole, m_kernel.number(divisor->number, type)});
        if (count && all > 1)
            multiplied(number(all));
        return m_kernel.add(KernelOp::Divide, type,
                            {whole, count ? m_kernel.converted(*count, type)
                                          : m_kernel.number(static_cast<double>(all), type)});
    }
    if (item == 0)
        return whole;
    // The first place in the plane at which it stands.
    int isHere = m_kernel.add(KernelOp::Equal, ElementType::Bool, {element, whole});
    if (isFloating(type)) // a NaN is the extreme of all, and equal to nothing
        isHere =
            m_kernel.add(KernelOp::Or, ElementType::Bool,
                         {isHere, m_kernel.add(KernelOp::NotEqual, ElementType::Bool, {element, element})});
    isHere = both(isHere, isThere);
    const Shape plane(from.begin() + static_cast<std::ptrdiff_t>(first), from.end());
    const IndexMap inPlane(where.begin() + static_cast<std::ptrdiff_t>(first), where.end());
    const int here = m_kernel.add(
        KernelOp::Select, ElementType::Int64,
        {isHere, valueOf(combined(inPlane, contiguousStrides(plane), 0)), number(elementCount(plane))});
    return m_kernel.add(KernelOp::RowMinimum, ElementType::Int64, {here});
}

} // namespace warpwright
