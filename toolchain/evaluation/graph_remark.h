// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/evaluation/measured_figures.h"

namespace warpwright {

/// What a speed-up call by call owes to the launches of the host: said beside the headline, so that nobody
/// takes what a CUDA graph would save the baseline (or the candidate) for the work of a kernel.
struct GraphRemark {
    QString arm;      ///< the baseline whose speed-up is another one: "compile"
    QString factor;   ///< "1.49×": as one CUDA graph
    QString sentence; ///< the factor, its interval, and whose launches make the difference

    bool operator==(const GraphRemark &) const = default;
};

/// Of the first of same class, compile and eager whose speed-up as one CUDA graph is another one by more than
/// a quarter, with intervals that do not meet. Empty without figures of graphs, and where the headline is
/// theirs already.
[[nodiscard]] std::optional<GraphRemark> graphRemark(const MeasuredFigures &figures);

} // namespace warpwright
