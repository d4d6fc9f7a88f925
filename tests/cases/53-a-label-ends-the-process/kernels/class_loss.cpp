// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>
#include <cstdint>

extern "C" void launchClassLoss(const float *logits, const float *bias, const std::int64_t *labels,
                                float *loss, int rows, int classes) {
    for (int r = 0; r < rows; ++r) {
        const float *row = logits + r * classes;
        double largest = double(row[0]) + bias[0];
        for (int c = 1; c < classes; ++c)
            largest = std::max(largest, double(row[c]) + bias[c]);
        double sum = 0.0;
        for (int c = 0; c < classes; ++c)
            sum += std::exp(double(row[c]) + bias[c] - largest);
        loss[r] = float(std::log(sum) + largest - row[labels[r]] - bias[labels[r]]);
    }
}
