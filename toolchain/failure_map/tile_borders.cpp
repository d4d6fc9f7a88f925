// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/failure_map/tile_borders.h"

#include <algorithm>

namespace warpwright {
namespace {

constexpr double wrongThroughout = 0.9; ///< of an index' elements
constexpr double leastFit = 0.9;        ///< wrong ones to those in the lines
constexpr double mostFit = 1.05;
constexpr double leastOutside = 32; ///< elements that are right: among few, chance draws lines
constexpr std::size_t leastTile = 4;

struct Run {
    std::size_t begin = 0;
    std::size_t end = 0;
};

std::vector<Run> wrongRuns(const FailureAxis &axis, double perIndex) {
    std::vector<Run> runs;
    for (std::size_t i = 0; i < axis.wrong.size(); ++i) {
        if (static_cast<double>(axis.wrong[i]) <= wrongThroughout * perIndex)
            continue;
        if (!runs.empty() && runs.back().end == i)
            ++runs.back().end;
        else
            runs.push_back({i, i + 1});
    }
    return runs;
}

/// Two are enough: that an index is wrong throughout is no chance. The first and the last may be cut off.
std::optional<IndexSet> setOf(const std::vector<Run> &runs, std::size_t size) {
    IndexSet set;
    set.size = static_cast<qint64>(size);
    set.form = IndexSet::Form::Run;
    set.first = static_cast<qint64>(runs.front().begin);
    set.last = static_cast<qint64>(runs.back().end) - 1;
    if (runs.size() == 1)
        return set.count() < set.size ? std::optional(set) : std::nullopt;
    std::size_t length = 0;
    for (const Run &run : runs)
        length = std::max(length, run.end - run.begin);
    const bool isFirstCut = runs[0].begin == 0 && runs[0].end < length;
    const std::size_t period = isFirstCut ? runs[1].end - runs[0].end : runs[1].begin - runs[0].begin;
    if (period < leastTile || length >= period)
        return std::nullopt;
    for (std::size_t i = 1; i < runs.size(); ++i) {
        const bool isCut = i + 1 == runs.size() && runs[i].end == size;
        if (runs[i].begin != runs[1].begin + (i - 1) * period ||
            (runs[i].end - runs[i].begin != length && !isCut))
            return std::nullopt;
    }
    if (!isFirstCut && runs[0].end - runs[0].begin != length)
        return std::nullopt;
    // Whole ones that are not wrong, before the first or behind the last, and it is not at each tile.
    if (runs[0].begin >= period || runs.back().begin + period + length <= size)
        return std::nullopt;
    set.form = IndexSet::Form::Periodic;
    set.period = static_cast<qint64>(period);
    set.first = static_cast<qint64>(runs[1].begin % period);
    set.last = set.first + static_cast<qint64>(length) - 1;
    return set;
}

} // namespace

std::optional<CrossedLines> crossedLinesOf(const OutputFailure &output) {
    CrossedLines lines;
    double right = 1;
    int crossed = 0;
    for (const FailureAxis &axis : output.axes) {
        IndexSet set;
        set.size = axis.size;
        set.last = axis.size - 1;
        const double perIndex = static_cast<double>(output.elements) / static_cast<double>(axis.size);
        const std::vector<Run> runs = axis.block == 1 ? wrongRuns(axis, perIndex) : std::vector<Run>();
        if (!runs.empty()) {
            const std::optional<IndexSet> found = setOf(runs, axis.wrong.size());
            if (!found)
                return std::nullopt;
            set = *found;
            std::size_t indices = 0;
            for (const Run &run : runs)
                indices += run.end - run.begin;
            right *= 1 - static_cast<double>(indices) / static_cast<double>(axis.size);
            ++crossed;
        }
        lines.sets.push_back(set);
    }
    lines.elements = static_cast<double>(output.elements) * (1 - right);
    const double fit = static_cast<double>(output.wrong) / std::max(lines.elements, 1.0);
    const double outside = static_cast<double>(output.elements) - lines.elements;
    return crossed > 1 && outside >= leastOutside && fit > leastFit && fit < mostFit ? std::optional(lines)
                                                                                     : std::nullopt;
}

} // namespace warpwright
