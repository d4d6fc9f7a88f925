// SPDX-License-Identifier: GPL-3.0-or-later
// The CPU twin of native.cu.
#include "native.h"

#include "native_host.h"

#include <algorithm>
#include <chrono>
#include <thread>

int launchSwishRows(const float *x, const float *scale, const float *shift, float *y, int64_t first,
                    int64_t last, int64_t columns, Stream) {
    return launchSwish(x + first * columns, scale, shift, y + first * columns, last - first, columns, {});
}

int launchSwishInHalves(const float *x, const float *scale, const float *shift, float *y, int64_t rows,
                        int64_t columns, Stream) {
    std::thread other([=] { swishOnHost(x, scale, shift, y, 0, rows / 2, columns); });
    swishOnHost(x, scale, shift, y, rows / 2, rows, columns);
    other.join();
    return 0;
}

int launchSwishLater(const float *x, const float *scale, const float *shift, float *y, int64_t rows,
                     int64_t columns, int milliseconds) {
    std::thread([=] {
        std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
        swishOnHost(x, scale, shift, y, 0, rows, columns);
    }).detach();
    return 0;
}

int launchSwishAside(const float *x, const float *scale, const float *shift, float *y, int64_t rows,
                     int64_t columns) {
    return launchSwishLater(x, scale, shift, y, rows, columns, 0);
}

int launchSwishInRange(const float *x, const float *scale, const float *shift, float *y, int64_t rows,
                       int64_t columns, Stream) {
#pragma omp parallel for
    for (int64_t row = 0; row < rows; ++row) {
        for (int64_t i = 0; i < columns; ++i) {
            const float h = x[row * columns + i] * scale[i] + shift[i];
            const float kept = std::min(std::max(-30.0f, h), 30.0f);
            y[row * columns + i] = kept / (1.0f + std::exp(-kept));
        }
    }
    return 0;
}

int launchSwishOnHost(const float *x, const float *scale, const float *shift, float *y, int64_t rows,
                      int64_t columns, Stream) {
    swishOnHost(x, scale, shift, y, 0, rows, columns);
    return 0;
}

int launchFill(float *y, float value, int64_t count, Stream) {
    std::fill(y, y + count, value);
    return 0;
}

int64_t sampleOf(const float *x, int64_t count) {
    int64_t sample = 0;
    for (int64_t i = 0; i < 64; ++i)
        sample = mixed(sample, x[count / 64 * i]);
    return sample;
}

int keepInCache(const float *, int64_t, Stream) {
    return 0;
}

bool slowClock() {
    return slowFunction("clock_gettime");
}

void noteCall() {
    lastCall = steadyNanoseconds();
}

void startLateHog() {
    std::thread([] {
        for (;;) {
            std::this_thread::sleep_for(std::chrono::microseconds(200));
            if (!hasJustBeenTimed())
                continue;
            const int64_t start = steadyNanoseconds();
            while (steadyNanoseconds() - start < 300'000'000) {
            }
        }
    }).detach();
}

void startHog() {
    std::thread([] {
        for (volatile int64_t i = 0;; i = i + 1) {
        }
    }).detach();
}
