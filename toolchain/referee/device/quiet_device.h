// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "referee/device/device_facts.h"

#include <ATen/core/Tensor.h>

namespace warpwright {

/// Overwrites the cache before a batch, and sees by that whether the device has other work.
///
/// A process that stands still can have handed over kernels before: they would run beside the batch of
/// somebody else. The judge's own fill tells: it takes as long as it took before any candidate was there, or
/// it has to share the device.
class QuietDevice {
public:
    /// Measures what the fill takes: at a time when nothing of a candidate runs.
    explicit QuietDevice(const DeviceFacts &device);

    /// Fills until that is as quick as it was, twice in a row. Throws Fault ("environment") when it is not
    /// within `limitSeconds`: another program may try its kernels for some seconds, as a compiler does. On a
    /// CPU it fills once: the scheduler says who else runs.
    void flush(double limitSeconds = 15.0);

    /// Seconds, from now on, until two small fills of the judge's have been as quick as they were at the
    /// start: until the device has no other work, and what the fills take. 5 s at most. 0 on a CPU.
    double secondsUntilIdle();

    double waitedSeconds() const { return m_waitedSeconds; } ///< so far, for other work to end

private:
    double fillSeconds() const;
    double touchSeconds();

    DeviceFacts m_device;
    double m_cleanSeconds = 0.0;
    double m_cleanTouch = 0.0;
    at::Tensor m_touched;
    double m_waitedSeconds = 0.0;
};

} // namespace warpwright
