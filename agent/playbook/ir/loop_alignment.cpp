// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/ir/loop_alignment.h"

#include <algorithm>
#include <cstdlib>

namespace warpwright {
namespace {

/// What remains of a loop while parts are split off, the fastest varying first.
struct Rest {
    std::size_t loop = 0;
    std::int64_t size = 1;
    std::int64_t step = 0; ///< of the address
    std::int64_t factor = 1;
    bool isOuter = false;

    void take(std::int64_t part) {
        size /= part;
        step *= part;
        factor *= part;
    }
};

/// A fused loop.
struct Common {
    std::int64_t size = 1;
    bool isOuter = false;
    std::size_t firstLoop = 0;
    std::int64_t firstFactor = 1;
    std::optional<std::size_t> secondLoop; ///< none: the second kernel runs once for all its iterations
    std::int64_t secondFactor = 1;
};

enum class Which { Stepped, OtherOuter, OtherInner };

// Loops with a nonzero stride in the address, smallest stride first; or the others, innermost first.
std::vector<Rest> restsOf(const Kernel &kernel, const AffineExpr &address, Which which) {
    std::vector<Rest> rests;
    for (std::size_t k = kernel.loops.size(); k-- > 0;) {
        const bool isOuter = k < kernel.outer;
        const Which own = address.steps[k] != 0 ? Which::Stepped
                          : isOuter             ? Which::OtherOuter
                                                : Which::OtherInner;
        if (own == which && kernel.loops[k] > 1)
            rests.push_back({k, kernel.loops[k], address.steps[k], 1, isOuter});
    }
    std::stable_sort(rests.begin(), rests.end(),
                     [](const Rest &a, const Rest &b) { return std::abs(a.step) < std::abs(b.step); });
    return rests;
}

bool pairUp(std::vector<Rest> first, std::vector<Rest> second, bool haveBothRows, std::vector<Common> &all) {
    std::size_t i = 0;
    std::size_t j = 0;
    while (i < first.size() && j < second.size()) {
        Rest &one = first[i];
        Rest &other = second[j];
        const std::int64_t size = std::min(one.size, other.size);
        if (one.step != other.step || one.size % size != 0 || other.size % size != 0 ||
            (haveBothRows && one.isOuter != other.isOuter))
            return false;
        all.push_back({size, one.isOuter, one.loop, one.factor, other.loop, other.factor});
        one.take(size);
        other.take(size);
        i += one.size == 1 ? 1 : 0;
        j += other.size == 1 ? 1 : 0;
    }
    return i == first.size() && j == second.size();
}

// A scan depends on the order of its loops.
bool keepsOrder(const std::vector<Common> &all) {
    std::optional<std::pair<std::size_t, std::int64_t>> last;
    for (const Common &common : all) {
        if (common.isOuter || !common.secondLoop)
            continue;
        const std::pair position(*common.secondLoop, -common.secondFactor);
        if (last && position < *last)
            return false;
        last = position;
    }
    return true;
}

// In the order of the first kernel's loops.
void inOrder(std::vector<Common> &all) {
    std::stable_sort(all.begin(), all.end(), [](const Common &a, const Common &b) {
        return std::pair(a.firstLoop, -a.firstFactor) < std::pair(b.firstLoop, -b.firstFactor);
    });
}

AlignedLoops loopsOf(const std::vector<Common> &all, const Kernel &first, const Kernel &second) {
    AlignedLoops aligned;
    aligned.first.resize(first.loops.size());
    aligned.second.resize(second.loops.size());
    for (const Common &common : all) {
        const std::size_t position = aligned.loops.size();
        aligned.loops.push_back(common.size);
        aligned.outer += common.isOuter ? 1 : 0;
        aligned.first[common.firstLoop].push_back({position, common.firstFactor});
        if (common.secondLoop)
            aligned.second[*common.secondLoop].push_back({position, common.secondFactor});
    }
    return aligned;
}

} // namespace

std::optional<AlignedLoops> alignedLoops(const Kernel &first, const AffineExpr &firstAddress,
                                         const Kernel &second, const AffineExpr &secondAddress) {
    const bool haveBothRows = second.hasReductions();
    const bool areSimple = !first.hasReductions() && !second.hasReductions();
    if ((!first.hasReductions() && !areSimple) || firstAddress.offset != secondAddress.offset)
        return std::nullopt;
    const auto pairThe = [&](Which which, std::vector<Common> &all) {
        return pairUp(restsOf(first, firstAddress, which), restsOf(second, secondAddress, which),
                      haveBothRows, all);
    };
    std::vector<Common> all;
    if (!pairThe(Which::Stepped, all) || !pairThe(Which::OtherOuter, all))
        return std::nullopt;
    if (haveBothRows || areSimple) {
        if (!pairThe(Which::OtherInner, all))
            return std::nullopt;
    } else {
        for (const Rest &row : restsOf(first, firstAddress, Which::OtherInner))
            all.push_back({row.size, false, row.loop, 1, std::nullopt, 1});
        // Its own elementwise work may be in another order than the row's.
        if (!restsOf(second, secondAddress, Which::OtherInner).empty() ||
            std::any_of(all.begin(), all.end(),
                        [](const Common &common) { return !common.isOuter && common.secondLoop; }))
            return std::nullopt;
    }
    inOrder(all);
    if (second.hasScans() && !keepsOrder(all))
        return std::nullopt;
    return loopsOf(all, first, second);
}

std::optional<AlignedLoops> loopsOfConsumer(const Kernel &producer, const AffineExpr &producerAddress,
                                            const Kernel &consumer, const AffineExpr &consumerAddress) {
    const auto hasOthers = [](const Kernel &kernel, const AffineExpr &address) {
        return !restsOf(kernel, address, Which::OtherOuter).empty() ||
               !restsOf(kernel, address, Which::OtherInner).empty();
    };
    std::vector<Common> all;
    if (producer.hasReductions() || producerAddress.offset != consumerAddress.offset ||
        hasOthers(producer, producerAddress) || hasOthers(consumer, consumerAddress) ||
        !pairUp(restsOf(consumer, consumerAddress, Which::Stepped),
                restsOf(producer, producerAddress, Which::Stepped), false, all))
        return std::nullopt;
    inOrder(all);
    AlignedLoops aligned = loopsOf(all, consumer, producer);
    std::swap(aligned.first, aligned.second);
    return aligned;
}

AffineExpr overParts(const AffineExpr &index, const LoopParts &parts, std::size_t count) {
    AffineExpr all{index.offset, std::vector<std::int64_t>(count, 0)};
    for (std::size_t k = 0; k < parts.size(); ++k)
        for (const LoopPart &part : parts[k])
            all.steps[part.loop] = index.steps[k] * part.factor;
    return all;
}

} // namespace warpwright
