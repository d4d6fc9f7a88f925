// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/evaluation_summary.h"

namespace warpwright {

/// The number that isFaster() goes by, as it is written beside the word «best»: "6.08× over eager", or the
/// time where eager was not measured. Empty as paceOf().
[[nodiscard]] QString paceText(const EvaluationSummary &summary);
/// What «best» goes by.
[[nodiscard]] QString whatBestMeans();

} // namespace warpwright
