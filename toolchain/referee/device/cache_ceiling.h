// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "referee/device/device_facts.h"

namespace warpwright {

/// Bytes a second that a kernel of the judge's own reads from the GPU's last-level cache: a quarter of its
/// size again and again, past the caches of the SMs, by all threads that fit at once; best of
/// four runs of 16 GiB. LibTorch has no operation for it: each of its own would be a launch of a few
/// microseconds.
///
/// 0 on a CPU, where the driver refuses the kernel, and where no memory is free: there is no such ceiling
/// then.
double cacheBytesPerSecond(const DeviceFacts &device);

} // namespace warpwright
