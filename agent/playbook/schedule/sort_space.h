// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/kernel.h"

#include <vector>

/// How sorted rows are shared by threads.
namespace warpwright {

/// Elements of a row that a thread has, the most promising number first: four at most.
[[nodiscard]] std::vector<int> sortedPerThread(const Kernel &kernel);

/// What elements are compared as: as they lie in memory, halves as floats.
[[nodiscard]] ElementType comparedType(const Kernel &kernel);
/// Bytes of what is compared on a GPU: an element as a whole number, and with it its place where that is
/// asked for or decides between equal ones.
[[nodiscard]] int bytesOfEntry(const Kernel &kernel);

} // namespace warpwright
