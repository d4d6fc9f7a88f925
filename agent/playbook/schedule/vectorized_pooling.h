// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/kernel.h"

#include <cstddef>
#include <set>

namespace warpwright {

/// Short rows whose neighbours are contiguous wherever they are read and written: pooling in NHWC, or along
/// any dimension but the last. A thread can take so many of them at once, with loads of up to 16 bytes; or as
/// many as it stores with 8 bytes, of unit-stride windows that share elements. 1: another kernel.
[[nodiscard]] int rowsPerThread(const Kernel &kernel);
/// Whether such a thread loads any of its rows' elements as scalars.
[[nodiscard]] bool loadsRowsAsScalars(const Kernel &kernel);

/// Steps whose value differs between the rows of a thread: loads along the last outer loop, and what depends
/// on them.
[[nodiscard]] std::set<int> stepsAcrossRows(const Kernel &kernel);
/// Whether so many rows of a thread, along the loop `lane`, are one aligned load of it.
[[nodiscard]] bool isVectorInput(const KernelInput &input, std::size_t adjacentLoop, int width);

} // namespace warpwright
