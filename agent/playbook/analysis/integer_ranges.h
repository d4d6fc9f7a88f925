// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/kernel.h"

#include <limits>

namespace warpwright {

/// Whether 32 bits hold every integer of a kernel: counters, addresses in elements, and what it computes with
/// them, such as argmax and counts. A GPU takes several instructions to multiply or divide 64-bit integers.
/// Values from memory count as unbounded.
[[nodiscard]] bool hasInt32Values(const Kernel &kernel);

/// The same of counters and addresses only: arithmetic with integers from memory stays 64-bit.
[[nodiscard]] bool hasInt32Indexing(const Kernel &kernel);

/// A kernel's text with 64-bit counters, addresses and integers turned to 32 bits, as far as they fit.
[[nodiscard]] QString withInt32Indexing(const Kernel &kernel, QString body);

/// Bounds of a value, inclusive.
struct IntegerRange {
    double low = -std::numeric_limits<double>::infinity();
    double high = std::numeric_limits<double>::infinity();

    [[nodiscard]] bool isWithin(const IntegerRange &other) const {
        return low >= other.low && high <= other.high;
    }
};
/// Of a step: derived from its operation and the types in memory.
[[nodiscard]] IntegerRange integerRangeOf(const Kernel &kernel, int step);
/// Of an integer type.
[[nodiscard]] IntegerRange integerRangeOf(ElementType type);

/// Whether it is provably not negative; unknown values from memory may be.
[[nodiscard]] bool isNeverNegative(const Kernel &kernel, int step);

} // namespace warpwright
