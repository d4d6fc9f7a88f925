// SPDX-License-Identifier: GPL-3.0-or-later
#include "referee/device/quiet_device.h"

#include "referee/base/control_page.h"
#include "referee/base/fault.h"
#include "referee/base/statistics.h"
#include "referee/device/ceilings.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/zeros.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <thread>
#include <vector>

namespace warpwright {

namespace {

// Contexts take turns of a millisecond and more; clocks that rise, and a late thread, cost less.
constexpr double slack = 2.0;
constexpr double slackSeconds = 0.00015;
constexpr int quickInARow = 2;
constexpr double touchSlackSeconds = 0.00005;
constexpr double idleLimitSeconds = 5.0;
constexpr double politeSeconds = 0.2;
constexpr std::chrono::milliseconds rest(10);

std::string milliseconds(double seconds) {
    const auto rounded = static_cast<long>(std::lround(seconds * 1e5));
    return std::to_string(rounded / 100) + "." + std::to_string(rounded % 100 / 10) +
           std::to_string(rounded % 10) + " ms";
}

} // namespace

QuietDevice::QuietDevice(const DeviceFacts &device) : m_device(device) {
    if (device.memory == MemoryKind::Cpu)
        return;
    fillSeconds(); // makes the memory
    std::vector<double> seconds;
    for (int i = 0; i < 9; ++i)
        seconds.push_back(fillSeconds());
    m_cleanSeconds = median(seconds);
    m_touched = at::zeros({1024}, at::TensorOptions().dtype(at::kByte).device(at::kCUDA));
    seconds.clear();
    for (int i = 0; i < 9; ++i)
        seconds.push_back(touchSeconds());
    m_cleanTouch = median(seconds);
}

double QuietDevice::touchSeconds() {
    const uint64_t start = monotonicNanoseconds();
    m_touched.fill_(1);
    idle(m_device.memory);
    return static_cast<double>(monotonicNanoseconds() - start) * 1e-9;
}

double QuietDevice::secondsUntilIdle() {
    if (m_device.memory == MemoryKind::Cpu)
        return 0.0;
    const uint64_t start = monotonicNanoseconds();
    double passed = 0.0;
    for (int quick = 0; quick < quickInARow && passed < idleLimitSeconds;) {
        quick = touchSeconds() < slack * m_cleanTouch + touchSlackSeconds ? quick + 1 : 0;
        passed = static_cast<double>(monotonicNanoseconds() - start) * 1e-9;
    }
    return passed;
}

double QuietDevice::fillSeconds() const {
    const uint64_t start = monotonicNanoseconds();
    flushCache(m_device);
    return static_cast<double>(monotonicNanoseconds() - start) * 1e-9;
}

void QuietDevice::flush(double limitSeconds) {
    if (m_device.memory == MemoryKind::Cpu) {
        flushCache(m_device);
        return;
    }
    const uint64_t start = monotonicNanoseconds();
    double last = 0.0;
    double passed = 0.0;
    for (int quick = 0; quick < quickInARow;) {
        last = fillSeconds();
        quick = last < slack * m_cleanSeconds + slackSeconds ? quick + 1 : 0;
        passed = static_cast<double>(monotonicNanoseconds() - start) * 1e-9;
        if (quick == 0 && passed > politeSeconds)
            std::this_thread::sleep_for(rest); // what one waits for gets the device
        if (quick == 0 && passed > limitSeconds)
            throw Fault("environment", "Cannot time anything: the device is busy with other work.",
                        "While every process of this check was stopped, overwriting the cache took " +
                            milliseconds(last) + "; at the start it took " + milliseconds(m_cleanSeconds) +
                            ".",
                        "End other programs that use this GPU. If there are none, the candidate left "
                        "kernels running after its results were there.");
    }
    m_waitedSeconds += std::max(0.0, passed - quickInARow * m_cleanSeconds);
}

} // namespace warpwright
