// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/evaluation/evaluation.h"
#include "toolchain/evaluation/evaluation_summary.h"

namespace warpwright {

/// What a summary tells of a check whose document was not kept; the rest is not run, and not shown.
[[nodiscard]] Evaluation evaluationOfSummary(const EvaluationSummary &summary);

} // namespace warpwright
