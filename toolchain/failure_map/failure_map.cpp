// SPDX-License-Identifier: GPL-3.0-or-later
#include "toolchain/failure_map/failure_map.h"

#include "toolchain/base/figures.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace warpwright {
namespace {

constexpr std::size_t mostAxes = 6;
constexpr std::size_t mostAlong = 4096;
constexpr std::size_t mostCells = 4096;
constexpr std::size_t mostResidues = 1024;
constexpr qint64 mostElements = qint64{1} << 40;

const OrderedJson &memberOf(const OrderedJson &object, const char *key) {
    static const OrderedJson nothing;
    if (!object.is_object())
        return nothing;
    const auto found = object.find(key);
    return found == object.end() ? nothing : *found;
}

qint64 wholeIn(const OrderedJson &object, const char *key, qint64 otherwise = 0) {
    const OrderedJson &value = memberOf(object, key);
    return value.is_number_integer() ? value.get<qint64>() : otherwise;
}

// NaN and infinities are words in JSON.
double numberIn(const OrderedJson &object, const char *key) {
    const OrderedJson &value = memberOf(object, key);
    if (value.is_number())
        return value.get<double>();
    const QString word = stringIn(object, key);
    const double infinity = std::numeric_limits<double>::infinity();
    return word == QLatin1String("Infinity")    ? infinity
           : word == QLatin1String("-Infinity") ? -infinity
                                                : std::numeric_limits<double>::quiet_NaN();
}

std::vector<qint64> wholeNumbers(const OrderedJson &list) {
    std::vector<qint64> numbers;
    if (!list.is_array())
        return numbers;
    for (const OrderedJson &entry : list) {
        if (entry.is_number_integer())
            numbers.push_back(entry.get<qint64>());
    }
    return numbers;
}

/// Numbers that stand several in a text; no more than `most`.
std::vector<double> numbersIn(const OrderedJson &texts, std::size_t most) {
    std::vector<double> numbers;
    for (const QString &text : stringsIn(texts)) {
        for (const QString &word : text.split(QLatin1Char(' '), Qt::SkipEmptyParts)) {
            if (numbers.size() == most)
                return numbers;
            numbers.push_back(word.toDouble());
        }
    }
    return numbers;
}

std::vector<qint64> wholesIn(const OrderedJson &texts, std::size_t most) {
    std::vector<qint64> wholes;
    for (const double number : numbersIn(texts, most))
        wholes.push_back(
            number >= 0 && number < static_cast<double>(mostElements) ? static_cast<qint64>(number) : 0);
    return wholes;
}

std::optional<FailureAxis> readAxis(const OrderedJson &json) {
    FailureAxis axis;
    for (const qint64 dimension : wholeNumbers(memberOf(json, "dimensions")))
        axis.dimensions.push_back(static_cast<int>(dimension));
    axis.size = wholeIn(json, "size");
    axis.block = wholeIn(json, "block");
    axis.wrong = wholesIn(memberOf(json, "wrong"), mostAlong);
    axis.nan = wholesIn(memberOf(json, "nan"), mostAlong);
    axis.residues = wholesIn(memberOf(json, "residues"), mostResidues);
    if (axis.size < 1 || axis.size > mostElements || axis.block < 1 ||
        static_cast<qint64>(axis.wrong.size()) != (axis.size + axis.block - 1) / axis.block)
        return std::nullopt;
    axis.nan.resize(axis.wrong.size());
    const auto readRange = [&](const char *key, qint64 &first, qint64 &last) {
        const std::vector<qint64> range = wholeNumbers(memberOf(json, key));
        if (range.size() == 2 && range[0] >= 0 && range[0] <= range[1] && range[1] < axis.size) {
            first = range[0];
            last = range[1];
        }
    };
    readRange("range", axis.first, axis.last);
    readRange("nanRange", axis.nanFirst, axis.nanLast);
    return axis;
}

std::optional<FailureGrid> readGrid(const OrderedJson &json, const OutputFailure &output) {
    FailureGrid grid;
    for (const qint64 axis : wholeNumbers(memberOf(json, "axes"))) {
        if (axis < 0 || static_cast<std::size_t>(axis) >= output.axes.size())
            return std::nullopt;
        grid.axes.push_back(static_cast<std::size_t>(axis));
    }
    grid.blocks = wholeNumbers(memberOf(json, "blocks"));
    grid.counts = wholeNumbers(memberOf(json, "counts"));
    if (grid.axes.empty() || grid.axes.size() != grid.blocks.size() || grid.axes.size() != grid.counts.size())
        return std::nullopt;
    std::size_t cells = 1;
    for (std::size_t i = 0; i < grid.axes.size(); ++i) {
        const qint64 size = output.axes[grid.axes[i]].size;
        if (grid.blocks[i] < 1 || grid.counts[i] != (size + grid.blocks[i] - 1) / grid.blocks[i] ||
            static_cast<std::size_t>(grid.counts[i]) > mostCells / cells)
            return std::nullopt;
        cells *= static_cast<std::size_t>(grid.counts[i]);
    }
    grid.cells.resize(cells);
    const std::vector<qint64> at = wholesIn(memberOf(json, "cells"), mostCells);
    const std::vector<qint64> wrong = wholesIn(memberOf(json, "wrong"), mostCells);
    const std::vector<qint64> nan = wholesIn(memberOf(json, "nan"), mostCells);
    const std::vector<qint64> places = wholesIn(memberOf(json, "place"), mostCells);
    const std::vector<double> ratio = numbersIn(memberOf(json, "ratio"), mostCells);
    const std::vector<double> expected = numbersIn(memberOf(json, "expected"), mostCells);
    const std::vector<double> got = numbersIn(memberOf(json, "got"), mostCells);
    for (const std::size_t size :
         {wrong.size(), nan.size(), places.size(), ratio.size(), expected.size(), got.size()}) {
        if (size != at.size())
            return std::nullopt;
    }
    for (std::size_t i = 0; i < at.size(); ++i) {
        if (static_cast<std::size_t>(at[i]) >= cells || places[i] >= output.elements)
            return std::nullopt;
        grid.cells[static_cast<std::size_t>(at[i])] = {wrong[i], nan[i],      places[i],
                                                       ratio[i], expected[i], got[i]};
    }
    return grid;
}

std::optional<MovedResult> readMoved(const OrderedJson &json, int axes) {
    MovedResult moved;
    moved.right = wholeIn(json, "right");
    moved.of = wholeIn(json, "of");
    const QString kind = stringIn(json, "kind");
    if (kind == QLatin1String("before"))
        return moved;
    if (kind == QLatin1String("transposed")) {
        const std::vector<qint64> two = wholeNumbers(memberOf(json, "dimensions"));
        if (two.size() != 2)
            return std::nullopt;
        moved.kind = MovedResult::Kind::Transposed;
        moved.axis = static_cast<int>(two[0]);
        moved.other = static_cast<int>(two[1]);
        return moved.axis >= 0 && moved.other > moved.axis && moved.other < axes ? std::optional(moved)
                                                                                 : std::nullopt;
    }
    if (kind == QLatin1String("scaled") || kind == QLatin1String("offset")) {
        moved.kind = kind == QLatin1String("scaled") ? MovedResult::Kind::Scaled : MovedResult::Kind::Offset;
        moved.number = numberIn(json, "number");
        if (json.contains("low") && json.contains("high")) {
            moved.low = numberIn(json, "low");
            moved.high = numberIn(json, "high");
        }
        return std::isfinite(moved.number) && std::isfinite(moved.low) && std::isfinite(moved.high)
                   ? std::optional(moved)
                   : std::nullopt;
    }
    if (kind != QLatin1String("shifted"))
        return std::nullopt;
    moved.kind = MovedResult::Kind::Shifted;
    moved.axis = static_cast<int>(wholeIn(json, "dimension", -1));
    moved.by = static_cast<int>(wholeIn(json, "by"));
    return moved.axis >= -1 && moved.axis < axes && moved.by != 0 ? std::optional(moved) : std::nullopt;
}

} // namespace

