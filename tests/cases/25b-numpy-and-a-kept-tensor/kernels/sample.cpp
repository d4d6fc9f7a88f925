// SPDX-License-Identifier: GPL-3.0-or-later
#include <cstdint>

extern "C" void launchSample(const float *x, double *sum, std::int64_t count) {
    *sum = 0.0;
    for (std::int64_t i = 0; i < count; i += 4001)
        *sum += x[i];
}
