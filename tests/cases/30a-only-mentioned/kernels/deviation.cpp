// SPDX-License-Identifier: GPL-3.0-or-later
#include <cmath>
#include <cstdint>

extern "C" void launchDeviation(const float *x, float *y, int rows, int width) {
    for (int r = 0; r < rows; ++r) {
        double mean = 0.0, sum = 0.0;
        for (int c = 0; c < width; ++c)
            mean += x[r * width + c];
        mean /= width;
        for (int c = 0; c < width; ++c)
            sum += std::fabs(x[r * width + c] - mean);
        y[r] = float(sum / width);
    }
}
