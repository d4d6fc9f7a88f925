// SPDX-License-Identifier: GPL-3.0-or-later
// The CPU twin of rmsnorm_residual.cu: the same contract, without the stream.
//
// One trip to memory for each row: h is parked in the output row, which the first loop brings into the
// L1 cache and the second loop finds there.
#include <cmath>
#include <cstdint>

extern "C" void launchRmsnormResidual(const float *x, const float *residual, const float *weight, float *y,
                                      float epsilon, int rows, int columns, int) {
#pragma omp parallel for schedule(static)
    for (int row = 0; row < rows; ++row) {
        const std::int64_t first = std::int64_t(row) * columns;
        const float *in = x + first;
        const float *skip = residual + first;
        float *out = y + first;

        // "reduction" allows a partial sum per vector lane: faster, and more exact than one long chain.
        float sum = 0.0f;
#pragma omp simd reduction(+ : sum)
        for (int c = 0; c < columns; ++c) {
            out[c] = in[c] + skip[c];
            sum += out[c] * out[c];
        }

        const float factor = 1.0f / std::sqrt(sum / float(columns) + epsilon);
#pragma omp simd
        for (int c = 0; c < columns; ++c)
            out[c] = out[c] * factor * weight[c];
    }
}
