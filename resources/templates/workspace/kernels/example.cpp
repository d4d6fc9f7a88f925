// SPDX-License-Identifier: GPL-3.0-or-later
// The CPU twin of example.cu: the same contract, without the stream. It is built only where there is no
// GPU; a kernel without a twin compiles there, but cannot be verified or timed.

extern "C" void launchExample(const float *x, float *y, float factor, long long count, int config) {
    static_cast<void>(config);
#pragma omp parallel for simd schedule(static)
    for (long long i = 0; i < count; ++i)
        y[i] = factor * x[i];
}
