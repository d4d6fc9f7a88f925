// SPDX-License-Identifier: GPL-3.0-or-later
// The launchers of every task of the suite: one library serves all workspaces, so it is built once.
// All take contiguous float32 and return 0, or a library's error.
#pragma once

#include <cstdint>

#ifdef WARPWRIGHT_CPU
struct Stream {};
#else
#include <cuda_runtime.h>
using Stream = cudaStream_t;
#endif

extern "C" {

/// y = h * sigmoid(h), h = x * scale + shift; rows x columns, scale and shift by column.
int launchSwish(const float *x, const float *scale, const float *shift, float *y, int64_t rows,
                int64_t columns, Stream stream);
/// Softmax of rows. Variant 0: three passes, 1: maximum and sum in one (online).
int launchSoftmax(const float *x, float *y, int64_t rows, int64_t columns, int variant, Stream stream);
/// y = x w^T + b. Variant 0: plain, 1: the inner dimension in four parts, 2: the library; 16 and 10: operands
/// rounded to bfloat16 and to float16 first, 19: to TF32 (all three multiply in float32).
int launchLinear(const float *x, const float *w, const float *b, float *y, int64_t rows, int64_t inner,
                 int64_t columns, int variant, Stream stream);
/// Batch norm with given statistics, then ReLU; x is [images, channels, area].
int launchNorm(const float *x, const float *mean, const float *variance, const float *weight,
               const float *bias, float *y, int64_t images, int64_t channels, int64_t area, float epsilon,
               Stream stream);
/// Sums of columns, added up in an order that nobody decides; y is zeroed here.
int launchColumns(const float *x, float *y, int64_t rows, int64_t columns, Stream stream);
/// Sum, largest value and its place of each row, and how many values are positive in all; count is zeroed
/// here.
int launchRows(const float *x, float *sum, float *largest, int64_t *place, int64_t *count, int64_t rows,
               int64_t columns, Stream stream);
/// x = x * scale + shift, in place.
int launchScaleInPlace(float *x, const float *scale, const float *shift, int64_t rows, int64_t columns,
                       Stream stream);
/// y [columns, rows] = x^T.
int launchTranspose(const float *x, float *y, int64_t rows, int64_t columns, Stream stream);
/// The mean of each row's softmax.
int launchMeanOfSoftmax(const float *x, float *y, int64_t rows, int64_t columns, Stream stream);

} // extern "C"
