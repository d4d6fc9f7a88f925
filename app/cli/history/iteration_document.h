// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/record/run_index.h"
#include "toolchain/base/json.h"
#include "toolchain/evaluation/time_ratio.h"
#include "toolchain/history/iteration.h"
#include "toolchain/history/iteration_words.h"

namespace warpwright {

/// An iteration as the documents of `log` and `show` hold it; `evaluation` is null where none was made.
[[nodiscard]] OrderedJson iterationToJson(const IterationRecord &record);
/// What `show` and `compare` hold as `measured`, of one pair the same. `why`: whyNoDifference() of both;
/// where it says something `isNoise` is true.
[[nodiscard]] OrderedJson ratioToJson(const TimeRatio &ratio, const QString &why);
[[nodiscard]] OrderedJson runToJson(const IndexedRun &run);

} // namespace warpwright
