// SPDX-License-Identifier: GPL-3.0-or-later
#include <cmath>
#include <cstdint>

extern "C" void launchLogSum(const float *x, const float *gain, float *y, int rows, int width) {
    for (int r = 0; r < rows; ++r) {
        double sum = 0.0;
        for (int c = 0; c < width; ++c)
            sum += std::exp(double(gain[c] * x[r * width + c]));
        y[r] = float(std::log(sum));
    }
}
