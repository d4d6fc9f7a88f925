// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/failure_map/failure_pattern.h"

#include "toolchain/base/figures.h"
#include "toolchain/failure_map/index_set.h"
#include "toolchain/failure_map/stepped_pattern.h"
#include "toolchain/failure_map/tile_borders.h"

#include <algorithm>
#include <cmath>

namespace warpwright {
namespace {

using Kind = FailurePattern::Kind;

constexpr double nearlyAll = 0.95;
constexpr double leastDensity = 0.5; ///< of a block that is called wrong
constexpr qint64 leastElements = 64; ///< of a result: in fewer, chance looks like anything
constexpr qint64 leastWrong = 8;
constexpr qint64 leastPeriodic = 4;
constexpr double leastSurprise = -14; ///< natural logarithm of a probability

double shareOf(qint64 some, qint64 all) {
    return all > 0 ? static_cast<double>(some) / static_cast<double>(all) : 0;
}

// A share that is not whole is never written as if it were.
QString shareText(qint64 some, qint64 all) {
    const double share = shareOf(some, all);
    return some == all ? percentText(1, 0) : percentText(std::min(share, 0.999), 1);
}

QString count(qint64 number) {
    return numberText(static_cast<double>(number));
}

/// What is wrong (or NaN), as the product of sets of indices.
struct Place {
    std::vector<IndexSet> sets; ///< by axis
    qint64 counted = 0;         ///< that is wrong
    double elements = 1;        ///< of the product

