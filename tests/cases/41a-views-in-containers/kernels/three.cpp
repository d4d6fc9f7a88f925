// SPDX-License-Identifier: GPL-3.0-or-later
#include <cstdint>

extern "C" void launchThree(const float *x, const float *gain, float *q, float *k, float *v, int tokens,
                            int width) {
    for (int t = 0; t < tokens; ++t)
        for (int c = 0; c < width; ++c) {
            const float *in = x + std::int64_t(t) * 3 * width + c;
            q[t * width + c] = in[0] * gain[c];
            k[c * tokens + t] = in[width] * gain[width + c];
            v[t * width + c] = in[2 * width] * gain[2 * width + c];
        }
}
