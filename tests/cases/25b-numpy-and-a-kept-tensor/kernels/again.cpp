// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cstdint>

extern "C" void launchAgain(const float *x, float *y, std::int64_t count) {
    std::copy(x, x + count, y);
}
