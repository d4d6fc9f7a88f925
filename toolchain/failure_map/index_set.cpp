// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/failure_map/index_set.h"

#include "toolchain/base/figures.h"

#include <algorithm>
#include <numeric>

namespace warpwright {
namespace {

constexpr double leastOfMost = 0.1; ///< what an index has to have of what the fullest has
constexpr double nearlyAll = 0.95;  ///< of what is wrong
constexpr qint64 leastTile = 4;
constexpr std::size_t leastPeriods = 4; ///< fewer may be chance

struct Run {
    std::size_t begin = 0;
    std::size_t end = 0;
};

/// Neighbours among `counts` that hold nearly all; empty: they are too scattered for that.
std::vector<Run> runsOf(const std::vector<double> &densities, const std::vector<qint64> &counts) {
    const double most = densities.empty() ? 0 : *std::max_element(densities.begin(), densities.end());
    std::vector<Run> runs;
    qint64 all = 0;
    qint64 inside = 0;
    for (std::size_t i = 0; i < densities.size(); ++i) {
        all += counts[i];
        if (most <= 0 || densities[i] < leastOfMost * most)
            continue;
        inside += counts[i];
        if (!runs.empty() && runs.back().end == i)
            ++runs.back().end;
        else
            runs.push_back({i, i + 1});
    }
    return static_cast<double>(inside) >= nearlyAll * static_cast<double>(all) ? runs : std::vector<Run>();
}

/// Whether they come at equal steps and are equally long, but for one that is cut off at an end.
std::optional<IndexSet> periodicOf(const std::vector<Run> &runs, std::size_t size) {
    if (runs.size() < leastPeriods)
        return std::nullopt;
    const std::size_t period = runs[2].begin - runs[1].begin;
    const std::size_t length = runs[1].end - runs[1].begin;
    for (std::size_t i = 1; i < runs.size(); ++i) {
        const bool isLast = i + 1 == runs.size();
        const bool isCut = isLast && runs[i].end == size && runs[i].end - runs[i].begin < length;
        if (runs[i].end - runs[i - 1].end != period && !isCut)
            return std::nullopt;
        if (runs[i].end - runs[i].begin != length && !isCut)
            return std::nullopt;
    }
    const std::size_t firstLength = runs[0].end - runs[0].begin;
    const bool isFirstCut = runs[0].begin == 0 && firstLength < length;
    if (firstLength != length && !isFirstCut)
        return std::nullopt;
    // All of the axis: what lies before the first and behind the last has no room for one more.
    if (runs[0].begin >= period || runs.back().begin + period < size)
        return std::nullopt;
    const std::size_t offset = runs[1].begin % period;
    if (offset + length > period)
        return std::nullopt; // no tile begins there
    return IndexSet{IndexSet::Form::Periodic, static_cast<qint64>(size), static_cast<qint64>(offset),
                    static_cast<qint64>(offset + length - 1), static_cast<qint64>(period)};
}

/// By residues, of which each stands for as many indices.
std::optional<IndexSet> periodicOf(const std::vector<qint64> &residues, qint64 size) {
    const std::vector<double> densities(residues.begin(), residues.end());
    const std::vector<Run> runs = runsOf(densities, residues);
    if (runs.size() == 1 && runs[0].end - runs[0].begin < residues.size() / 2)
        return IndexSet{IndexSet::Form::Periodic, size, static_cast<qint64>(runs[0].begin),
                        static_cast<qint64>(runs[0].end) - 1, static_cast<qint64>(residues.size())};
    std::optional<IndexSet> set = periodicOf(runs, residues.size());
    if (!set || static_cast<qint64>(residues.size()) % set->period != 0)
        return std::nullopt;
    set->size = size;
    return set;
}

QString ordinal(qint64 number) {
    const qint64 ten = number % 100;
    const bool isTeen = ten >= 11 && ten <= 13;
    const char *end = !isTeen && number % 10 == 1   ? "st"
                      : !isTeen && number % 10 == 2 ? "nd"
                      : !isTeen && number % 10 == 3 ? "rd"
                                                    : "th";
    return numberText(static_cast<double>(number)) + QLatin1String(end);
}

QString counted(qint64 number) {
    return numberText(static_cast<double>(number));
}

QString capital(QString text) {
    if (!text.isEmpty())
        text[0] = text[0].toUpper();
    return text;
}

} // namespace

qint64 IndexSet::count() const {
    switch (form) {
    case Form::Run:
        return last - first + 1;
    case Form::Periodic: {
        const qint64 rest = size % period;
        return size / period * (last - first + 1) + std::clamp(rest - first, qint64{0}, last - first + 1);
    }
    default:
        return size;
    }
}

IndexSet indexSetOf(const FailureAxis &axis, bool ofNan) {
    const std::vector<qint64> &counts = ofNan ? axis.nan : axis.wrong;
    IndexSet set;
    set.size = axis.size;
    set.last = axis.size - 1;
    std::vector<double> densities;
    for (std::size_t i = 0; i < counts.size(); ++i) {
        const qint64 begin = static_cast<qint64>(i) * axis.block;
        densities.push_back(static_cast<double>(counts[i]) /
                            static_cast<double>(std::min(axis.block, axis.size - begin)));
    }
    const std::vector<Run> runs = runsOf(densities, counts);
    std::size_t inside = 0;
    for (const Run &run : runs)
        inside += run.end - run.begin;
    // Blocks of several indices hide what repeats within them.
    if (!ofNan && inside == counts.size() && !axis.residues.empty())
        return periodicOf(axis.residues, axis.size).value_or(set);
    if (runs.empty() || static_cast<double>(inside) >= nearlyAll * static_cast<double>(counts.size()))
        return runs.size() == 1 && inside < counts.size() && axis.block == 1
                   ? IndexSet{IndexSet::Form::Run, axis.size, static_cast<qint64>(runs[0].begin),
                              static_cast<qint64>(runs[0].end) - 1, 0}
                   : set;
    if (runs.size() == 1) {
        set.form = IndexSet::Form::Run;
        set.first =
            std::max(static_cast<qint64>(runs[0].begin) * axis.block, ofNan ? axis.nanFirst : axis.first);
        set.last =
            std::min(static_cast<qint64>(runs[0].end) * axis.block - 1, ofNan ? axis.nanLast : axis.last);
        // A few strays do not move it.
        if (axis.block == 1) {
            set.first = static_cast<qint64>(runs[0].begin);
            set.last = static_cast<qint64>(runs[0].end) - 1;
        }
        return set;
    }
    if (axis.block == 1) {
        if (const std::optional<IndexSet> periodic = periodicOf(runs, counts.size()))
            return *periodic;
    }
    set.form = IndexSet::Form::Irregular;
    return set;
}

std::optional<qint64> tileBefore(const IndexSet &set) {
    for (qint64 tile = qint64{1} << 12; tile >= leastTile; tile /= 2) {
        if (set.first % tile == 0 && set.size % tile != 0 && set.size - set.first < tile)
            return tile;
    }
    return std::nullopt;
}

IndexSet placeSetOf(const OutputFailure &output) {
    IndexSet all;
    all.size = output.elements;
    all.last = output.elements - 1;
    if (output.residues.empty() || output.elements < 4 * static_cast<qint64>(output.residues.size()))
        return all;
    return periodicOf(output.residues, output.elements).value_or(all);
}

QString setText(const OutputFailure &output, std::size_t axis, const IndexSet &set) {
    const bool isOfPlaces = axis >= output.axes.size();
    const auto word = [&](qint64 count) {
        if (isOfPlaces)
            return count == 1 ? QStringLiteral("element") : QStringLiteral("elements");
        return output.axisWord(axis, count);
    };
    const qint64 length = set.last - set.first + 1;
    if (set.form == IndexSet::Form::Periodic) {
        QStringList some;
        for (qint64 at = set.first; at < set.size && some.size() < 3; at += set.period) {
            some << (length == 1 ? counted(at)
                                 : QStringLiteral("%1–%2").arg(counted(at),
                                                               counted(std::min(at + length, set.size) - 1)));
        }
        if (set.first + 3 * set.period < set.size)
            some << QStringLiteral("…");
        const QString list = some.join(QStringLiteral(", "));
        if (length == 1)
            return QStringLiteral("Every %1 %2 (%3)").arg(ordinal(set.period), word(1), list);
        const QString which = set.last + 1 == set.period ? QStringLiteral("last ")
                              : set.first == 0           ? QStringLiteral("first ")
                                                         : QString();
        // Over the end of one and the beginning of the next.
        return (set.last >= set.period ? QStringLiteral("The %1%2 %3 at the border of each %4 (%5)")
                                       : QStringLiteral("The %1%2 %3 of each %4 (%5)"))
            .arg(which, counted(length), word(length), counted(set.period), list);
    }
    if (set.form != IndexSet::Form::Run)
        return QStringLiteral("All %1").arg(word(2));
    const QString place = capital(output.placeText(axis, set.first, set.last));
    // "Batch 5 of 6" may be the fifth or the last one.
    if (set.isSingle())
        return set.first == 0 ? QStringLiteral("%1, the first of %2").arg(place, counted(set.size))
               : set.first + 1 == set.size
                   ? QStringLiteral("%1, the last of %2").arg(place, counted(set.size))
                   : QStringLiteral("%1 (of 0 to %2)").arg(place, counted(set.size - 1));
    const QString which = set.isTail()   ? QStringLiteral(", the last %1 of %2")
                          : set.isHead() ? QStringLiteral(", the first %1 of %2")
                                         : QStringLiteral(", %1 of %2");
    return place + which.arg(counted(length), counted(set.size));
}

} // namespace warpwright
