// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/target/device.h"

namespace warpwright {

bool hasClusters(const Device &device) {
    return device.computeMajor >= 9;
}

bool hasWarpGroups(const Device &device) {
    return device.computeMajor == 9 && device.computeMinor == 0;
}

bool hasWarpMma(const Device &device) {
    return device.computeMajor >= 8;
}

double threadsForMemory(const Device &device) {
    return 0.5 * device.processors * device.threadsOfProcessor;
}

bool hasFewRowsForDevice(const Device &device, std::int64_t rows) {
    return rows < 2 * device.processors;
}

std::int64_t tilesForMost(const Device &device) {
    return 3 * device.processors / 4 + 1;
}

} // namespace warpwright