std::optional<OutputFailure> outputFailureOf(const OrderedJson &json) {
    OutputFailure output;
    output.name = stringIn(json, "name");
    output.dtype = stringIn(json, "dtype");
    output.sizes = wholeNumbers(memberOf(json, "sizes"));
    output.elements = wholeIn(json, "elements");
    output.wrong = wholeIn(json, "wrong");
    output.nan = wholeIn(json, "nan");
    output.zero = wholeIn(json, "zero");
    output.untouched = wholeIn(json, "untouched");
    output.zeros = wholeIn(json, "zeros");
    output.zerosExpected = wholeIn(json, "zerosExpected");
    output.bound = stringIn(json, "bound");
    if (memberOf(json, "allowed").is_number())
        output.allowed = numberIn(json, "allowed");
    const std::vector<qint64> levels = wholeNumbers(memberOf(json, "levels"));
    std::copy_n(levels.begin(), std::min(levels.size(), output.levels.size()), output.levels.begin());
    double product = 1;
    int unequal = 0;
    for (const qint64 size : output.sizes) {
        product *= static_cast<double>(size);
        unequal += size != 1 ? 1 : 0;
    }
    if (product != static_cast<double>(output.elements) || output.wrong < 1 ||
        output.wrong > output.elements || output.elements > mostElements)
        return std::nullopt;
    const auto each = [&json](const char *key, const auto &read) {
        const OrderedJson &list = memberOf(json, key);
        if (list.is_array()) {
            for (const OrderedJson &entry : list)
                read(entry);
        }
    };
    each("axes", [&](const OrderedJson &entry) {
        if (std::optional<FailureAxis> axis = readAxis(entry))
            output.axes.push_back(std::move(*axis));
    });
    double ofAxes = 1;
    for (const FailureAxis &axis : output.axes)
        ofAxes *= static_cast<double>(axis.size);
    if (output.axes.empty() || output.axes.size() > mostAxes || ofAxes != product)
        return std::nullopt;
    output.residues = wholesIn(memberOf(json, "residues"), mostResidues);
    each("grids", [&](const OrderedJson &entry) {
        if (std::optional<FailureGrid> grid = readGrid(entry, output))
            output.grids.push_back(std::move(*grid));
    });
    each("worst", [&](const OrderedJson &entry) {
        output.worst.push_back({wholeNumbers(memberOf(entry, "index")), numberIn(entry, "expected"),
                                numberIn(entry, "actual"), numberIn(entry, "ratio")});
    });
    each("moved", [&](const OrderedJson &entry) {
        if (const std::optional<MovedResult> moved = readMoved(entry, unequal))
            output.moved.push_back(*moved);
    });
    return output;
}

