// SPDX-License-Identifier: GPL-3.0-or-later
// What a row of a device has: how each figure is called, and how it follows from a chip's own facts.
#pragma once

#include "agent/playbook/target/device.h"

#include <string>
#include <vector>

namespace warpwright {

struct CountOfDevice {
    const char *key;
    int Device::*count;
};

/// What a rate of a chip without a row goes with.
enum class ScalesWith {
    Nothing,    ///< the same on both
    Memory,     ///< its bandwidth
    Processors, ///< how many multiprocessors there are
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
