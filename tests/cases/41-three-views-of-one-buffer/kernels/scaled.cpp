// SPDX-License-Identifier: GPL-3.0-or-later
#include <cstdint>

extern "C" void launchScaled(const float *x, const float *scale, float *y, std::int64_t rows,
                             std::int64_t columns) {
#pragma omp parallel for schedule(static)
    for (std::int64_t r = 0; r < rows; ++r)
        for (std::int64_t c = 0; c < columns; ++c)
            y[r * columns + c] = x[r * columns + c] * scale[c];
}
