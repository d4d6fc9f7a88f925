// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

namespace warpwright {

/// Processors that this process may use.
size_t coreCount();

/// How many pieces of at most `step` make up `count`.
size_t chunkCount(int64_t count, int64_t step);

/// Calls `work(begin, end, number)` for each of them, on all cores that this process may use, in any order;
/// throws what the first of them threw. Who keeps one result a number and adds them up in order gets the same
/// sum every time.
void forChunks(int64_t count, int64_t step, const std::function<void(int64_t, int64_t, size_t)> &work);

} // namespace warpwright
