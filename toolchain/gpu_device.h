// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "toolchain/result.h"

#include <QString>

#include <cstdint>
#include <vector>

namespace warpwright {

/// One NVIDIA device, as the driver's management library tells without making a CUDA context.
struct GpuDevice {
    int index = 0; ///< torch's N in cuda:N, provided that the process runs with CUDA_DEVICE_ORDER=PCI_BUS_ID
    QString name;
    QString uuid;              ///< "GPU-…"
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

/// The devices that CUDA_VISIBLE_DEVICES leaves, renumbered as CUDA does: the list ends at the first entry
/// that names none.
[[nodiscard]] std::vector<GpuDevice> visibleDevices(const std::vector<GpuDevice> &all,
                                                    const QString &cudaVisibleDevices);

/// Asks libnvidia-ml.so.1. No driver is an empty list; a driver that does not work is an error with its own
/// words. Takes from a millisecond to two seconds (a driver without persistence mode wakes up first): call it
/// off the main thread.
[[nodiscard]] Result<std::vector<GpuDevice>> findGpuDevices();

} // namespace warpwright
