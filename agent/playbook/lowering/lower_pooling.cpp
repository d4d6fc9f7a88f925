// SPDX-License-Identifier: GPL-3.0-or-later
// Pooling of every kind. The kernel's inner loops run over one window, with bounds checks where it crosses
// the edge; overlapping windows share elements through the cache.
#include "agent/playbook/lowering/operator_families.h"
#include "agent/playbook/lowering/reduction_domain.h"

#include <algorithm>
#include <limits>

namespace warpwright {
namespace {

/// How often an expensive source is recomputed at most; beyond it the source is materialized.
constexpr double mostOverlap = 2.5;

/// The windows along one dimension: output o covers o * stride - padding + i * dilation, i < size.
struct Windows {
    std::int64_t from = 1; ///< input elements
    std::int64_t to = 1;   ///< windows
    std::int64_t size = 1;
    std::int64_t stride = 1;
    std::int64_t padding = 0;
    std::int64_t dilation = 1;
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

bool isMaxPool(const QString &op) {
    return op.contains(QLatin1String("max_pool")) && !op.contains(QLatin1String("unpool")) &&
           !op.contains(QLatin1String("backward"));
}

bool isAvgPool(const QString &op) {
    return op.contains(QLatin1String("avg_pool")) && !op.contains(QLatin1String("backward"));
}

bool takesPooling(const ReferenceGraph &, const NodeAt &at) {
    const QString &op = at.opName;
    return isMaxPool(op) || isAvgPool(op);
}

/// How many spatial dimensions it has; 0: its name does not say.
std::size_t spatialOf(const QString &op) {
    const qsizetype digit = op.indexOf(QLatin1String("pool")) + 4;
    return op.size() > digit ? static_cast<std::size_t>(op[digit].digitValue()) : 0;
}

Windows windowsAlong(const NodeAt &at, std::size_t i, std::int64_t from, std::int64_t to) {
    const GraphNode &node = at.node;
    const QString &op = at.opName;
    Windows one;
    one.from = from;
    one.to = to;
    if (op.contains(QLatin1String("adaptive"))) {
        one.isAdaptive = one.from % one.to != 0;
        one.stride = one.from / one.to;
        one.size = one.isAdaptive ? (one.from + one.to - 1) / one.to + 1 : one.stride;
        return one;
    }
    one.size = numberOf(node, 1, i, 1);
    one.stride = numberOf(node, 2, i, one.size);
    one.padding = numberOf(node, 3, i, 0);
    one.dilation = isMaxPool(op) ? numberOf(node, 4, i, 1) : 1;
    return one;
}

AffineExpr scaled(AffineExpr index, std::int64_t factor, std::int64_t offset) {
    index.offset = index.offset * factor + offset;
    for (std::int64_t &step : index.steps)
        step *= factor;
    return index;
}

AffineExpr sumOf(AffineExpr one, const AffineExpr &other) {
    one.offset += other.offset;
    one.steps.resize(std::max(one.steps.size(), other.steps.size()), 0);
    for (std::size_t k = 0; k < other.steps.size(); ++k)
        one.steps[k] += other.steps[k];
    return one;
}

/// One result of a pooling: reduces its window by the kernel's inner loops, or unrolled.
class PoolingLowering {
public:
    PoolingLowering(LoweringContext &context, const NodeAt &at)
        : m_context(context),
          m_kernel(context.kernel()),
          m_indices(context.indices()),
          m_at(at),
          m_source(at.node.arguments[0].node),
          m_from(context.nodeAt(m_source).shape),
          m_isMean(isAvgPool(at.opName)) {}

