// SPDX-License-Identifier: GPL-3.0-or-later
// The CPU twin of pointwise_chain.cu: the same contract, without the stream.
#include <cmath>
#include <cstdint>

extern "C" void launchPointwiseChain(const float *x, const float *scale, const float *shift, float *y,
                                     int rows, int channels, int) {
    const std::int64_t count = std::int64_t(rows) * channels;
    for (std::int64_t i = 0; i < count; ++i)
        y[i] = x[i] * scale[i % channels];
    for (std::int64_t i = 0; i < count; ++i)
        y[i] = y[i] + shift[i % channels];
    for (std::int64_t i = 0; i < count; ++i)
        y[i] = y[i] * std::tanh(y[i] > 20.0f ? y[i] : std::log1p(std::exp(y[i])));
}
