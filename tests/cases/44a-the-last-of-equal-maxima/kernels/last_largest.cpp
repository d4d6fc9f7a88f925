// SPDX-License-Identifier: GPL-3.0-or-later
#include <cmath>
#include <cstdint>

extern "C" void launchLastLargest(const float *x, const float *shift, std::int64_t *place, float *largest,
                                  int rows, int width) {
    for (int r = 0; r < rows; ++r) {
        float best = -1.0f, top = x[r * width];
        for (int c = 0; c < width; ++c) {
            const float v = x[r * width + c];
            const float q = std::fmax(0.0f, std::fmin(std::nearbyint(4.0f * v) / 4.0f, 1.5f));
            if (q >= best) {
                best = q;
                place[r] = c;
            }
            top = std::fmax(top, v);
        }
        largest[r] = top + *shift;
    }
}
