// SPDX-License-Identifier: GPL-3.0-or-later
// The CPU twin of arg_reduction.cu: the same contract, without the stream.
//
// The same two questions in the same order. "What is the largest value?" is a loop that the compiler
// turns into vector maxima. "Where is it?" runs over a row that is in the cache by now, and stops early.
#include <cstdint>
#include <limits>

extern "C" void launchArgReduction(const float *x, long long *index, int rows, int columns, int) {
#pragma omp parallel for schedule(static)
    for (int row = 0; row < rows; ++row) {
        const float *in = x + std::int64_t(row) * columns;

        // PyTorch counts NaN as larger than any number. A comparison with NaN is always false, so NaNs
        // are counted beside the maximum: each costs one more vector instruction, and no branch.
        float largest = -std::numeric_limits<float>::infinity();
        int nans = 0;
#pragma omp simd reduction(max : largest) reduction(+ : nans)
        for (int c = 0; c < columns; ++c) {
            largest = in[c] > largest ? in[c] : largest;
            nans += in[c] != in[c];
        }

        int c = 0;
        if (nans > 0)
            while (in[c] == in[c])
                ++c;
        else
            while (in[c] != largest)
                ++c;
        index[row] = c;
    }
}
