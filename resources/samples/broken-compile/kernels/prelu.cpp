// SPDX-License-Identifier: GPL-3.0-or-later
// The CPU twin of prelu.cu: the same contract, without the stream (and the same mistake).
#include <cstddef>

extern "C" void launchPrelu(const float *x, const float *slopes, float *y, int rows, int channels, int) {
#pragma omp parallel for schedule(static)
    for (int row = 0; row < rows; ++row)
        for (int channel = 0; channel < channels; ++channel) {
            const float slope = slopes[channel];
            const std::size_t i = std::size_t(row) * channels + channel;
            y[i] = x[i] > 0.0f ? x[i] : x[i] * slopes;
        }
}
