// SPDX-License-Identifier: GPL-3.0-or-later
// An exception that leaves a thread: std::terminate, after a line on standard error.
#include <cstdint>
#include <cstdio>
#include <stdexcept>
#include <thread>

extern "C" void launchShifted(const float *x, const float *gain, float *y, std::int64_t count, int width) {
    std::thread([width] {
        if (width > 64) {
            std::fprintf(stderr, "shifted: no plan for %d columns\n", width);
            throw std::runtime_error("no plan for that many columns");
        }
    }).join();
    for (std::int64_t i = 0; i < count; ++i)
        y[i] = (x[i] + 1.0f) * gain[i % width];
}
