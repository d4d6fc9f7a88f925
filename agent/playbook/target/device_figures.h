// SPDX-License-Identifier: GPL-3.0-or-later
// The figures of a device row: the key of each, and how it scales to a chip without a row.
#pragma once

#include "agent/playbook/target/device.h"

#include <string>
#include <vector>

namespace warpwright {

struct CountOfDevice {
    const char *key;
    int Device::*count;
};

/// What a rate scales with on a chip without a row.
enum class ScalesWith {
    Nothing,    ///< unchanged
    Memory,     ///< memory bandwidth
    Processors, ///< number of SMs
};

struct RateOfDevice {
    const char *key;
    double Device::*rate;
    ScalesWith scalesWith;
};

[[nodiscard]] const std::vector<CountOfDevice> &countsOfDevices();
[[nodiscard]] const std::vector<RateOfDevice> &ratesOfDevices();
[[nodiscard]] bool isFigureOfDevices(const std::string &key);

} // namespace warpwright
