// SPDX-License-Identifier: GPL-3.0-or-later
// The CPU twin of axpby.cu. For a GPU it is empty: utils/compile.sh compiles every .cpp that it finds.
#ifdef WARPWRIGHT_CPU
extern "C" void axpby_launcher(float *out, const float *a, const float *b, float alpha, int size) {
#pragma omp simd
    for (int i = 0; i < size; ++i)
        out[i] = alpha * a[i] + b[i];
}
#endif
