// SPDX-License-Identifier: GPL-3.0-or-later
#include <cmath>
#include <cstdint>

extern "C" void launchMeanAndShift(const float *x, const float *gain, float *mean, float *y, int rows,
                                   int width) {
    for (int c = 0; c < width; ++c) {
        double s = 0.0;
        for (int r = 0; r < rows; ++r) {
            s += x[r * width + c];
            y[r * width + c] = x[r * width + c] * gain[c] + 1.0f;
        }
        mean[c] = float(s / rows);
    }
}
