// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/lowering/iteration_space.h"

#include <algorithm>

namespace warpwright {

void IterationSpace::split(const LoopSplit &asked) {
    const auto k = static_cast<std::size_t>(asked.loop);
    loops[k] /= asked.inner;
    loops.insert(loops.begin() + static_cast<std::ptrdiff_t>(k) + 1, asked.inner);
    outer += k < outer ? 1 : 0;
    for (AffineExpr &index : map) {
        const std::int64_t step = index.steps[k];
        index.steps[k] = step * asked.inner;
        index.steps.insert(index.steps.begin() + static_cast<std::ptrdiff_t>(k) + 1, step);
    }
}

void IterationSpace::flip(std::size_t k) {
    for (AffineExpr &index : map) {
        index.offset += index.steps[k] * (loops[k] - 1);
        index.steps[k] = -index.steps[k];
    }
}

bool IterationSpace::makeInnerLoops(const std::vector<int> &repeated, const Shape &sizes) {
    std::int64_t repeats = 1;
    for (const int loop : repeated)
        repeats *= loops[static_cast<std::size_t>(loop)];
    if (repeated.empty() || repeats != elementCount(sizes))
        return false;
    std::vector<std::size_t> order;
    const auto isRepeated = [&repeated](std::size_t k) {
        return std::find(repeated.begin(), repeated.end(), static_cast<int>(k)) != repeated.end();
    };
    for (const bool isInner : {false, true})
        for (std::size_t k = 0; k < loops.size(); ++k)
            if (isRepeated(k) == isInner)
                order.push_back(k);
    const auto reordered = [&order](const std::vector<std::int64_t> &values) {
        std::vector<std::int64_t> result;
        for (const std::size_t k : order)
            result.push_back(values[k]);
        return result;
    };
    loops = reordered(loops);
    outer = loops.size() - repeated.size();
    for (std::size_t d = 0; d < map.size(); ++d) {
        map[d].steps = reordered(map[d].steps);
        for (std::size_t k = outer; k < loops.size(); ++k)
            if (map[d].steps[k] != 0 && (reduced.empty() || reduced.back() != d))
                reduced.push_back(d);
    }
    return true;
}

void IterationSpace::appendInnerLoops(const Shape &sizes) {
    outer = loops.size();
    loops.insert(loops.end(), sizes.begin(), sizes.end());
    for (AffineExpr &index : map)
        index.steps.resize(loops.size(), 0);
}

IterationSpace loopsOver(const Shape &shape) {
    return {shape, shape.size(), identityMap(shape.size(), shape.size()), {}};
}

std::optional<AffineMap> mapOfOtherOutput(const Shape &shape, const Shape &whole,
                                          const IterationSpace &space) {
    if (shape == whole)
        return space.map;
    if (space.reduced.empty())
        return std::nullopt;
    AffineMap remaining;
    AffineMap ones;
    Shape without;
    Shape withOnes = whole;
    for (std::size_t d = 0; d < whole.size(); ++d) {
        const bool isReduced =
            std::find(space.reduced.begin(), space.reduced.end(), d) != space.reduced.end();
        ones.push_back(isReduced ? constantIndex(0, space.loops.size()) : space.map[d]);
        if (isReduced)
            withOnes[d] = 1;
        else {
            remaining.push_back(space.map[d]);
            without.push_back(whole[d]);
        }
    }
    return shape == without    ? std::optional(remaining)
           : shape == withOnes ? std::optional(ones)
                               : std::nullopt;
}

} // namespace warpwright
