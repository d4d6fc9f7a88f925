// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/run_index.h"
#include "toolchain/iteration.h"
#include "toolchain/json.h"

namespace warpwright {

/// An iteration as the documents of `log` and `show` hold it; `evaluation` is null where none was made.
[[nodiscard]] OrderedJson iterationToJson(const IterationRecord &record);
[[nodiscard]] OrderedJson runToJson(const IndexedRun &run);

/// «1.93× 1.90–1.95», or why there is no number: the cell of a table.
/// Of one that was not exercised: «repeat of 4».
[[nodiscard]] QString speedUpText(const std::optional<EvaluationSummary> &summary);
/// «3»; «3, kept»: of the iteration that it repeats. Empty: none.
[[nodiscard]] QString rewardText(const std::optional<EvaluationSummary> &summary);
/// «pass», «not run»; «pass, not exercised»: nothing of the change ran.
[[nodiscard]] QString verdictWord(const std::optional<EvaluationSummary> &summary);
[[nodiscard]] QString authorText(const Author &author);

} // namespace warpwright
