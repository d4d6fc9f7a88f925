// SPDX-License-Identifier: GPL-3.0-or-later
// Work that is left out, and low precision that is not: errors of one size, of which a task may allow one
// kind.
#pragma once

#include "tasks.h"

// `bits`: of mantissa, that are kept of what is multiplied: 7 as BF16, 10 as FP16 and TF32, 23 all of them;
// negative: the others are cut off in place of rounded.
extern "C" {

/// y = x w^T + b of rounded factors. What is left out (`how`): 0 nothing; 1: each result is 0.3 % too small,
/// 2: all lack the same 0.0015, 3: weights below 0.001 count as zero, 4: every 16th row is 2 % too small, 5:
/// each result is 0.03 % too small; 6: nothing, and results are stored in BF16.
int launchPartOfLinear(const float *x, const float *w, const float *b, float *y, int64_t rows, int64_t inner,
                       int64_t columns, int bits, int how, Stream stream);
/// The mean squared difference of each row, times its weight: of one 16 numbers in `step` times 16.
int launchPartOfErrors(const float *x, const float *target, const float *weight, float *y, int64_t rows,
                       int64_t columns, int bits, int step, Stream stream);
/// softmax(q k^T / sqrt(width)) v without the last `missing` keys.
int launchPartOfAttention(const float *q, const float *k, const float *v, float *y, int64_t rows,
                          int64_t keys, int64_t width, int bits, int missing, Stream stream);
/// Softmax of rows whose sums lack every `skipped`th number; 0: none.
int launchPartOfSoftmax(const float *x, float *y, int64_t rows, int64_t columns, int skipped, Stream stream);

} // extern "C"
