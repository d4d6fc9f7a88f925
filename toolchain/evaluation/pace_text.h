// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/evaluation/evaluation_summary.h"

namespace warpwright {

/// The number that isFaster() goes by, as it is written beside the word «best»: "6.08× over eager", or the
/// time where eager was not measured. Empty as paceOf().
[[nodiscard]] QString paceText(const EvaluationSummary &summary);
/// The same with the eager that it was measured beside, which each check measures anew: "0.60× over eager,
/// which took 34.3 µs in this check"; of an old document without.
[[nodiscard]] QString paceWithEager(const EvaluationSummary &summary);
/// What «best» goes by.
[[nodiscard]] QString whatBestMeans();

} // namespace warpwright
