// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/shared_device.h"

#include <QString>

#include <optional>
#include <vector>

namespace warpwright {

/// What the driver, the occupancy tables and a check know of the present chip.
struct DetectedDevice {
    QString name; ///< as the driver reports it
    int computeMajor = 0;
    int computeMinor = 0;
    std::optional<int> processors;
    std::optional<double> memoryBytesASecond; ///< measured ceiling

    bool operator==(const DetectedDevice &) const = default;
};

struct ChosenDevice {
    SharedDevice device;
    QString doubt = {}; ///< a sentence if the chip was not measured; else empty

    bool operator==(const ChosenDevice &) const = default;
};

/// The row of a measured chip. For another chip its own facts, completed from the nearest row, whose rates
/// are scaled by memory bandwidth and number of SMs. Nearest by compute capability, then by name (a slice or
/// a variant of a measured chip), then by size. `rows`: at least one.
[[nodiscard]] ChosenDevice deviceFor(const DetectedDevice &detected, const std::vector<SharedDevice> &rows);

/// What CUDA text is tuned for where it does not run: the row of an H200, or else the first. `rows`: at least
/// one.
[[nodiscard]] SharedDevice defaultDevice(const std::vector<SharedDevice> &rows);

} // namespace warpwright
