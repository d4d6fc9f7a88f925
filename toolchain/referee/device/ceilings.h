// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "referee/base/channel.h"
#include "referee/device/device_facts.h"

namespace warpwright {

/// What this device did at best in this session: the denominators of the speed of light.
///
/// Each is the best of several runs of a large operation of LibTorch: a ceiling is what was seen, not a data
/// sheet.
struct Ceilings {
    double copyBytesPerSecond = 0.0;  ///< read plus written, device to device
    double readBytesPerSecond = 0.0;  ///< reductions of large tensors
    double cacheBytesPerSecond = 0.0; ///< read from a GPU's last-level cache; 0: not measured
    double fp32FlopsPerSecond = 0.0;  ///< matrix product without TF32
    double tf32FlopsPerSecond = 0.0;  ///< 0 where the device has no TF32
    double halfFlopsPerSecond = 0.0;  ///< BF16 product with FP32 accumulation; 0 on a CPU
    double fp64FlopsPerSecond = 0.0;  ///< matrix product in double; 0 on a CPU, where it would take a second
    double seconds = 0.0;             ///< spent on measuring

    double bytesPerSecond() const {
        return copyBytesPerSecond > readBytesPerSecond ? copyBytesPerSecond : readBytesPerSecond;
    }
    Json toJson() const;
};

/// Needs the device for itself for about a second.
Ceilings measureCeilings(const DeviceFacts &device);

/// Makes LibTorch's own context and library handles, so that later work is not the first.
void warmDevice(const DeviceFacts &device);

/// Overwrites more bytes than the last-level cache holds, from the judge: what an arm left there is gone.
void flushCache(const DeviceFacts &device);

/// Waits until the judge's own work on the device is done: before another process looks at what it wrote.
void idle(MemoryKind memory);

} // namespace warpwright
