// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

/// What the help of `wright check` says of verdicts, exit codes and rewards.
namespace warpwright {

[[nodiscard]] QString verdictTable(); ///< a line a verdict with its exit code, and what is no pass
[[nodiscard]] QString rewardText();

} // namespace warpwright
