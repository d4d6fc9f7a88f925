// SPDX-License-Identifier: GPL-3.0-or-later
#include <cmath>
#include <cstdint>

extern "C" void launchSines(const float *x, const float *phases, const float *gain, float *y, float scale,
                            std::int64_t count, int rows, int width) {
    for (std::int64_t i = 0; i < count; ++i)
        y[i] = float(std::sin(double(x[i] + phases[i % (std::int64_t(rows) * width)])) * gain[i % width]) *
               scale;
}
