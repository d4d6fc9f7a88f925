// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/kernel.h"

#include <vector>

/// How threads share sorted rows.
namespace warpwright {

/// Elements of a row per thread, best expected number first: four numbers at most.
[[nodiscard]] std::vector<int> sortedPerThread(const Kernel &kernel);

/// The type in which elements are compared: as stored, halves as floats.
[[nodiscard]] ElementType comparedType(const Kernel &kernel);
/// Bytes of a sort key on a GPU: an element as an integer, and its index where that is a result or breaks
/// ties.
[[nodiscard]] int bytesOfEntry(const Kernel &kernel);

} // namespace warpwright
