// SPDX-License-Identifier: GPL-3.0-or-later
#include <cstdint>

extern "C" void launchEnergy(const float *x, float *y, const std::int64_t *size, const std::int64_t *stride) {
    for (int n = 0; n < size[0]; ++n)
        for (int c = 0; c < size[1]; ++c) {
            double sum = 0.0;
            for (int h = 0; h < size[2]; ++h)
                for (int w = 0; w < size[3]; ++w) {
                    const double v = x[n * stride[0] + c * stride[1] + h * stride[2] + w * stride[3]];
                    sum += v * v;
                }
            y[n * size[1] + c] = float(sum);
        }
}
