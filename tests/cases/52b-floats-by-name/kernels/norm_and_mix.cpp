// SPDX-License-Identifier: GPL-3.0-or-later
#include <cmath>
#include <vector>

// x, y [rows, columns]: each row over its root of mean squares, times gain, -1 where it is negative; then the
// identity and the mean, times 0.5 to 1.5.
extern "C" void launchNormAndMix(const float *x, const float *gain, float *y, int rows, int columns) {
    std::vector<float> mixed(columns);
    for (int r = 0; r < rows; ++r) {
        float squares = 0.0f;
        for (int c = 0; c < columns; ++c)
            squares += x[r * columns + c] * x[r * columns + c];
        const float scale = 1.0f / std::sqrt(squares / float(columns) + 1e-6f);
        float sum = 0.0f;
        for (int c = 0; c < columns; ++c) {
            const float value = x[r * columns + c] * scale;
            mixed[c] = gain[c] * value - (std::signbit(value) ? 1.0f : 0.0f);
            sum += mixed[c];
        }
        for (int c = 0; c < columns; ++c)
            y[r * columns + c] = (mixed[c] + sum / float(columns)) * (0.5f + float(c) / float(columns - 1));
    }
}
