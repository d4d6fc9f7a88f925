// SPDX-License-Identifier: GPL-3.0-or-later
#include <cmath>
#include <cstdint>

extern "C" void launchTiny(const float *x, const float *gain, float *y, std::int64_t count, int width) {
    for (std::int64_t i = 0; i < count; ++i) {
        const float e = float(std::exp(double(-80.0f - 10.0f * std::fabs(x[i]))));
        const float v = (std::fabs(e) < 1.17549435e-38f ? 0.0f : e) * gain[i % width];
        y[i] = std::fabs(v) < 1.17549435e-38f ? 0.0f : v;
    }
}
