// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/counters/counted_launch.h"
#include "toolchain/counters/counter_row.h"

#include <vector>

namespace warpwright {

/// All sections of a launch, with the baseline's values where there is one.
[[nodiscard]] std::vector<CounterRow> counterRows(const CountedLaunch &launch, const CountedLaunch &baseline);

} // namespace warpwright
