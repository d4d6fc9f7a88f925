// SPDX-License-Identifier: GPL-3.0-or-later
// The CPU twin of gemm_bias_gelu.cu: the same contract, without the stream.
#include <algorithm>
#include <cmath>
#include <cstdint>

namespace {

inline float gelu(float v) {
    constexpr float kRootTwoOverPi = 0.797884561f;
    return 0.5f * v * (1.0f + std::tanh(kRootTwoOverPi * (v + 0.044715f * v * v * v)));
}

void multiply(const float *x, const float *weight, float *y, int rows, int inner, int columns) {
#pragma omp parallel for schedule(static)
    for (int row = 0; row < rows; ++row) {
        float *out = y + std::int64_t(row) * columns;
        std::fill(out, out + columns, 0.0f);
        for (int k = 0; k < inner; ++k)
            for (int column = 0; column < columns; ++column)
                out[column] += x[std::int64_t(row) * inner + k] * weight[std::int64_t(column) * inner + k];
    }
}

} // namespace

extern "C" void launchGemmBiasGelu(const float *x, const float *weight, const float *bias, float *y, int rows,
                                   int inner, int columns) {
    multiply(x, weight, y, rows, inner, columns);
    for (int row = 0; row < rows; ++row)
        for (int column = 0; column < columns; ++column) {
            float &element = y[std::int64_t(row) * columns + column];
            element = gelu(element + bias[column]);
        }
}
