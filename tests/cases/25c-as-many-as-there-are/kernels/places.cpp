// SPDX-License-Identifier: GPL-3.0-or-later
#include <cstdint>

extern "C" void launchPlaces(const float *x, const float *gain, std::int64_t *y, std::int64_t *found,
                             int rows, int width) {
    for (int i = 0; i < rows * width; ++i)
        if (x[i] * gain[i % width] > 0.3f) {
            if (y) {
                y[2 * *found] = i / width;
                y[2 * *found + 1] = i % width;
            }
            ++*found;
        }
}