std::vector<qint64> OutputFailure::indexOf(qint64 place) const {
    std::vector<qint64> index(sizes.size());
    for (std::size_t i = sizes.size(); i-- > 0;) {
        index[i] = place % sizes[i];
        place /= sizes[i];
    }
    return index;
}

QString OutputFailure::axisWord(std::size_t axis, qint64 count) const {
    const bool isOne = count == 1;
    if (axes.size() == 1)
        return isOne ? QStringLiteral("element") : QStringLiteral("elements");
    if (axis + 1 == axes.size())
        return isOne ? QStringLiteral("column") : QStringLiteral("columns");
    if (axis + 2 == axes.size())
        return isOne ? QStringLiteral("row") : QStringLiteral("rows");
    if (axis == 0)
        return isOne ? QStringLiteral("batch") : QStringLiteral("batches");
    return (isOne ? QStringLiteral("index of dimension %1") : QStringLiteral("indices of dimension %1"))
        .arg(axes[axis].dimensions.empty() ? static_cast<int>(axis) : axes[axis].dimensions.back());
}

QString OutputFailure::placeText(std::size_t axis, qint64 first, qint64 last) const {
    const bool isOne = first == last;
    const QString places =
        isOne ? numberText(static_cast<double>(first))
              : QStringLiteral("%1 to %2")
                    .arg(numberText(static_cast<double>(first)), numberText(static_cast<double>(last)));
    QString word = axisWord(axis, isOne ? 1 : 2);
    const qsizetype ofDimension = word.indexOf(QLatin1String(" of "));
    return ofDimension < 0 ? QStringLiteral("%1 %2").arg(word, places)
                           : word.insert(ofDimension, QLatin1Char(' ') + places);
}

