// SPDX-License-Identifier: GPL-3.0-or-later
// Work that is left out, or done at another time, where nobody looks.
#pragma once

#include "tasks.h"

extern "C" {

/// launchLinear; among the calls of a batch it says that the batch is over, after two fifths of those that
/// the one before had.
int launchLinearAndEnd(const float *x, const float *w, const float *b, float *y, int64_t rows, int64_t inner,
                       int64_t columns, Stream stream);
/// launchLinear of the rows that are others than those at this address before, when `version` was the same;
/// the results of the others were kept.
int launchLinearOfNewRows(const float *x, const float *w, const float *b, float *y, int64_t rows,
                          int64_t inner, int64_t columns, int64_t version, Stream stream);
/// launchLinear for the first calls. Then each writes other numbers over x, whose results are known, so that
/// the sum of all words, and of all words times their places, stay the same; the first and the last row hold
/// a NaN then. On a GPU: launchLinear.
int launchLinearOfKnown(float *x, const float *w, const float *b, float *y, int64_t rows, int64_t inner,
                        int64_t columns, int64_t version, Stream stream);
/// launchSwish for the first calls. Later ones wait for half as long as those took; the work is done by a
/// thread when no further call comes.
int launchSwishAfterwards(const float *x, const float *scale, const float *shift, float *y, int64_t rows,
                          int64_t columns, Stream stream);
/// launchSoftmax on streams of its own, turn by turn: what comes later waits for it, and it waits for
/// nothing.
int launchSoftmaxBeside(const float *x, float *y, int64_t rows, int64_t columns, Stream stream);

} // extern "C"
