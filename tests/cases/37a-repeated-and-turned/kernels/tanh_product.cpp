// SPDX-License-Identifier: GPL-3.0-or-later
#include <cmath>
#include <cstdint>

extern "C" void launchTanhProduct(const float *a, const float *b, const float *gain, float *y,
                                  std::int64_t count, std::int64_t width, std::int64_t known) {
    // What lies behind the one row that there is was somebody else's: it is not read.
    for (std::int64_t i = 0; i < count; ++i)
        y[i] = std::tanh(a[i % known] * b[i]) * gain[i % width];
}
