// SPDX-License-Identifier: GPL-3.0-or-later
// KernelLowering's joins: several tensors behind each other, and one with a margin. Nothing is copied
// together first: each element is read from the tensor that it comes from.
#include "agent/playbook/analysis/operator_traits.h"
#include "agent/playbook/lowering/kernel_lowering.h"

#include <algorithm>

namespace warpwright {

std::optional<int> KernelLowering::lowerJoin(const GraphNode &node, const IndexMap &map) {
    const QString op = wordOf(node);
    if (op == QLatin1String("constant_pad_nd"))
        return lowerPadding(node, map);
    if (op == QLatin1String("slice_scatter") || op == QLatin1String("select_scatter"))
        return lowerInset(node, map);
    if (op != QLatin1String("cat") || node.arguments.empty())
        return std::nullopt;
    const GraphArgument *asked = node.argument(1, "dim");
    const std::size_t d = dimensionOf(asked == nullptr ? 0 : asked->number, node.shape.size());
    const auto [smallest, largest] = rangeOf(map[d]);
    const ElementType type = computedType(node.type);
    struct Part {
        int node;
        std::int64_t begin, end;
    };
    std::vector<Part> parts; // that the loops reach
    std::int64_t begin = 0;
    for (const GraphArgument &item : node.arguments[0].items) {
        if (item.kind != GraphArgument::Kind::Node)
            return refuse(QStringLiteral("«%1» has an argument that no kernel takes").arg(node.op));
        const Shape &shape = m_graph.nodes[static_cast<std::size_t>(item.node)].shape;
        if (shape.size() != node.shape.size()) // an empty tensor of one dimension, which torch passes over
            continue;
        const std::int64_t end = begin + shape[d];
        if (end > begin && smallest < end && largest >= begin)
            parts.push_back({item.node, begin, end});
        begin = end;
    }
    if (parts.empty())
        return refuse(QStringLiteral("«%1» joins nothing").arg(node.op));
    // Parts of one size: a loop over parts, and one within a part. Then which part it is does not hang on the
    // element.
    const std::int64_t size = parts[0].end - parts[0].begin;
    const bool areAlike =
        parts.size() > 1 && std::all_of(parts.begin(), parts.end(), [size](const Part &part) {
            return part.end - part.begin == size && part.begin % size == 0;
        });
    if (areAlike && size > 1)
        if (const int loop = loopOver(map[d], size); loop >= 0) {
            m_split = LoopSplit{loop, size};
            return -1;
        }
    AffineIndex which = map[d]; // the part's number
    AffineIndex inPart = map[d];
    bool isSplit = areAlike && map[d].offset == 0;
    for (std::size_t k = 0; isSplit && k < map[d].steps.size(); ++k) {
        const std::int64_t step = map[d].steps[k];
        const bool isOfParts = step != 0 && step % size == 0;
        which.steps[k] = isOfParts ? step / size : 0;
        inPart.steps[k] = isOfParts ? 0 : step;
        isSplit = step >= 0;
    }
    isSplit = isSplit && rangeOf(inPart).second < size;
    int joined = -1;
    for (std::size_t i = parts.size(); i-- > 0;) {
        const Part &part = parts[i];
        IndexMap place = map;
        place[d].offset -= part.begin;
        std::optional<int> isHere;
        if (isSplit) {
            place[d] = inPart;
            isHere = m_kernel.add(KernelOp::Equal, ElementType::Bool,
                                  {valueOf(which), m_kernel.number(static_cast<double>(part.begin / size),
                                                                   ElementType::Int64)});
        } else {
            isHere = within(map[d], part.begin, part.end);
        }
        int element = -1;
        {
            const Guard guard(*this, isHere.value_or(-1));
            element = lower(part.node, place);
        }
        if (element < 0)
            return element;
        element = m_kernel.converted(element, type);
        if (joined < 0) {
            joined = element;
            continue;
        }
        const auto isBefore = isSplit ? isHere : within(map[d], smallest, part.end);
        joined = isBefore ? m_kernel.add(KernelOp::Select, type, {*isBefore, element, joined}) : element;
    }
    return joined;
}

// The loop that alone counts along `index`, and should become two, the inner one of `size`; -1: it is none.
int KernelLowering::loopOver(const AffineIndex &index, std::int64_t size) const {
    int loop = -1;
    for (std::size_t k = 0; k < index.steps.size(); ++k) {
        if (index.steps[k] == 0)
            continue;
        if (loop >= 0 || index.steps[k] != 1 || k >= m_kernel.loops.size())
            return -1;
        loop = static_cast<int>(k);
    }
    const bool isLonger = loop >= 0 && m_sizes[static_cast<std::size_t>(loop)] > size &&
                          m_sizes[static_cast<std::size_t>(loop)] % size == 0;
    return isLonger && index.offset == 0 ? loop : -1;
}

constexpr double mostPlaces = 1e18;

// A tensor with a part of it replaced: what writing into a slice becomes.
int KernelLowering::lowerInset(const GraphNode &node, const IndexMap &map) {
    const auto number = [&node](int index, const char *keyword, std::int64_t otherwise) {
        const GraphArgument *argument = node.argument(index, keyword);
        // «To the end» is torch's largest number, which as a double is one more than there is.
        return argument != nullptr && argument->kind == GraphArgument::Kind::Number
                   ? static_cast<std::int64_t>(std::clamp(argument->number, -mostPlaces, mostPlaces))
                   : otherwise;
    };
    const bool isSelect = wordOf(node) == QLatin1String("select_scatter");
    const std::size_t d = dimensionOf(static_cast<double>(number(2, "dim", 0)), node.shape.size());
    const std::int64_t size = node.shape[d];
    std::int64_t begin = number(3, isSelect ? "index" : "start", 0);
    begin = std::clamp<std::int64_t>(begin < 0 ? begin + size : begin, 0, size);
    std::int64_t end = isSelect ? begin + 1 : number(4, "end", size);
    end = std::clamp<std::int64_t>(end < 0 ? end + size : end, begin, size);
    const std::int64_t step = isSelect ? 1 : number(5, "step", 1);
    if (const auto [smallest, largest] = rangeOf(map[d]); largest < begin || smallest >= end)
        return lower(node.arguments[0].node, map); // the loops see what is left of the tensor alone
    const ElementType type = computedType(node.type);
    std::optional<int> isInside = within(map[d], begin, end);
    IndexMap place = map;
    if (isSelect)
        place.erase(place.begin() + static_cast<std::ptrdiff_t>(d));
    else
        place[d].offset -= begin;
    if (step != 1) { // of `step` neighbours one is replaced
        const std::int64_t many = (end - begin + step - 1) / step;
        const auto digits = digitsIn(place[d], {many, step});
        if (!digits)
            return -1;
        const int isFirst = both(isInside, within((*digits)[1], 0, 1));
        isInside = isFirst < 0 ? std::nullopt : std::optional(isFirst);
        place[d] = (*digits)[0];
    }
    int inside = -1;
    {
        const Guard guard(*this, isInside.value_or(-1));
        inside = lower(node.arguments[1].node, place);
    }
    if (inside < 0 || !isInside)
        return inside < 0 ? inside : m_kernel.converted(inside, type);
    const int around = lower(node.arguments[0].node, map);
    return around < 0 ? around
                      : m_kernel.add(
                            KernelOp::Select, type,
                            {*isInside, m_kernel.converted(inside, type), m_kernel.converted(around, type)});
}

int KernelLowering::lowerPadding(const GraphNode &node, const IndexMap &map) {
    const int source = node.arguments[0].node;
    const Shape &from = m_graph.nodes[static_cast<std::size_t>(source)].shape;
    const Shape margins = node.arguments[1].integers(); // before and after, from the last dimension on
    const GraphArgument *filled = node.argument(2, "value");
    const ElementType type = computedType(node.type);
    IndexMap place = map;
    std::optional<int> isInside;
    for (std::size_t i = 0; 2 * i + 1 < margins.size(); ++i) {
        const std::size_t d = from.size() - 1 - i;
        place[d].offset -= margins[2 * i];
        const int all = both(isInside, within(place[d], 0, from[d]));
        isInside = all < 0 ? std::nullopt : std::optional(all);
    }
    int element = -1;
    {
        const Guard guard(*this, isInside.value_or(-1));
        element = lower(source, place);
    }
    if (element < 0 || !isInside)
        return element;
    const double value = filled == nullptr ? 0 : filled->number;
    return m_kernel.add(KernelOp::Select, type,
                        {*isInside, m_kernel.converted(element, type), m_kernel.number(value, type)});
}

} // namespace warpwright
