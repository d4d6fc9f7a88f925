// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/kernel.h"

#include <cstddef>
#include <set>

namespace warpwright {

/// Short rows whose neighbours lie side by side wherever they are read and written: pooling with channels
/// last, or along any dimension but the last. So many of them a thread can take at once, with loads of up to
/// 16 bytes; or as many as it stores with 8 bytes, of windows that go along memory one
/// by one and have elements in common. 1: it is
/// another kernel.
[[nodiscard]] int rowsPerThread(const Kernel &kernel);
/// Whether such a thread loads any of its rows' elements one by one.
[[nodiscard]] bool loadsRowsAsScalars(const Kernel &kernel);

/// Steps whose value differs between the rows that a thread takes: what is read along the last outer loop,
/// and what is made of it.
[[nodiscard]] std::set<int> stepsAcrossRows(const Kernel &kernel);
/// Whether so many rows of a thread, along the loop `lane`, are one aligned load of it.
[[nodiscard]] bool isVectorInput(const KernelInput &input, std::size_t lane, int width);

} // namespace warpwright
