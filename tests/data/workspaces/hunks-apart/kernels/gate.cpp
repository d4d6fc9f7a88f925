// SPDX-License-Identifier: GPL-3.0-or-later
// Three places to change: one gains, one slows down, one does nothing.
#include <cmath>

namespace {

constexpr int kPasses = 2;

} // namespace

extern "C" void launchGate(const float *x, const float *scale, float *y, int rows, int channels) {
    // one row after the other
#pragma omp parallel for schedule(static)
    for (int row = 0; row < rows; ++row) {
        const float *from = x + static_cast<long>(row) * channels;
        float *to = y + static_cast<long>(row) * channels;

        for (int step = 0; step < channels * kPasses; ++step) {
            const int c = step % channels;
            to[c] = scale[c] / (1.0f + std::exp(-from[c]));
        }
    }
}
