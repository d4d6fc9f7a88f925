// SPDX-License-Identifier: GPL-3.0-or-later
#include <cmath>
#include <cstdint>

extern "C" void launchLogLikelihood(const float *x, const float *mean, const float *spread, float *y,
                                    int rows, int width) {
    for (int r = 0; r < rows; ++r) {
        double sum = 0.0;
        for (int c = 0; c < width; ++c) {
            const double z = (double(x[r * width + c]) - mean[c]) / spread[c];
            sum += 0.5 * z * z + std::log(double(spread[c]));
        }
        y[r] = float(-sum);
    }
}
