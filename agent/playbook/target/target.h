// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/target/device.h"

#include <optional>

namespace warpwright {

/// A CPU that runs the twins of a program's kernels.
struct CpuTarget {
    int threads = 1;                  ///< at least one
    double memoryBytesASecond = 20e9; ///< two channels of desktop memory, until a check measures it

    bool operator==(const CpuTarget &) const = default;
};

/// Where a program runs. Wherever that is, its CUDA text is tuned for Program::device.
struct Target {
    std::optional<CpuTarget> cpu = {};             ///< empty: the program's CUDA device
    std::optional<double> memoryBytesASecond = {}; ///< ceiling that a check measured there; empty: not yet

    [[nodiscard]] bool isCuda() const { return !cpu; }
    /// Measured, or else expected. `device`: the program's.
    [[nodiscard]] double bandwidth(const Device &device) const {
        return memoryBytesASecond.value_or(cpu ? cpu->memoryBytesASecond : device.memoryBytesASecond);
    }
    bool operator==(const Target &) const = default;
};

} // namespace warpwright
