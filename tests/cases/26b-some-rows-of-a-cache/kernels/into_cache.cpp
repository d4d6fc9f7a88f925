// SPDX-License-Identifier: GPL-3.0-or-later
#include <cstdint>

extern "C" void launchIntoCache(float *cache, const std::int64_t *rows, const float *keys, const float *scale,
                                int slots, int taken, int width) {
    for (int i = 0; i < slots * width; ++i)
        cache[i] = 0.0f;
    for (int i = 0; i < taken * width; ++i)
        cache[rows[i / width] * width + i % width] = keys[i] * scale[i % width];
}
