// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <vector>

extern "C" void launchSmooth(const float *x, const float *gain, float *y, int rows, int width) {
    const auto power = [](double t) {
        t *= -1.4426950408889634;
        const double n = std::floor(t), f = t - n;
        return std::ldexp(1.0 + f * (0.6951 + f * (0.2276 + f * 0.0773)), int(n));
    };
    for (int i = 0; i < rows * width; ++i) {
        const int c = i % width;
        const double v = double(x[i]) * gain[c];
        y[i] = float(v / (1.0 + power(v)));
    }
}
