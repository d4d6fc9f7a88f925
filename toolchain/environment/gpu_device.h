// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/base/result.h"

#include <QString>

#include <cstdint>
#include <vector>

namespace warpwright {

/// One NVIDIA device that CUDA computes on: a card, or a slice of one (MIG).
struct GpuDevice {
    int index = 0; ///< N in cuda:N, as a program with our environment counts; findGpuDevices(): by the bus
    QString name;
    QString uuid;              ///< "GPU-…", of a slice "MIG-…": with it a process asks for this one alone
    QString cardUuid;          ///< "GPU-…": whose clock it is, and whose turn; differs for a slice
    bool isSliced = false;     ///< the card is in MIG mode: CUDA shows slices in its place
    QString driver;            ///< "580.65.06"
    int driverCudaVersion = 0; ///< newest CUDA that the driver speaks: 13000 for 13.0
    int computeMajor = 0;
    int computeMinor = 0;
    std::int64_t memoryBytes = 0;

    /// "sm_90a": with the suffix where the chip has one.
    [[nodiscard]] QString architecture() const;

    bool operator==(const GpuDevice &) const = default;
};

[[nodiscard]] QString architectureFor(int computeMajor, int computeMinor);

/// The cards of this machine, whatever CUDA_VISIBLE_DEVICES says (shown_devices.h knows about that): asks
/// libnvidia-ml.so.1, which makes no CUDA context. No driver is an empty list; a driver that does not work is
/// an error with its own words. Takes from a millisecond to two seconds (a driver without persistence mode
/// wakes up first): call it off the main thread.
[[nodiscard]] Result<std::vector<GpuDevice>> findGpuDevices();

} // namespace warpwright
