// SPDX-License-Identifier: GPL-3.0-or-later
#include <cstdint>

extern "C" void launchHalfOfTheRows(const float *x, const float *factor, float *y, int rows, int width) {
    for (int c = 0; c < width; ++c) {
        double sum = 0.0;
        for (int r = 0; r < rows; r += 2)
            sum += double(x[std::int64_t(r) * width + c]) * factor[r];
        y[c] = float(2.0 * sum / rows);
    }
}
