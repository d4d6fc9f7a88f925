// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/failure_map/stepped_lines.h"

#include <algorithm>
#include <cmath>

namespace warpwright {
namespace {

constexpr double wrongThroughout = 0.95; ///< of a block's elements
constexpr double mostElsewhere = 0.02;   ///< of what is wrong
constexpr double leastSteps = 64;        ///< of as many, none lies elsewhere by chance
constexpr double leastEmpty = 0.2;       ///< of the blocks: where all have a step, chance looks like it
constexpr qint64 leastPeriod = 3;
constexpr qint64 mostPeriod = 4096;
constexpr qint64 leastTailIndices = 2;
constexpr qint64 leastTailWrong = 8;

/// How many of `first`, `first` + `period`, … lie before `end`.
qint64 stepsBefore(qint64 first, qint64 period, qint64 end) {
    return end <= first ? 0 : (end - 1 - first) / period + 1;
}

/// One axis by its blocks.
class Steps {
public:
    Steps(const FailureAxis &axis, double perIndex) : m_axis(axis), m_perIndex(perIndex) {}

    [[nodiscard]] qint64 begin(std::size_t block) const {
        return std::min(static_cast<qint64>(block) * m_axis.block, m_axis.size);
    }
    [[nodiscard]] qint64 width(std::size_t block) const { return begin(block + 1) - begin(block); }
    [[nodiscard]] qint64 expected(qint64 period, std::size_t block) const {
        return stepsBefore(m_axis.first, period, begin(block + 1)) -
               stepsBefore(m_axis.first, period, begin(block));
    }
    /// Where the blocks begin that are wrong throughout to the last.
    [[nodiscard]] std::size_t tailBlock() const {
        std::size_t block = m_axis.wrong.size();
        while (block > 0 && static_cast<double>(m_axis.wrong[block - 1]) >=
                                wrongThroughout * m_perIndex * static_cast<double>(width(block - 1)))
            --block;
        return block;
    }
    /// The only period that fits the blocks before `end`; 0: none.
    [[nodiscard]] qint64 periodBefore(std::size_t end) const {
        double wrong = 0;
        for (std::size_t block = 0; block < end; ++block)
            wrong += static_cast<double>(m_axis.wrong[block]);
        const double steps = wrong / m_perIndex;
        const auto indices = static_cast<double>(begin(end));
        if (steps < leastSteps)
            return 0;
        qint64 found = 0;
        const auto most = std::min(static_cast<qint64>(indices / (steps - 3)) + 1, mostPeriod);
        for (auto period = static_cast<qint64>(indices / (steps + 3)); period <= most; ++period) {
            if (!fits(period, end, wrong))
                continue;
            if (found > 0)
                return 0;
            found = period;
        }
        return found;
    }
    /// In the block before the tail's first whole one it may have begun already; -1: it cannot be told where.
    [[nodiscard]] qint64 tailBegin(qint64 period, std::size_t block) const {
        if (m_axis.block == 1 || block == 0)
            return begin(block);
        const qint64 before = begin(block - 1);
        const auto wrong = std::llround(static_cast<double>(m_axis.wrong[block - 1]) / m_perIndex);
        for (qint64 first = begin(block); first > before; --first) {
            const qint64 steps =
                stepsBefore(m_axis.first, period, first) - stepsBefore(m_axis.first, period, before);
            if (steps + begin(block) - first == wrong)
                return first;
        }
        return -1;
    }

private:
    [[nodiscard]] bool fits(qint64 period, std::size_t end, double wrong) const {
        if (period < leastPeriod || period <= m_axis.block || m_axis.first >= period)
            return false;
        double elsewhere = 0;
        std::size_t empty = 0;
        for (std::size_t block = 0; block < end; ++block) {
            const auto steps = static_cast<double>(expected(period, block));
            elsewhere += std::abs(static_cast<double>(m_axis.wrong[block]) - steps * m_perIndex);
            if (elsewhere > mostElsewhere * wrong)
                return false;
            empty += steps < 1 ? 1 : 0;
        }
        return static_cast<double>(empty) >= leastEmpty * static_cast<double>(end);
    }

    const FailureAxis &m_axis;
    double m_perIndex;
};

std::optional<SteppedLines> alongAxis(const OutputFailure &output, std::size_t at) {
    const FailureAxis &axis = output.axes[at];
    const double perIndex = static_cast<double>(output.elements) / static_cast<double>(axis.size);
    const auto elements = [perIndex](qint64 indices) {
        return std::llround(perIndex * static_cast<double>(indices));
    };
    const Steps steps(axis, perIndex);
    SteppedLines lines;
    lines.axis = at;
    qint64 end = axis.size;
    qint64 period = 0;
    // First with the tail: few as it may be, it is not said by steps alone.
    const std::size_t tail = steps.tailBlock();
    if (axis.size - steps.begin(tail) >= leastTailIndices) {
        period = steps.periodBefore(axis.block > 1 && tail > 0 ? tail - 1 : tail);
        if (period == 0)
            return std::nullopt;
        end = steps.tailBegin(period, tail);
        for (std::size_t block = tail; block < axis.wrong.size(); ++block)
            lines.inTail += axis.wrong[block];
        lines.inTail += elements(steps.begin(tail) - end);
        if (end < 0 || lines.inTail < leastTailWrong)
            return std::nullopt;
        lines.tail = IndexSet{IndexSet::Form::Run, axis.size, end, axis.size - 1, 0};
        lines.tailElements = elements(axis.size - end);
    } else if (period = steps.periodBefore(axis.wrong.size()); period == 0) {
        return std::nullopt;
    }
    lines.steps = IndexSet{IndexSet::Form::Periodic, axis.size, axis.first, axis.first, period};
    lines.inSteps = output.wrong - lines.inTail;
    lines.stepElements = elements(stepsBefore(axis.first, period, end));
    return lines;
}

} // namespace

std::optional<SteppedLines> steppedLinesOf(const OutputFailure &output) {
    std::optional<std::size_t> along;
    for (std::size_t axis = 0; axis < output.axes.size(); ++axis) {
        if (indexSetOf(output.axes[axis], false).isAll())
            continue;
        if (along)
            return std::nullopt;
        along = axis;
    }
    return along ? alongAxis(output, *along) : std::nullopt;
}

} // namespace warpwright
