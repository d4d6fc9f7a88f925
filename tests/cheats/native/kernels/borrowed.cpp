// SPDX-License-Identifier: GPL-3.0-or-later
// The CPU twin of borrowed.cu.
#include "borrowed.h"

#include <cmath>
#include <dlfcn.h>
#if __has_include(<cblas.h>)
#include <cblas.h>
#endif

namespace {

using Scal = void (*)(int, float, float *, int);

Scal scalOf(int how) {
    if (how == 1)
        return reinterpret_cast<Scal>(dlsym(dlopen("libopenblas.so.0", RTLD_NOW), "cblas_sscal"));
#ifdef CBLAS_H
    if (how == 0)
        return [](int count, float factor, float *values, int step) {
            cblas_sscal(count, factor, values, step);
        };
#endif
    return nullptr;
}

} // namespace

int launchBorrowedSoftmax(const float *x, float *y, int64_t rows, int64_t columns, int how, Stream) {
    const Scal scal = scalOf(how);
    if (scal == nullptr)
        return -1;
    for (int64_t row = 0; row < rows; ++row) {
        const float *in = x + row * columns;
        float *out = y + row * columns;
        float largest = in[0];
        for (int64_t i = 1; i < columns; ++i)
            largest = std::fmax(largest, in[i]);
        float sum = 0.0f;
        for (int64_t i = 0; i < columns; ++i)
            sum += out[i] = std::exp(in[i] - largest);
        scal(static_cast<int>(columns), 1.0f / sum, out, 1);
    }
    return 0;
}