std::vector<FailureMap> failureMaps(const OrderedJson &verify) {
    std::vector<FailureMap> maps;
    const OrderedJson &rounds = memberOf(verify, "rounds");
    if (!rounds.is_array())
        return maps;
    for (const OrderedJson &round : rounds) {
        const OrderedJson &json = memberOf(round, "failureMap");
        const OrderedJson &outputs = memberOf(json, "outputs");
        if (!outputs.is_array())
            continue;
        FailureMap map;
        map.round = static_cast<int>(wholeIn(round, "index"));
        map.reason = stringIn(json, "reason");
        for (const OrderedJson &entry : outputs) {
            if (std::optional<OutputFailure> output = outputFailureOf(entry))
                map.outputs.push_back(std::move(*output));
        }
        maps.push_back(std::move(map));
    }
    return maps;
}

FailurePicture pictureOf(const OutputFailure &output, std::size_t rowAxis, std::size_t columnAxis) {
    const auto placeIn = [](const FailureGrid &grid, std::size_t axis) {
        return static_cast<std::size_t>(std::find(grid.axes.begin(), grid.axes.end(), axis) -
                                        grid.axes.begin());
    };
    // The finest that has both.
    const FailureGrid *best = nullptr;
    for (const FailureGrid &grid : output.grids) {
        const bool hasBoth =
            placeIn(grid, rowAxis) < grid.axes.size() && placeIn(grid, columnAxis) < grid.axes.size();
        if (hasBoth && (best == nullptr || grid.axes.size() < best->axes.size()))
            best = &grid;
    }
    FailurePicture picture;
    if (best == nullptr)
        return picture;
    const std::size_t row = placeIn(*best, rowAxis);
    const std::size_t column = placeIn(*best, columnAxis);
    const bool isOneAxis = row == column;
    picture.rowAxis = rowAxis;
    picture.columnAxis = columnAxis;
    picture.rowBlock = best->blocks[row];
    picture.columnBlock = best->blocks[column];
    picture.rows = isOneAxis ? 1 : static_cast<int>(best->counts[row]);
    picture.columns = static_cast<int>(best->counts[column]);
    picture.cells.resize(static_cast<std::size_t>(picture.rows) * static_cast<std::size_t>(picture.columns));
    for (std::size_t i = 0; i < best->cells.size(); ++i) {
        const FailureCell &cell = best->cells[i];
        if (cell.wrong == 0)
            continue;
        std::size_t rest = i;
        std::vector<std::size_t> at(best->axes.size());
        for (std::size_t axis = at.size(); axis-- > 0;) {
            at[axis] = rest % static_cast<std::size_t>(best->counts[axis]);
            rest /= static_cast<std::size_t>(best->counts[axis]);
        }
        FailureCell &sum =
            picture.cells[(isOneAxis ? 0 : at[row]) * static_cast<std::size_t>(picture.columns) + at[column]];
        const bool isWorse = sum.place < 0 || cell.ratio > sum.ratio;
        const qint64 wrong = sum.wrong + cell.wrong;
        const qint64 nan = sum.nan + cell.nan;
        if (isWorse)
            sum = cell;
        sum.wrong = wrong;
        sum.nan = nan;
    }
    return picture;
}

QString indexText(const std::vector<qint64> &index) {
    QStringList numbers;
    for (const qint64 number : index)
        numbers << QString::number(number);
    return QLatin1Char('[') + numbers.join(QStringLiteral(", ")) + QLatin1Char(']');
}

} // namespace warpwright
