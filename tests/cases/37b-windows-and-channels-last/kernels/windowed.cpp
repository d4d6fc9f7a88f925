// SPDX-License-Identifier: GPL-3.0-or-later
#include <cstdint>

extern "C" void launchWindowed(const float *x, const float *gain, const float *tail, float *y, int rows,
                               int width, std::int64_t sr, std::int64_t sc, std::int64_t st) {
    for (int r = 0; r < rows; ++r)
        for (int c = 0; c < width; ++c)
            y[r * width + c] = x[r * sr + c * sc] * gain[c] + tail[r * st];
}
