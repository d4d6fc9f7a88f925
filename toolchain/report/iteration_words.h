// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/iteration.h"

#include <QString>

#include <optional>

namespace warpwright {

/// «1.93× 1.90–1.95», or why there is no number: the cell of a table.
/// Of one that was not exercised: «repeat of 4».
[[nodiscard]] QString speedUpText(const std::optional<EvaluationSummary> &summary);
/// «3»; «3, kept»: of the iteration that it repeats. Empty: none.
[[nodiscard]] QString rewardText(const std::optional<EvaluationSummary> &summary);
/// «pass», «not run»; «pass, not exercised»: nothing of the change ran.
[[nodiscard]] QString verdictWord(const std::optional<EvaluationSummary> &summary);
[[nodiscard]] QString authorText(const Author &author);

} // namespace warpwright
