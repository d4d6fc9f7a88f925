// SPDX-License-Identifier: GPL-3.0-or-later
// CPU twin: mean and variance of each channel over this batch, then relu.
#include <cmath>
#include <cstdint>

extern "C" void launchBatchNormRelu(const float *x, const float *weight, const float *bias, float *y,
                                    float eps, int batch, int channels, int inner) {
#pragma omp parallel for schedule(static)
    for (int c = 0; c < channels; ++c) {
        double sum = 0.0, squares = 0.0;
        for (int b = 0; b < batch; ++b) {
            const float *in = x + (std::int64_t(b) * channels + c) * inner;
            for (int i = 0; i < inner; ++i)
                sum += in[i];
        }
        const double mean = sum / (double(batch) * inner);
        for (int b = 0; b < batch; ++b) {
            const float *in = x + (std::int64_t(b) * channels + c) * inner;
            for (int i = 0; i < inner; ++i)
                squares += (in[i] - mean) * (in[i] - mean);
        }
        const float factor = float(weight[c] / std::sqrt(squares / (double(batch) * inner) + eps));
        const float offset = float(bias[c] - mean * factor);
        for (int b = 0; b < batch; ++b) {
            const std::int64_t first = (std::int64_t(b) * channels + c) * inner;
            for (int i = 0; i < inner; ++i) {
                const float v = x[first + i] * factor + offset;
                y[first + i] = v > 0.0f ? v : 0.0f;
            }
        }
    }
}
