// SPDX-License-Identifier: GPL-3.0-or-later
// Concatenation, padding and slice scatter. Nothing is copied first: each element is read from the tensor
// that it comes from.
#include "agent/playbook/analysis/view_maps.h"
#include "agent/playbook/lowering/operator_families.h"

#include <algorithm>

namespace warpwright {
namespace {

/// One of the concatenated tensors, and its range in the result.
struct ConcatInput {
    int node;
    std::int64_t begin, end;
};

bool takesConcat(const ReferenceGraph &, const NodeAt &at) {
    return at.opName == QLatin1String("cat") && !at.node.arguments.empty();
}

/// Those that the loops reach. Empty: refused.
std::vector<ConcatInput> concatInputs(LoweringContext &context, const NodeAt &at, std::size_t d) {
    const auto [smallest, largest] = context.indices().rangeOf(at.map[d]);
    std::vector<ConcatInput> parts;
    std::int64_t begin = 0;
    for (const GraphArgument &item : at.node.arguments[0].items) {
        if (item.kind != GraphArgument::Kind::Node) {
            context.refuse(QStringLiteral("«%1» has an argument that is not supported").arg(at.node.op));
            return {};
        }
        const Shape &shape = context.nodeAt(item.node).shape;
        if (shape.size() != at.node.shape.size()) // an empty 1-D tensor, which torch ignores
            continue;
        const std::int64_t end = begin + shape[d];
        if (end > begin && smallest < end && largest >= begin)
            parts.push_back({item.node, begin, end});
        begin = end;
    }
    if (parts.empty())
        context.refuse(QStringLiteral("«%1» concatenates nothing").arg(at.node.op));
    return parts;
}

// The loop that alone runs along `index` and can be split with an inner loop of `size`; -1: none.
int loopOver(const LoweringContext &context, const AffineExpr &index, std::int64_t size) {
    const Shape &loops = context.kernel().loops;
    int loop = -1;
    for (std::size_t k = 0; k < index.steps.size(); ++k) {
        if (index.steps[k] == 0)
            continue;
        if (loop >= 0 || index.steps[k] != 1 || k >= loops.size())
            return -1;
        loop = static_cast<int>(k);
    }
    const auto length = loop >= 0 ? loops[static_cast<std::size_t>(loop)] : 0;
    return length > size && length % size == 0 && index.offset == 0 ? loop : -1;
}

/// Where loops over parts and loops within a part are separate: the index of each.
struct PartIndex {
    AffineExpr part;
    AffineExpr within;
};

/// Of parts that are all of this size. Empty: a loop crosses parts.
std::optional<PartIndex> partIndex(const LoweringContext &context, const AffineExpr &index,
                                   std::int64_t size) {
    if (index.offset != 0)
        return std::nullopt;
    PartIndex found{index, index};
    for (std::size_t k = 0; k < index.steps.size(); ++k) {
        const std::int64_t step = index.steps[k];
        if (step < 0)
            return std::nullopt;
        const bool isOfParts = step != 0 && step % size == 0;
        found.part.steps[k] = isOfParts ? step / size : 0;
        found.within.steps[k] = isOfParts ? 0 : step;
    }
    return context.indices().rangeOf(found.within).second < size ? std::optional(found) : std::nullopt;
}

int lowerConcat(LoweringContext &context, const NodeAt &at) {
    const GraphNode &node = at.node;
    const AffineMap &map = at.map;
    const GraphArgument *asked = node.argument(1, "dim");
    const std::size_t d = dimensionOf(asked == nullptr ? 0 : asked->number, node.shape.size());
    const std::vector<ConcatInput> parts = concatInputs(context, at, d);
    if (parts.empty())
        return -1;
    Kernel &kernel = context.kernel();
    IndexSpace &indices = context.indices();
    // Equal parts: one loop over the parts, and one within a part. Then the choice of the part does not
    // depend on the element.
    const std::int64_t size = parts[0].end - parts[0].begin;
    const bool areAlike =
        parts.size() > 1 && std::all_of(parts.begin(), parts.end(), [size](const ConcatInput &part) {
            return part.end - part.begin == size && part.begin % size == 0;
        });
    if (areAlike && size > 1)
        if (const int loop = loopOver(context, map[d], size); loop >= 0)
            return context.stop(LoopSplit{loop, size});
    const std::optional<PartIndex> split = areAlike ? partIndex(context, map[d], size) : std::nullopt;
    const std::int64_t smallest = indices.rangeOf(map[d]).first;
    const ElementType type = computeType(node.type);
    int concatenated = -1;
    for (auto part = parts.rbegin(); part != parts.rend(); ++part) {
        AffineMap sourceMap = map;
        sourceMap[d].offset -= part->begin;
        std::optional<int> isHere;
        if (split) {
            sourceMap[d] = split->within;
            isHere = kernel.add(Opcode::Equal, ElementType::Bool,
                                {indices.valueOf(split->part), integerStep(kernel, part->begin / size)});
        } else {
            isHere = indices.within(map[d], part->begin, part->end);
        }
        int element = -1;
        {
            const LoweringContext::Guard guard(context, isHere);
            element = context.lower(part->node, sourceMap);
        }
        if (element < 0)
            return element;
        element = kernel.converted(element, type);
        if (concatenated < 0) {
            concatenated = element;
            continue;
        }
        const auto isBefore = split ? isHere : indices.within(map[d], smallest, part->end);
        concatenated =
            isBefore ? kernel.add(Opcode::Select, type, {*isBefore, element, concatenated}) : element;
    }
    return concatenated;
}

constexpr double largestIndex = 1e18; ///< beyond any tensor

bool takesSliceScatter(const ReferenceGraph &, const NodeAt &at) {
    const QString &op = at.opName;
    return op == QLatin1String("slice_scatter") || op == QLatin1String("select_scatter");
}

// A tensor with a slice replaced: the functional form of writing into a slice.
int lowerSliceScatter(LoweringContext &context, const NodeAt &at) {
    const GraphNode &node = at.node;
    const AffineMap &map = at.map;
    Kernel &kernel = context.kernel();
    IndexSpace &indices = context.indices();
    const auto number = [&node](int index, const char *keyword, std::int64_t otherwise) {
        const GraphArgument *argument = node.argument(index, keyword);
        // An open end is torch's largest integer, which rounds up as a double.
        return argument != nullptr && argument->kind == GraphArgument::Kind::Number
                   ? static_cast<std::int64_t>(std::clamp(argument->number, -largestIndex, largestIndex))
                   : otherwise;
    };
    const bool isSelect = at.opName == QLatin1String("select_scatter");
    const std::size_t d = dimensionOf(static_cast<double>(number(2, "dim", 0)), node.shape.size());
    const std::int64_t size = node.shape[d];
    std::int64_t begin = number(3, isSelect ? "index" : "start", 0);
    begin = std::clamp<std::int64_t>(begin < 0 ? begin + size : begin, 0, size);
    std::int64_t end = isSelect ? begin + 1 : number(4, "end", size);
    end = std::clamp<std::int64_t>(end < 0 ? end + size : end, begin, size);
    const std::int64_t step = isSelect ? 1 : number(5, "step", 1);
    if (const auto [smallest, largest] = indices.rangeOf(map[d]); largest < begin || smallest >= end)
        return context.lower(node.arguments[0].node, map); // the loops only reach the unchanged part
    const ElementType type = computeType(node.type);
    std::optional<int> isInside = indices.within(map[d], begin, end);
    AffineMap sourceMap = map;
    if (isSelect)
        sourceMap.erase(sourceMap.begin() + static_cast<std::ptrdiff_t>(d));
    else
        sourceMap[d].offset -= begin;
    if (step != 1) { // every `step`-th element is replaced
        const std::int64_t many = (end - begin + step - 1) / step;
        const auto digits = context.digitsIn(sourceMap[d], {many, step});
        if (!digits)
            return -1;
        isInside = conjunction(kernel, isInside, indices.within((*digits)[1], 0, 1));
        sourceMap[d] = (*digits)[0];
    }
    int inside = -1;
    {
        const LoweringContext::Guard guard(context, isInside);
        inside = context.lower(node.arguments[1].node, sourceMap);
    }
    if (inside < 0 || !isInside)
        return inside < 0 ? inside : kernel.converted(inside, type);
    const int around = context.lower(node.arguments[0].node, map);
    return around < 0
               ? around
               : kernel.add(Opcode::Select, type,
                            {*isInside, kernel.converted(inside, type), kernel.converted(around, type)});
}

bool takesPadding(const ReferenceGraph &, const NodeAt &at) {
    return at.opName == QLatin1String("constant_pad_nd");
}

int lowerPadding(LoweringContext &context, const NodeAt &at) {
    const GraphNode &node = at.node;
    const AffineMap &map = at.map;
    Kernel &kernel = context.kernel();
    IndexSpace &indices = context.indices();
    const int source = node.arguments[0].node;
    const Shape &from = context.nodeAt(source).shape;
    const Shape padding = node.arguments[1].integers(); // before and after, last dimension first
    const GraphArgument *filled = node.argument(2, "value");
    const ElementType type = computeType(node.type);
    AffineMap sourceMap = map;
    std::optional<int> isInside;
    for (std::size_t i = 0; 2 * i + 1 < padding.size(); ++i) {
        const std::size_t d = from.size() - 1 - i;
        sourceMap[d].offset -= padding[2 * i];
        isInside = conjunction(kernel, isInside, indices.within(sourceMap[d], 0, from[d]));
    }
    int element = -1;
    {
        const LoweringContext::Guard guard(context, isInside);
        element = context.lower(source, sourceMap);
    }
    if (element < 0 || !isInside)
        return element;
    const double value = filled == nullptr ? 0 : filled->number;
    return kernel.add(Opcode::Select, type,
                      {*isInside, kernel.converted(element, type), kernel.number(value, type)});
}

} // namespace

const OperatorFamily concatFamily{takesConcat, lowerConcat};
const OperatorFamily sliceScatterFamily{takesSliceScatter, lowerSliceScatter};
const OperatorFamily paddingFamily{takesPadding, lowerPadding};

} // namespace warpwright