    int run() {
        if (!findWindows())
            return m_context.refuseUnknown(m_at.node);
        Shape sizes;
        double overlap = 1;
        for (const Windows &one : m_windows) {
            sizes.push_back(one.size);
            overlap *= static_cast<double>(one.size * one.to) / static_cast<double>(one.from);
        }
        if (overlap > mostOverlap && isCostly(m_context, m_source))
            return m_context.requireBuffer(m_source);
        const auto digits = reductionIndices(m_context, m_at.result, m_at.map, sizes);
        if (!digits &&
            (m_at.item != 0 || !isBetterUnrolled(m_context, m_at.result, m_source, m_at.map, sizes)))
            return -1;
        addWindows();
        const Opcode reduction = m_isMean ? Opcode::RowSum : Opcode::RowMaximum;
        const auto at = [this](const AffineMap &steps) {
            return elementAt(steps);
        };
        const int element =
            digits ? elementAt(*digits) : unrolledReduction(m_context, sizes, reduction, m_type, at);
        if (element < 0)
            return element;
        const int reduced = digits ? m_kernel.add(reduction, m_type, {element}) : element;
        return m_isMean ? mean(reduced) : m_at.item == 0 ? reduced : firstArgmax(element, reduced);
    }

private:
    // False: no pooling that is supported here.
    bool findWindows() {
        const GraphNode &value = m_context.nodeAt(m_at.result);
        const std::size_t spatial = spatialOf(m_at.opName);
        if (spatial < 1 || spatial > 3 || m_from.size() < spatial || value.shape.size() != m_from.size())
            return false;
        m_first = m_from.size() - spatial;
        for (std::size_t i = 0; i < spatial; ++i)
            m_windows.push_back(windowsAlong(m_at, i, m_from[m_first + i], value.shape[m_first + i]));
        // The index of a maximum is an integer; the elements that are compared keep their type.
        m_type = computeType(m_isMean ? value.type : m_context.nodeAt(m_source).type);
        return true;
    }

    int integer(Opcode op, int one, int two) { return m_kernel.add(op, ElementType::Int64, {one, two}); }

    int number(std::int64_t value) { return integerStep(m_kernel, value); }

    void multiplyCount(int size) { m_count = m_count ? integer(Opcode::Multiply, *m_count, size) : size; }

    // Where each window begins, and how many elements a mean is of.
    void addWindows() {
        for (std::size_t i = 0; i < m_windows.size(); ++i) {
            const AffineExpr &position = m_at.map[m_first + i];
            if (m_windows[i].isAdaptive)
                addAdaptiveWindow(m_windows[i], position);
            else
                addRegularWindow(m_windows[i], position);
        }
    }

    void addAdaptiveWindow(const Windows &one, const AffineExpr &position) {
        const int begin =
            integer(Opcode::Divide, m_indices.valueOf(scaled(position, one.from, 0)), number(one.to));
        const int end =
            integer(Opcode::Divide, m_indices.valueOf(scaled(position, one.from, one.from + one.to - 1)),
                    number(one.to));
        m_adaptiveSizes.push_back(integer(Opcode::Subtract, end, begin));
        m_begins.push_back(m_indices.dynamicIndex(begin, one.from));
        multiplyCount(m_adaptiveSizes.back());
    }

    void addRegularWindow(const Windows &one, const AffineExpr &position) {
        m_adaptiveSizes.push_back(-1);
        m_begins.push_back(scaled(position, one.stride, -one.padding));
        const AffineExpr &begin = m_begins.back();
        // The divisor counts elements up to the end of the padding, which the last window may cross.
        const bool countsPadding = isTrue(m_at.node, 5, "count_include_pad", true);
        const std::int64_t low = countsPadding ? -one.padding : 0;
        const std::int64_t high = countsPadding ? one.from + one.padding : one.from;
        const auto [smallest, largest] = m_indices.rangeOf(begin);
        if (smallest >= low && largest + one.size <= high) {
            m_constantCount *= one.size;
            return;
        }
        int start = m_indices.valueOf(begin);
        int end = m_indices.valueOf(scaled(begin, 1, one.size));
        if (smallest < low)
            start = integer(Opcode::Maximum, start, number(low));
        if (largest + one.size > high)
            end = integer(Opcode::Minimum, end, number(high));
        multiplyCount(integer(Opcode::Subtract, end, start));
    }

