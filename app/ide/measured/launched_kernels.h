// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "profiler_views/occupancy/occupancy_view.h"
#include "toolchain/counters/counters.h"
#include "toolchain/evaluation/evaluation.h"
#include "toolchain/timeline/timeline.h"
#include "toolchain/tool_output/ptxas_report.h"

/// The kernels of a text as the page Occupancy asks about them: what the compiler says of each, and what is
/// known of how it is launched.
namespace warpwright {

/// `launchThreads`: by its launch bound; 0: the text does not say, and a number is assumed.
[[nodiscard]] OccupancyKernel occupancyKernel(const KernelResources &resources, int launchThreads);

/// With block and shared memory as the candidate's launches had them. Those that were launched come first,
/// the one that ran longest before the others.
[[nodiscard]] std::vector<OccupancyKernel> withLaunches(std::vector<OccupancyKernel> kernels,
                                                        const Counters &counters);
[[nodiscard]] std::vector<OccupancyKernel> withLaunches(std::vector<OccupancyKernel> kernels,
                                                        const Timeline &timeline);

/// Short names of what a call of a text launches, the longest first, by the best that is known: counters, a
/// timeline, or what the check saw.
[[nodiscard]] QStringList launchedByText(const Counters *counters, const std::optional<Timeline> &timeline,
                                         const std::optional<Evaluation> &evaluation);

} // namespace warpwright
