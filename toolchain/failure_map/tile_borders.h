// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/failure_map/index_set.h"

namespace warpwright {

/// Whole lines of wrong elements that cross: along each of several axes some indices are wrong throughout.
/// The edges of a picture, or the borders of the tiles that it was made in.
struct CrossedLines {
    std::vector<IndexSet> sets; ///< by axis: those that are wrong throughout; all: the axis has none
    double elements = 0;        ///< in one of them at least
};

/// Nothing where fewer than two axes have such indices, where these have no form, or where they do not hold
/// nearly all that is wrong.
[[nodiscard]] std::optional<CrossedLines> crossedLinesOf(const OutputFailure &output);

} // namespace warpwright
