// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/failure_map/failure_map.h"

namespace warpwright {

/// The indices of one axis in which nearly all that is wrong lies, where they have a form.
struct IndexSet {
    enum class Form {
        All,       ///< nearly every index
        Run,       ///< neighbours, from `first` to `last`
        Periodic,  ///< of each `period` those from `first` to `last`
        Irregular, ///< others
    };
    Form form = Form::All;
    qint64 size = 1; ///< of the axis
    qint64 first = 0, last = 0;
    qint64 period = 0;

    [[nodiscard]] bool isAll() const { return form == Form::All; }
    /// How many indices it has; of an irregular one not known: `size`.
    [[nodiscard]] qint64 count() const;
    [[nodiscard]] bool isTail() const { return form == Form::Run && last == size - 1 && first > 0; }
    [[nodiscard]] bool isHead() const { return form == Form::Run && first == 0 && last < size - 1; }
    [[nodiscard]] bool isSingle() const { return form == Form::Run && first == last && size > 1; }
};

/// Of what is wrong, or with `ofNan` of what is NaN there.
[[nodiscard]] IndexSet indexSetOf(const FailureAxis &axis, bool ofNan);

/// The largest power of two that a tail begins at a multiple of, and that does not divide the axis.
[[nodiscard]] std::optional<qint64> tileBefore(const IndexSet &set);

/// Of all places in a row, by their residues: periodic, or all.
[[nodiscard]] IndexSet placeSetOf(const OutputFailure &output);

/// "Rows 960 to 999, the last 40 of 1,000", "Every 32nd column (31, 63, 95, …)"
[[nodiscard]] QString setText(const OutputFailure &output, std::size_t axis, const IndexSet &set);

} // namespace warpwright
