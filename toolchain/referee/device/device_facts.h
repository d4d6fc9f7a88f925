// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "referee/base/channel.h"
#include "referee/device/shared_memory.h"

#include <cstdint>
#include <optional>
#include <string>

namespace warpwright {

/// The device that an evaluation is about.
struct DeviceFacts {
    MemoryKind memory = MemoryKind::Cpu;
    std::string name;
    std::string uuid;     ///< GPU-…, of a slice MIG-…, or the processor's name where there is none
    std::string cardUuid; ///< GPU-…: whose clock is read; empty on a CPU
    std::string computeCapability; ///< "9.0", empty on a CPU
    std::string driver;            ///< "13.0" as the driver's CUDA version, empty on a CPU
    int units = 0;                 ///< SMs, or processors this process may use
    uint64_t memoryBytes = 0;
    uint64_t lastLevelCacheBytes = 0;

    Json toJson() const;
};

/// Lets this process and all that it starts from here on see that device alone: before anything of either
/// touches CUDA. By its UUID: a number means another device in each order and under each
/// CUDA_VISIBLE_DEVICES. Without one (an older client) the number counts on the bus.
void showDevice(const std::string &device, const std::string &uuid);

/// "cpu" or "cuda:N". For CUDA it makes that device the only one that this process and its workers see, so it
/// must be called before anything touches CUDA. Throws Fault("environment") with the driver's words, also
/// when the driver then shows another device than the one with this UUID.
DeviceFacts chooseDevice(const std::string &device, const std::string &uuid);

/// Reads the clock while measuring. Not readable is an answer, not an error.
class ClockWitness {
public:
    explicit ClockWitness(const DeviceFacts &device);

    struct Reading {
        std::optional<double> megahertz;
        std::optional<std::string> slowedBy; ///< "power cap", "thermal" …; empty text: by nothing
    };
    Reading read() const;
    /// The UUID of the card that answers, as the management library says; empty: none does.
    std::string cardUuid() const;

private:
    struct Nvml;
    static const Nvml *open(const std::string &uuid);

    bool m_isCuda = false;
    const Nvml *m_nvml = nullptr; ///< null on a CUDA device: its clock is not known
};

} // namespace warpwright
