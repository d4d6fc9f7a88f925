// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/compile/device_choice.h"
#include "toolchain/evaluation/evaluation.h"

namespace warpwright {

/// What is known of the device that is measured on, a line each: of a GPU what its architecture has and what
/// a check has measured of it, of a CPU what the kernel tells. `last`: a check on it; may be null. Reads
/// /proc and /sys.
[[nodiscard]] QString deviceWords(const DeviceChoice &device, const Evaluation *last);

} // namespace warpwright
