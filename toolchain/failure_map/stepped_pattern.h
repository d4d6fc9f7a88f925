// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/failure_map/failure_map.h"
#include "toolchain/failure_map/found_pattern.h"

namespace warpwright {

/// What steppedLinesOf() finds, in words: the steps, or where an end is wrong besides both, the larger part
/// first with both in its name, and each with how many of the wrong elements it has. `content`: a sentence of
/// what all of them hold; may be empty. Empty: there are no such lines.
[[nodiscard]] std::vector<FailurePattern> steppedPatterns(const OutputFailure &output,
                                                          const QString &content);

} // namespace warpwright
