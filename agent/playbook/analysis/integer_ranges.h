// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/kernel.h"

#include <limits>

namespace warpwright {

/// Whether 32 bits hold every whole number of a kernel: counters, addresses in elements, and what it computes
/// with them, places of extremes and counts too. A GPU multiplies and divides numbers of 64 bits by several
/// instructions each. Values from memory are taken for unbounded.
[[nodiscard]] bool hasInt32Values(const Kernel &kernel);

/// The same of counters and addresses alone: what it computes with whole numbers from memory has 64 bits.
[[nodiscard]] bool hasInt32Indexing(const Kernel &kernel);

/// A kernel's body with counters, addresses and numbers of 64 bits, and where 32 hold them all, of 32.
[[nodiscard]] QString withInt32Indexing(const Kernel &kernel, QString body);

/// Between which values a number lies, both included.
struct IntegerRange {
    double low = -std::numeric_limits<double>::infinity();
    double high = std::numeric_limits<double>::infinity();

    [[nodiscard]] bool isWithin(const IntegerRange &other) const {
        return low >= other.low && high <= other.high;
    }
};
/// Of a step: as far as its formula and the types in memory say.
[[nodiscard]] IntegerRange integerRangeOf(const Kernel &kernel, int step);
/// What an integer type holds.
[[nodiscard]] IntegerRange integerRangeOf(ElementType type);

/// Whether its formula says so: a number from memory may be.
[[nodiscard]] bool isNeverNegative(const Kernel &kernel, int step);

} // namespace warpwright
