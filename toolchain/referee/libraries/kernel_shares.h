// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "referee/base/stage_answer.h"

namespace warpwright {

/// What the answer of the worker's `kernel_shares` comes to: {status, reason, source, calls, ownShare,
/// libraryShare, torchShare, otherShare (of the device's time, 0 to 1), kernels[{name, origin, count,
/// microseconds}]}, the longest first. Rejects where torch's own kernels compute. "not-run" with its reason
/// where nothing was measured, and where the answer is none.
Json judgeKernelShares(const Json &answer, StageAnswer &stage);

} // namespace warpwright
