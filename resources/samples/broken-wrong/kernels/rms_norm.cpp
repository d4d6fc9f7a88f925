// SPDX-License-Identifier: GPL-3.0-or-later
// The CPU twin of rms_norm.cu: the same contract, without the stream (and the same mistake).
#include <cmath>
#include <cstdint>

namespace {

constexpr int kSweep = 1024; // Columns summed side by side, as the block on the GPU does.
constexpr float kEpsilon = 1e-6f;

} // namespace

extern "C" void launchRmsNorm(const float *x, const float *weight, float *y, int rows, int columns, int) {
#pragma omp parallel for schedule(static)
    for (int row = 0; row < rows; ++row) {
        const float *in = x + std::int64_t(row) * columns;
        float *out = y + std::int64_t(row) * columns;

        float sum = 0.0f;
        for (int sweep = 0; sweep < columns / kSweep; ++sweep)
#pragma omp simd reduction(+ : sum)
            for (int c = sweep * kSweep; c < (sweep + 1) * kSweep; ++c)
                sum += in[c] * in[c];
        const float factor = 1.0f / std::sqrt(sum / float(columns) + kEpsilon);

#pragma omp simd
        for (int c = 0; c < columns; ++c)
            out[c] = in[c] * factor * weight[c];
    }
}
