// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/failure_map/index_set.h"

namespace warpwright {

/// Of one axis single indices at equal steps, wrong throughout, and perhaps all of its end besides: two
/// faults at once. Found where blocks of several indices were counted, too, whose steps no block shows.
struct SteppedLines {
    std::size_t axis = 0;
    IndexSet steps;               ///< one index of each period
    std::optional<IndexSet> tail; ///< a run to the last index
    qint64 inTail = 0;            ///< wrong elements
    qint64 inSteps = 0;           ///< the others: those before the tail
    qint64 stepElements = 0;      ///< of the steps before the tail, wrong or not
    qint64 tailElements = 0;
};

/// Nothing where more than a few of what is wrong lie elsewhere, where chance might give the same, where
/// another step would do as well, and where another axis has a form.
[[nodiscard]] std::optional<SteppedLines> steppedLinesOf(const OutputFailure &output);

} // namespace warpwright
