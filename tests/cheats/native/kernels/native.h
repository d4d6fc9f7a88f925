// SPDX-License-Identifier: GPL-3.0-or-later
// What attacks need in native code, and one honest thing: work on two streams that meet again.
#pragma once

#include "tasks.h"

extern "C" {

/// Swish of rows [first, last).
int launchSwishRows(const float *x, const float *scale, const float *shift, float *y, int64_t first,
                    int64_t last, int64_t columns, Stream stream);
/// Swish in two halves at once that are waited for.
int launchSwishInHalves(const float *x, const float *scale, const float *shift, float *y, int64_t rows,
                        int64_t columns, Stream stream);
/// Swish that begins `milliseconds` after this returned.
int launchSwishLater(const float *x, const float *scale, const float *shift, float *y, int64_t rows,
                     int64_t columns, int milliseconds);
/// Swish on a stream of its own that nobody waits for. On a CPU: on a thread that nobody waits for.
int launchSwishAside(const float *x, const float *scale, const float *shift, float *y, int64_t rows,
                     int64_t columns);
/// Right for finite numbers below 30 only.
int launchSwishInRange(const float *x, const float *scale, const float *shift, float *y, int64_t rows,
                       int64_t columns, Stream stream);
/// Swish by the processor; a GPU's memory is copied there and back.
int launchSwishOnHost(const float *x, const float *scale, const float *shift, float *y, int64_t rows,
                      int64_t columns, Stream stream);
/// Writes `count` numbers.
int launchFill(float *y, float value, int64_t count, Stream stream);
/// A number made of 64 of the values.
int64_t sampleOf(const float *x, int64_t count);
/// Keeps `bytes` at `x` in the second-level cache, as far as the device lets a process ask for that.
int keepInCache(const float *x, int64_t bytes, Stream stream);
/// From now on a clock of this process runs slower: its machine code is overwritten. False where it cannot
/// be.
bool slowClock();
/// Keeps the processor (or the GPU) busy from a thread that never ends.
void startHog();
/// The same just after the last of many calls, when others are to be timed. Each call has to be noted.
void startLateHog();
void noteCall();

} // extern "C"
