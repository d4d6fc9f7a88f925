// SPDX-License-Identifier: GPL-3.0-or-later
// Parts of networks, for the tasks that need more than tasks.h: contiguous memory, float32 where nothing else
// is said.
#pragma once

#include "tasks.h"

extern "C" {

/// GELU by the error function.
int launchGelu(const float *x, float *y, int64_t count, Stream stream);
/// Layer norm of x + gamma * branch; gamma, weight and bias by column.
int launchNormOfSum(const float *x, const float *branch, const float *gamma, const float *weight,
                    const float *bias, float *y, int64_t rows, int64_t columns, float epsilon, Stream stream);
/// A 3x3 convolution with a frame of zeros, then ReLU; w is [filters, channels, 3, 3].
int launchConvolution(const float *x, const float *w, const float *b, float *y, int64_t images,
                      int64_t channels, int64_t filters, int64_t height, int64_t width, Stream stream);
/// How many of the sorted edges are smaller than each number.
int launchBuckets(const float *edges, int64_t count, const float *x, int64_t *y, int64_t numbers,
                  Stream stream);
/// y = x w^T in bfloat16, summed in float32. `bits`: 16, or 4: weights are taken as the middle of one of 16
/// steps of a third of their row's deviation.
int launchToken(const uint16_t *x, const uint16_t *w, uint16_t *y, int64_t rows, int64_t inner,
                int64_t columns, int bits, Stream stream);

} // extern "C"