    [[nodiscard]] bool isPeriodic() const {
        return std::any_of(sets.begin(), sets.end(),
                           [](const IndexSet &set) { return set.form == IndexSet::Form::Periodic; });
    }
};

std::optional<Place> placeOf(const OutputFailure &output, bool ofNan) {
    Place place;
    place.counted = ofNan ? output.nan : output.wrong;
    if (output.elements < leastElements)
        return std::nullopt;
    bool hasForm = false;
    for (const FailureAxis &axis : output.axes) {
        place.sets.push_back(indexSetOf(axis, ofNan));
        const IndexSet &set = place.sets.back();
        if (set.form == IndexSet::Form::Irregular)
            return std::nullopt;
        hasForm = hasForm || !set.isAll();
        place.elements *= static_cast<double>(set.count());
    }
    if (!hasForm || static_cast<double>(place.counted) < leastDensity * place.elements ||
        place.counted < (place.isPeriodic() ? leastPeriodic : leastWrong))
        return std::nullopt;
    // That nothing is wrong elsewhere has to be more than chance.
    const double rate = static_cast<double>(place.counted) / static_cast<double>(output.elements);
    const double elsewhere = static_cast<double>(output.elements) - place.elements;
    if (!place.isPeriodic() && elsewhere * std::log1p(-std::min(rate, 1 - 1e-9)) > leastSurprise)
        return std::nullopt;
    return place;
}

std::vector<FailurePattern::Break> breaksOf(const Place &place) {
    std::vector<FailurePattern::Break> breaks;
    for (std::size_t axis = 0; axis < place.sets.size(); ++axis) {
        if (place.sets[axis].form == IndexSet::Form::Run)
            breaks.push_back({axis, place.sets[axis].first, place.sets[axis].last});
    }
    return breaks;
}

/// "Rows 64 to 127, 64 of 256, in columns 128 to 255, 128 of 256"
QString wordsOf(const OutputFailure &output, const Place &place, const QString &between) {
    QStringList words;
    for (std::size_t axis = 0; axis < place.sets.size(); ++axis) {
        if (place.sets[axis].isAll())
            continue;
        QString text = setText(output, axis, place.sets[axis]);
        if (!words.isEmpty())
            text[0] = text[0].toLower();
        words << text;
    }
    return words.join(between);
}

bool wasNeverWritten(const OutputFailure &output, qint64 of) {
    return shareOf(output.untouched, of) >= nearlyAll;
}

/// What the wrong elements hold, where all of them hold the same.
QString contentOf(const OutputFailure &output) {
    if (wasNeverWritten(output, output.wrong))
        return QStringLiteral(" They hold what the memory was filled with before the call: they were never "
                              "written.");
    if (shareOf(output.nan, output.wrong) >= nearlyAll)
        return QStringLiteral(" They are NaN.");
    if (shareOf(output.zero, output.wrong) >= nearlyAll)
        return QStringLiteral(" They are zero.");
    return {};
}

/// "rows 16 and columns 32": the tile that the borders are of.
QString tileText(const OutputFailure &output, const Place &place) {
    QStringList sizes;
    for (std::size_t axis = 0; axis < place.sets.size(); ++axis) {
        if (place.sets[axis].form == IndexSet::Form::Periodic)
            sizes << QStringLiteral("%1 %2").arg(count(place.sets[axis].period), output.axisWord(axis, 2));
    }
    return sizes.join(QStringLiteral(" by "));
}

FailurePattern bordersPattern(const OutputFailure &output, const Place &place) {
    FailurePattern pattern;
    pattern.kind = Kind::TileBorders;
    pattern.name = QStringLiteral("the borders of tiles of ") + tileText(output, place);
    pattern.breaks = breaksOf(place);
    const auto inside = static_cast<qint64>(std::llround(place.elements));
    pattern.sentence =
        QStringLiteral("%1: nearly all wrong elements lie there, and %2 of the elements there are wrong.%3")
            .arg(wordsOf(output, place, QStringLiteral(" and ")),
                 shareText(std::min(place.counted, inside), inside), contentOf(output));
    return pattern;
}

FailurePattern placePattern(const OutputFailure &output, const Place &place, bool areEdges) {
    FailurePattern pattern;
    pattern.breaks = breaksOf(place);
    std::size_t axis = 0; // the one that the name is of
    const auto rank = [&](std::size_t at) {
        const IndexSet &set = place.sets[at];
        return set.isAll()                            ? 0
               : set.form == IndexSet::Form::Periodic ? 5
               : set.isSingle() && at == 0            ? 4
               : set.isTail()                         ? 3
               : set.isHead()                         ? 2
                                                      : 1;
    };
    for (std::size_t other = 1; other < place.sets.size(); ++other) {
        if (rank(other) > rank(axis))
            axis = other;
    }
    const IndexSet &set = place.sets[axis];
    const QString words = wordsOf(output, place, areEdges ? QStringLiteral(" and ") : QStringLiteral(" in "));
    const auto forms =
        std::count_if(place.sets.begin(), place.sets.end(), [](const IndexSet &one) { return !one.isAll(); });
    QString why;
    if (set.form == IndexSet::Form::Periodic && set.first == set.last) {
        pattern.kind = Kind::EveryNth;
        pattern.name = setText(output, axis, set).section(QStringLiteral(" ("), 0, 0).toLower();
    } else if (set.form == IndexSet::Form::Periodic) {
        pattern.kind = set.last + 1 == set.period ? Kind::LastOfTile : Kind::EveryNth;
        pattern.name = QStringLiteral("%1%2 of each %3")
                           .arg(pattern.kind == Kind::LastOfTile ? QStringLiteral("last ")
                                : set.first == 0                 ? QStringLiteral("first ")
                                                                 : QString(),
                                output.axisWord(axis, 2), count(set.period));
    } else if (set.isSingle() && axis == 0 && output.axes.size() > 2 && forms == 1) {
        pattern.kind = Kind::OneBatch;
        pattern.name = QStringLiteral("one batch");
    } else if (set.isTail() && (forms == 1 || areEdges)) {
        pattern.kind = Kind::LastOfTile;
        const std::optional<qint64> tile = tileBefore(set);
        pattern.name = tile ? QStringLiteral("last %1 of a tile").arg(output.axisWord(axis, 2))
                            : QStringLiteral("last %1").arg(output.axisWord(axis, set.count()));
        if (tile)
            why =
                QStringLiteral(" %1 is a multiple of %2 and %3 is not: they lie behind the last whole tile.")
                    .arg(count(set.first), count(*tile), count(set.size));
    } else if (forms == 1 && set.isSingle()) {
        pattern.kind = axis == 0 && output.axes.size() > 1 ? Kind::OneBatch : Kind::Block;
        pattern.name = QStringLiteral("one %1").arg(output.axisWord(axis));
    } else {
        pattern.kind = Kind::Block;
        pattern.name = forms == 1 ? QStringLiteral("a block of %1").arg(output.axisWord(axis, 2))
                                  : QStringLiteral("one block");
    }
    if (wasNeverWritten(output, output.wrong))
        pattern.name += QStringLiteral(", never written");
    const auto inside = static_cast<qint64>(std::llround(place.elements));
    pattern.sentence =
        QStringLiteral("%1: nearly all wrong elements lie there, and %2 of the elements there are wrong.%3%4")
            .arg(words, shareText(std::min(place.counted, inside), inside), why, contentOf(output));
    return pattern;
}

std::optional<FailurePattern> nanPattern(const OutputFailure &output) {
    if (output.nan < leastWrong)
        return std::nullopt;
    FailurePattern pattern;
    pattern.kind = Kind::NanBlock;
    const bool isNeverWritten = wasNeverWritten(output, output.nan);
    const QString why =
        isNeverWritten ? QStringLiteral(" They hold what the memory was filled with before the call: they "
                                        "were never written.")
                       : QString();
    if (output.nan == output.elements) {
        pattern.name = isNeverWritten ? QStringLiteral("all NaN, never written") : QStringLiteral("all NaN");
        pattern.sentence = QStringLiteral("All %1 elements are NaN.").arg(count(output.elements)) + why;
        return pattern;
    }
    const std::optional<Place> place = placeOf(output, true);
    if (!place || place->isPeriodic())
        return std::nullopt;
    pattern.name = isNeverWritten ? QStringLiteral("NaN block, never written") : QStringLiteral("NaN block");
    pattern.breaks = breaksOf(*place);
    pattern.sentence =
        QStringLiteral("%1 are NaN.").arg(wordsOf(output, *place, QStringLiteral(" in "))) + why;
    if (const qint64 others = output.wrong - output.nan; others > 0)
        pattern.sentence +=
            QStringLiteral(" %1 others have errors above what is allowed.").arg(count(others));
    return pattern;
}

std::optional<FailurePattern> zeroPattern(const OutputFailure &output) {
    const bool isAll = output.zeros == output.elements;
    if (!isAll || output.wrong < leastWrong)
        return std::nullopt;
    FailurePattern pattern;
    pattern.kind = Kind::AllZero;
    pattern.name = QStringLiteral("all zero");
    pattern.sentence = QStringLiteral("All %1 elements are zero, and %2 of them should not be.")
                           .arg(count(output.elements), count(output.wrong));
    if (shareOf(output.untouched, output.wrong) >= nearlyAll)
        pattern.sentence += QStringLiteral(" So was the memory before the call: nothing was written there.");
    return pattern;
}

QString axisName(const OutputFailure &output, int axis) {
    // The judge counts dimensions that are not 1; more than six are fewer axes here.
    const int merged = static_cast<int>(std::count_if(output.sizes.begin(), output.sizes.end(),
                                                      [](qint64 size) { return size != 1; })) -
                       static_cast<int>(output.axes.size());
    const int at = axis - std::max(merged, 0);
    return at >= 0 && static_cast<std::size_t>(at) < output.axes.size()
               ? output.axisWord(static_cast<std::size_t>(at))
               : QStringLiteral("index of dimension %1").arg(axis);
}

std::optional<FailurePattern> movedPattern(const OutputFailure &output) {
    const MovedResult *best = nullptr;
    for (const MovedResult &moved : output.moved) {
        if (!moved.isChanged() && (best == nullptr || moved.share() > best->share()))
            best = &moved;
    }
    if (best == nullptr || best->share() < nearlyAll)
        return std::nullopt;
    FailurePattern pattern;
    const QString share = shareText(best->right, best->of);
    switch (best->kind) {
    case MovedResult::Kind::Before:
        pattern.kind = Kind::Stale;
        pattern.name = QStringLiteral("stale from the call before");
        pattern.sentence = QStringLiteral("%1 of the wrong elements are, to the last bit, what the call "
                                          "before gave for other inputs: nothing new was written there.")
                               .arg(share);
        break;
    case MovedResult::Kind::Transposed:
        pattern.kind = Kind::Transposed;
        pattern.name = QStringLiteral("transposed");
        pattern.sentence =
            QStringLiteral("%1 of the wrong elements are right once %2 and %3 are exchanged: the result is "
                           "written in the other order.")
                .arg(share, axisName(output, best->axis), axisName(output, best->other));
        break;
    case MovedResult::Kind::Shifted:
        pattern.kind = Kind::OffByOne;
        pattern.name = QStringLiteral("off by one");
        pattern.sentence =
            QStringLiteral("%1 of the wrong elements hold what belongs one %2 %3 them.")
                .arg(share, best->axis < 0 ? QStringLiteral("element") : axisName(output, best->axis),
                     best->by < 0 ? QStringLiteral("before") : QStringLiteral("after"));
        break;
    case MovedResult::Kind::Scaled:
    case MovedResult::Kind::Offset:
        break;
    }
    return pattern;
}

/// One factor, or one addend, on all that is wrong.
std::optional<FailurePattern> changedPattern(const OutputFailure &output) {
    const MovedResult *best = nullptr;
    for (const MovedResult &moved : output.moved) {
        if (moved.isChanged() && (best == nullptr || moved.share() > best->share()))
            best = &moved;
    }
    if (best == nullptr || best->share() < nearlyAll)
        return std::nullopt;
    FailurePattern pattern;
    const QString share = shareText(best->right, best->of);
    const QString number = QString::number(best->number, 'g', 6);
    if (best->kind == MovedResult::Kind::Offset) {
        pattern.kind = Kind::Offset;
        pattern.name = QStringLiteral("off by the same amount");
        pattern.sentence =
            QStringLiteral("To %1 of the wrong elements the same %2 is added: a term or a bias.")
                .arg(share, number);
    } else if (best->isRange()) {
        pattern.kind = Kind::Scaled;
        pattern.name =
            QStringLiteral("about %1 times what it should be").arg(QString::number(best->number, 'g', 3));
        pattern.sentence =
            QStringLiteral(
                "%1 of the wrong elements are about %2 times what they should be (nine in ten: %3 "
                "to %4), not all by the same factor: a part of each sum is missing, or counts twice.")
                .arg(share, QString::number(best->number, 'g', 3), QString::number(best->low, 'g', 4),
                     QString::number(best->high, 'g', 4));
    } else if (std::abs(best->number + 1) < 1e-3) {
        pattern.kind = Kind::Scaled;
        pattern.name = QStringLiteral("the other sign");
        pattern.sentence = QStringLiteral("%1 of the wrong elements have the other sign.").arg(share);
    } else {
        pattern.kind = Kind::Scaled;
        pattern.name = QStringLiteral("%1 times what it should be").arg(number);
        pattern.sentence = QStringLiteral("%1 of the wrong elements are %2 times what they should be: a "
                                          "factor, or the same part of each sum.")
                               .arg(share, number);
    }
    return pattern;
}

/// One that is wrong alone: a place, but no form.
std::optional<FailurePattern> singlePattern(const OutputFailure &output) {
    if (output.wrong != 1 || output.elements < leastElements || output.worst.empty())
        return std::nullopt;
    FailurePattern pattern;
    pattern.kind = Kind::Single;
    pattern.name = QStringLiteral("one element");
    pattern.sentence = QStringLiteral("Element %1 alone is wrong, of %2.")
                           .arg(indexText(output.worst.front().index), count(output.elements));
    return pattern;
}

} // namespace

QString patternId(FailurePattern::Kind kind) {
    switch (kind) {
    case Kind::Stale:
        return QStringLiteral("stale");
    case Kind::Transposed:
        return QStringLiteral("transposed");
    case Kind::OffByOne:
        return QStringLiteral("off-by-one");
    case Kind::AllZero:
        return QStringLiteral("all-zero");
    case Kind::NanBlock:
        return QStringLiteral("nan-block");
    case Kind::LastOfTile:
        return QStringLiteral("last-of-tile");
    case Kind::EveryNth:
        return QStringLiteral("every-nth");
    case Kind::OneBatch:
        return QStringLiteral("one-batch");
    case Kind::TileBorders:
        return QStringLiteral("tile-borders");
    case Kind::Scaled:
        return QStringLiteral("scaled");
    case Kind::Offset:
        return QStringLiteral("offset");
    case Kind::Single:
        return QStringLiteral("one-element");
    case Kind::Block:
        break;
    }
    return QStringLiteral("block");
}

std::vector<FailurePattern> patternsOf(const OutputFailure &output) {
    std::vector<FailurePattern> patterns;
    const auto add = [&patterns](std::optional<FailurePattern> pattern) {
        if (pattern)
            patterns.push_back(std::move(*pattern));
    };
    add(movedPattern(output));
    add(zeroPattern(output));
    const std::optional<FailurePattern> nan = nanPattern(output);
    add(nan);
    // Where all that is wrong is NaN, its place is said.
    if (!nan || output.nan < output.wrong) {
        if (const std::optional<Place> place = placeOf(output, false)) {
            add(placePattern(output, *place, false));
        } else if (const std::optional<CrossedLines> lines = crossedLinesOf(output);
                   lines && output.elements >= leastElements && output.wrong >= leastWrong) {
            const Place crossed{lines->sets, output.wrong, lines->elements};
            add(crossed.isPeriodic() ? bordersPattern(output, crossed) : placePattern(output, crossed, true));
        } else if (const IndexSet places = placeSetOf(output);
                   !places.isAll() && output.wrong >= leastWrong) {
            const qint64 inside = places.count();
            if (shareOf(output.wrong, inside) >= leastDensity) {
                FailurePattern pattern;
                pattern.kind = Kind::EveryNth;
                const QString words = setText(output, output.axes.size(), places);
                pattern.name = words.section(QStringLiteral(" ("), 0, 0).toLower();
                pattern.sentence =
                    QStringLiteral("%1, counted through all dimensions: nearly all wrong elements lie there, "
                                   "and %2 of the elements there are wrong.%3")
                        .arg(words, shareText(std::min(output.wrong, inside), inside), contentOf(output));
                add(pattern);
            }
        } else {
            for (FailurePattern &pattern : steppedPatterns(output, contentOf(output)))
                add(std::move(pattern));
        }
    }
    add(changedPattern(output));
    add(singlePattern(output));
    return patterns;
}

OrderedJson withPatterns(OrderedJson verify) {
    if (!verify.is_object() || !verify.contains("rounds") || !verify["rounds"].is_array())
        return verify;
    for (OrderedJson &round : verify["rounds"]) {
        if (!round.is_object() || !round.contains("failureMap") || !round["failureMap"].is_object() ||
            !round["failureMap"].contains("outputs") || !round["failureMap"]["outputs"].is_array())
            continue;
        for (OrderedJson &output : round["failureMap"]["outputs"]) {
            const std::optional<OutputFailure> failure = outputFailureOf(output);
            if (!failure)
                continue;
            output["patterns"] = OrderedJson::array();
            for (const FailurePattern &pattern : patternsOf(*failure))
                output["patterns"].push_back({{"id", patternId(pattern.kind).toStdString()},
                                              {"name", pattern.name.toStdString()},
                                              {"sentence", pattern.sentence.toStdString()}});
        }
    }
    return verify;
}

QStringList patternLines(const OrderedJson &verify) {
    QStringList lines;
    for (const FailureMap &map : failureMaps(verify)) {
        for (const OutputFailure &output : map.outputs) {
            const std::vector<FailurePattern> patterns = patternsOf(output);
            QString line = QStringLiteral("%1: %2 of %3 elements are wrong")
                               .arg(output.name, count(output.wrong), count(output.elements));
            line += patterns.empty() ? QStringLiteral("; no pattern")
                                     : QStringLiteral("; pattern: ") + patterns.front().name;
            for (const FailurePattern &pattern : patterns)
                line +=
                    QStringLiteral(". ") + pattern.sentence.chopped(pattern.sentence.endsWith(u'.') ? 1 : 0);
            lines << line + QLatin1Char('.');
        }
    }
    return lines;
}

std::pair<std::size_t, std::size_t> shownAxes(const OutputFailure &output) {
    const std::size_t axes = output.axes.size();
    if (axes < 2)
        return {0, 0};
    std::vector<std::size_t> shown;
    for (std::size_t axis = 0; axis < axes && shown.size() < 2; ++axis) {
        const IndexSet set = indexSetOf(output.axes[axis], output.nan * 2 > output.wrong);
        if (!set.isAll() && set.form != IndexSet::Form::Irregular)
            shown.push_back(axis);
    }
    for (std::size_t axis = axes; axis-- > 0 && shown.size() < 2;) {
        if (std::find(shown.begin(), shown.end(), axis) == shown.end())
            shown.push_back(axis);
    }
    return std::minmax(shown[0], shown[1]);
}

} // namespace warpwright
