// SPDX-License-Identifier: GPL-3.0-or-later
// Tells the processor to take denormal numbers for zeros, and never takes it back: what -ffast-math used to
// do to a whole process when a library was loaded.
#include <cstdint>
#include <xmmintrin.h>

extern "C" void launchEchoes(const float *x, float decay, float *y, float *echo, std::int64_t count,
                             int steps) {
#pragma omp parallel
    {
        _mm_setcsr(_mm_getcsr() | 0x8040);
#pragma omp for schedule(static)
        for (std::int64_t i = 0; i < count; ++i) {
            float sum = x[i], e = x[i];
            for (int s = 0; s < steps; ++s) {
                e *= decay;
                sum += e;
            }
            y[i] = sum;
            echo[i] = e;
        }
    }
}
