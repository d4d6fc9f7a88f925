// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/ir/affine_map.h"

#include <algorithm>

namespace warpwright {

AffineMap identityMap(std::size_t dimensions, std::size_t loops) {
    AffineMap map(dimensions, constantIndex(0, loops));
    for (std::size_t d = 0; d < dimensions; ++d)
        map[d].steps[d] = 1;
    return map;
}

AffineExpr constantIndex(std::int64_t offset, std::size_t loops) {
    return {offset, std::vector<std::int64_t>(loops, 0)};
}

AffineExpr linearize(const AffineMap &map, const Shape &strides, std::int64_t offset) {
    AffineExpr flat;
    flat.offset = offset;
    for (std::size_t d = 0; d < map.size(); ++d) {
        flat.offset += map[d].offset * strides[d];
        flat.steps.resize(std::max(flat.steps.size(), map[d].steps.size()), 0);
        for (std::size_t k = 0; k < map[d].steps.size(); ++k)
            flat.steps[k] += map[d].steps[k] * strides[d];
    }
    return flat;
}

std::optional<AffineMap> delinearize(const AffineExpr &flat, const Shape &shape, const Shape &loops,
                                     std::optional<LoopSplit> &split) {
    const Shape strides = contiguousStrides(shape);
    AffineMap map(shape.size(), constantIndex(0, loops.size()));
    // A negative offset borrows from the next outer dimension; only the outermost index can become negative,
    // where nothing is read.
    std::int64_t rest = flat.offset;
    for (std::size_t d = shape.size(); d-- > 0;) {
        const std::int64_t size = std::max<std::int64_t>(shape[d], 1);
        map[d].offset = d > 0 ? (rest % size + size) % size : rest;
        rest = (rest - map[d].offset) / size;
    }
    for (std::size_t k = 0; k < flat.steps.size(); ++k) {
        const std::int64_t step = flat.steps[k];
        if (step == 0 || loops[k] == 1)
            continue;
        if (step < 0)
            return std::nullopt;
        bool isAssigned = false;
        for (std::size_t d = shape.size(); d-- > 0 && !isAssigned;) {
            const std::int64_t span = strides[d] * shape[d];
            if (step < strides[d] || step >= span || step % strides[d] != 0)
                continue;
            // The counter must stay within this dimension, else it carries into the next one.
            if (step * loops[k] > span) {
                const std::int64_t inner = span / step;
                if (span % step == 0 && inner > 1 && loops[k] % inner == 0)
                    split = LoopSplit{static_cast<int>(k), inner};
                return std::nullopt;
            }
            map[d].steps[k] = step / strides[d];
            isAssigned = true;
        }
        if (!isAssigned)
            return std::nullopt;
    }
    for (std::size_t d = 0; d < shape.size(); ++d) {
        std::int64_t largest = map[d].offset;
        for (std::size_t k = 0; k < loops.size(); ++k)
            largest += map[d].steps[k] * (loops[k] - 1);
        if (largest >= shape[d])
            return std::nullopt; // two counters carry together
    }
    return map;
}

std::pair<std::int64_t, std::int64_t> rangeOf(const AffineExpr &index, const Shape &loops) {
    std::pair<std::int64_t, std::int64_t> range{index.offset, index.offset};
    for (std::size_t k = 0; k < index.steps.size(); ++k)
        if (index.steps[k] != 0)
            (index.steps[k] < 0 ? range.first : range.second) += index.steps[k] * (loops[k] - 1);
    return range;
}

} // namespace warpwright