    // Elements outside become the neutral element.
    int elementAt(const AffineMap &steps) {
        m_where = m_at.map;
        m_isThere.reset();
        for (std::size_t i = 0; i < m_windows.size(); ++i) {
            AffineExpr &index = m_where[m_first + i];
            index = sumOf(m_begins[i], scaled(steps[i], m_windows[i].dilation, 0));
            const std::optional<int> inside =
                m_windows[i].isAdaptive ? m_kernel.add(Opcode::Less, ElementType::Bool,
                                                       {m_indices.valueOf(steps[i]), m_adaptiveSizes[i]})
                                        : m_indices.within(index, 0, m_windows[i].from);
            m_isThere = conjunction(m_kernel, m_isThere, inside);
        }
        int element = -1;
        {
            const LoweringContext::Guard guard(m_context, m_isThere);
            element = m_context.lower(m_source, m_where);
        }
        if (element < 0)
            return element;
        element = m_kernel.converted(element, m_type);
        const double outside = m_isMean ? 0 : -std::numeric_limits<double>::infinity();
        return m_isThere ? m_kernel.add(Opcode::Select, m_type,
                                        {*m_isThere, element, m_kernel.number(outside, m_type)})
                         : element;
    }

    int mean(int sum) {
        const bool isAdaptive = m_at.opName.contains(QLatin1String("adaptive"));
        const GraphArgument *divisor = isAdaptive ? nullptr : m_at.node.argument(6, "divisor_override");
        if (divisor != nullptr && divisor->kind == GraphArgument::Kind::Number)
            return m_kernel.add(Opcode::Divide, m_type, {sum, m_kernel.number(divisor->number, m_type)});
        if (m_count && m_constantCount > 1)
            multiplyCount(number(m_constantCount));
        return m_kernel.add(Opcode::Divide, m_type,
                            {sum, m_count ? m_kernel.converted(*m_count, m_type)
                                          : m_kernel.number(static_cast<double>(m_constantCount), m_type)});
    }

    // The first index in the plane at which the extreme occurs.
    int firstArgmax(int element, int extreme) {
        int isHere = m_kernel.add(Opcode::Equal, ElementType::Bool, {element, extreme});
        if (isFloating(m_type)) // NaN is the extreme, and equal to nothing
            isHere =
                m_kernel.add(Opcode::Or, ElementType::Bool,
                             {isHere, m_kernel.add(Opcode::NotEqual, ElementType::Bool, {element, element})});
        isHere = *conjunction(m_kernel, isHere, m_isThere);
        const auto first = static_cast<std::ptrdiff_t>(m_first);
        const Shape plane(m_from.begin() + first, m_from.end());
        const AffineMap inPlane(m_where.begin() + first, m_where.end());
        const int here =
            m_kernel.add(Opcode::Select, ElementType::Int64,
                         {isHere, m_indices.valueOf(linearize(inPlane, contiguousStrides(plane), 0)),
                          number(elementCount(plane))});
        return m_kernel.add(Opcode::RowMinimum, ElementType::Int64, {here});
    }

    LoweringContext &m_context;
    Kernel &m_kernel;
    IndexSpace &m_indices;
    const NodeAt &m_at;
    int m_source;
    const Shape &m_from;
    bool m_isMean;
    std::size_t m_first = 0; ///< the first pooled dimension
    ElementType m_type = ElementType::Float32;
    std::vector<Windows> m_windows; ///< by dimension
    std::vector<AffineExpr> m_begins;
    std::vector<int> m_adaptiveSizes; ///< steps; -1: all windows have the same size
    std::optional<int> m_count;       ///< of elements, if it varies
    std::int64_t m_constantCount = 1; ///< elements along the dimensions in which it does not vary
    AffineMap m_where;                ///< index of the element that was lowered last
    std::optional<int> m_isThere;     ///< its condition
};

int lowerPooling(LoweringContext &context, const NodeAt &at) {
    return PoolingLowering(context, at).run();
}

} // namespace

const OperatorFamily poolingFamily{takesPooling, lowerPooling};

} // namespace warpwright
