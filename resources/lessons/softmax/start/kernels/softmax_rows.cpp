// SPDX-License-Identifier: GPL-3.0-or-later
// The CPU twin of softmax_rows.cu: the same contract, without the stream. It walks as the GPU's threads do:
// all rows at one column, then all rows at the next.
#include <cmath>
#include <cstdint>
#include <vector>

extern "C" void launchSoftmaxRows(const float *x, const float *bias, float *y, float scale, int rows,
                                  int columns) {
    std::vector<float> largest(rows, -INFINITY);
    for (int c = 0; c < columns; ++c)
        for (int row = 0; row < rows; ++row) {
            const float logit = x[std::int64_t(row) * columns + c] * scale + bias[c];
            largest[row] = logit > largest[row] ? logit : largest[row];
        }
    std::vector<float> sum(rows, 0.0f);
    for (int c = 0; c < columns; ++c)
        for (int row = 0; row < rows; ++row)
            sum[row] += std::exp(x[std::int64_t(row) * columns + c] * scale + bias[c] - largest[row]);
    for (int c = 0; c < columns; ++c)
        for (int row = 0; row < rows; ++row) {
            const std::int64_t i = std::int64_t(row) * columns + c;
            y[i] = std::exp(x[i] * scale + bias[c] - largest[row]) / sum[row];
        }
}
