// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/findings/kernel_evidence.h"

#include <optional>

namespace warpwright {

/// The task's measured speed of light, in µs a call, where the call's time may be set against it: both are of
/// one check of a GPU that passed without doubts, the call's time was measured and is not below it, and it
/// does not rest on memory for tensors that fit into the last-level cache. Nothing: it says nothing here.
/// `mayHaveDoubts`: for who repeats that there are some.
[[nodiscard]] std::optional<double> speedOfLightOf(const FindingContext &context, bool mayHaveDoubts = false);

} // namespace warpwright
