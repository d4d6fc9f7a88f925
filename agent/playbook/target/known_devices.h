// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/target/device.h"

#include <optional>
#include <vector>

namespace warpwright {

/// What the driver, the tables of occupancy and a check know of the chip at hand.
struct DeviceFacts {
    QString name; ///< as the driver says it
    int computeMajor = 0;
    int computeMinor = 0;
    std::optional<int> processors;
    std::optional<double> memoryBytesASecond; ///< measured ceiling

    bool operator==(const DeviceFacts &) const = default;
};

struct ChosenDevice {
    const Device *device = nullptr;
    QString doubt; ///< a sentence, where it was not measured; empty: it was

    bool operator==(const ChosenDevice &) const = default;
};

/// A chip that was measured is its row. Another one has its own facts, and what nobody knows of it by the
/// nearest row: its rates as they go with memory and with the number of multiprocessors. `rows`: at least
/// one.
[[nodiscard]] ChosenDevice deviceFor(const DeviceFacts &facts, const std::vector<Device> &rows);

} // namespace warpwright
