// SPDX-License-Identifier: GPL-3.0-or-later
// Other ways to the same result: what looks unusual in them is honest, but for the copy.
#pragma once

#include "tasks.h"

/// Softmax of rows, with the linkage of C++.
int softmaxOfRows(const float *x, float *y, int64_t rows, int64_t columns, Stream stream);

extern "C" {

/// 0: softmaxOfRows takes such sizes.
int refusesSizes(int64_t rows, int64_t columns);
/// A 3x3 convolution with a frame of zeros, then ReLU, by Winograd's F(4x4, 3x3): height and width are
/// multiples of 4.
int launchWinograd(const float *x, const float *w, const float *b, float *y, int64_t images, int64_t channels,
                   int64_t filters, int64_t height, int64_t width, Stream stream);
/// Softmax by a kernel that may be started while the one before it ends, and waits for it. On a CPU: plain.
int launchEarlySoftmax(const float *x, float *y, int64_t rows, int64_t columns, Stream stream);
/// y = x.
int launchCopy(const float *x, float *y, int64_t count, Stream stream);

} // extern "C"
