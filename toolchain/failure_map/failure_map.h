// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/base/json.h"

#include <array>
#include <optional>
#include <vector>

namespace warpwright {

/// Where in the results of a wrong round the errors are: what the judge counted, and nothing of it is worked
/// out again here. Sizes are bounded, whatever the results' are.

/// One dimension of a result, or several that are taken for one.
struct FailureAxis {
    std::vector<int> dimensions;
    qint64 size = 1;
    qint64 block = 1;               ///< indices that were counted together
    std::vector<qint64> wrong, nan; ///< by block
    std::vector<qint64> residues;   ///< by index modulo their number; empty: blocks are single indices
    qint64 first = 0, last = -1;    ///< of the wrong ones
    qint64 nanFirst = 0, nanLast = -1;

    bool operator==(const FailureAxis &) const = default;
};

/// An element, and its error over what is allowed: infinite where it is no number.
struct FailureElement {
    std::vector<qint64> index;
    double expected = 0, got = 0, ratio = 0;
};

struct FailureCell {
    qint64 wrong = 0;
    qint64 nan = 0;
    qint64 place = -1;                       ///< of the worst element; -1: nothing is wrong here
    double ratio = 0, expected = 0, got = 0; ///< of that

    [[nodiscard]] bool isNan() const { return nan * 2 > wrong; }
};

/// Counts in blocks of some of the axes, the last one running fastest.
struct FailureGrid {
    std::vector<std::size_t> axes;
    std::vector<qint64> blocks; ///< indices in one
    std::vector<qint64> counts; ///< of blocks
    std::vector<FailureCell> cells;
};

/// Wrong elements that are right ones of another place, or changed alike.
struct MovedResult {
    enum class Kind { Transposed, Shifted, Before, Scaled, Offset };
    Kind kind = Kind::Before;
    int axis = -1;     ///< of those whose size is not 1; shifted, -1: of all elements in a row
    int other = -1;    ///< transposed
    int by = 0;        ///< shifted: an element holds what is expected so many places further on
    double number = 0; ///< scaled: the factor; offset: what was added
    /// Scaled, and not all by the same factor: of nine in ten; else both 0.
    double low = 0, high = 0;
    qint64 right = 0;
    qint64 of = 0; ///< that were asked

    /// In its own place, but another number.
    [[nodiscard]] bool isChanged() const { return kind == Kind::Scaled || kind == Kind::Offset; }
    [[nodiscard]] bool isRange() const { return low < high; }
    [[nodiscard]] double share() const {
        return of > 0 ? static_cast<double>(right) / static_cast<double>(of) : 0;
    }
};

struct OutputFailure {
    QString name;  ///< "output[1]"
    QString dtype; ///< "float32"
    std::vector<qint64> sizes;
    qint64 elements = 0, wrong = 0, nan = 0;
    qint64 zero = 0;      ///< wrong, and 0
    qint64 untouched = 0; ///< wrong, and as its memory was before the call
    qint64 zeros = 0, zerosExpected = 0;
    QString bound;                  ///< "largest", "rms", "part", "whole": which one is broken
    std::optional<double> allowed;  ///< none for whole numbers: their ratio is the difference
    std::array<qint64, 4> levels{}; ///< wrong ones by ratio: to 10, 10³, 10⁵, above; NaN in none
    std::vector<FailureAxis> axes;
    std::vector<qint64> residues; ///< wrong ones by place modulo their number
    std::vector<FailureGrid> grids;
    std::vector<FailureElement> worst; ///< what is no number first
    std::vector<MovedResult> moved;

    [[nodiscard]] bool isWhole() const { return bound == QLatin1String("whole"); }
    [[nodiscard]] std::vector<qint64> indexOf(qint64 place) const;
    /// "row", "column", "batch", "element", "index of dimension 1"; `count` other than 1: of several.
    [[nodiscard]] QString axisWord(std::size_t axis, qint64 count = 1) const;
    /// "row 3", "rows 3 to 5", "index 3 of dimension 1".
    [[nodiscard]] QString placeText(std::size_t axis, qint64 first, qint64 last) const;
};

struct FailureMap {
    int round = 0;
    QString reason; ///< why something is not there; empty: all is
    std::vector<OutputFailure> outputs;
};

/// One result's counts, as the judge wrote them; nothing: they do not fit together.
[[nodiscard]] std::optional<OutputFailure> outputFailureOf(const OrderedJson &json);

/// Of the rounds of an evaluation's `verify` that have one. What does not fit together is left out: documents
/// come from anywhere.
[[nodiscard]] std::vector<FailureMap> failureMaps(const OrderedJson &verify);

/// Blocks of two axes, or of one: what a picture shows.
struct FailurePicture {
    std::size_t rowAxis = 0, columnAxis = 0; ///< the same: one row of one axis
    qint64 rowBlock = 1, columnBlock = 1;
    int rows = 0, columns = 0;
    std::vector<FailureCell> cells;

    [[nodiscard]] const FailureCell &at(int row, int column) const {
        return cells[static_cast<std::size_t>(row) * static_cast<std::size_t>(columns) +
                     static_cast<std::size_t>(column)];
    }
};

/// Of any two axes of it, or of its only one. Empty where no grid has both.
[[nodiscard]] FailurePicture pictureOf(const OutputFailure &output, std::size_t rowAxis,
                                       std::size_t columnAxis);

/// "[3, 17]"
[[nodiscard]] QString indexText(const std::vector<qint64> &index);

} // namespace warpwright
