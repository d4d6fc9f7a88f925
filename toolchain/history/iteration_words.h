// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/history/iteration.h"

#include <QString>

#include <optional>

namespace warpwright {

/// The one speed-up by which a list tells iterations, in window, terminal and page: over eager, which all
/// checks measure; where that is not there over the baseline of the same class.
[[nodiscard]] const std::optional<SpeedUp> &listedSpeedUp(const EvaluationSummary &summary);
/// «1.93× 1.90–1.95», of another baseline than eager «1.93× 1.90–1.95 over compile», or why there is no
/// number: the cell under «over eager». Of one that was not exercised: «repeat of 4».
[[nodiscard]] QString speedUpText(const std::optional<EvaluationSummary> &summary);
/// The same where no heading names the baseline: «1.93× 1.90–1.95 over eager».
[[nodiscard]] QString speedUpWords(const std::optional<EvaluationSummary> &summary);
/// «3»; «3, kept»: of the iteration that it repeats. Empty: none.
[[nodiscard]] QString rewardText(const std::optional<EvaluationSummary> &summary);
/// «pass», «not run»; «pass, not exercised»: nothing of the change ran.
[[nodiscard]] QString verdictWord(const std::optional<EvaluationSummary> &summary);
[[nodiscard]] QString authorText(const Author &author);

} // namespace warpwright
