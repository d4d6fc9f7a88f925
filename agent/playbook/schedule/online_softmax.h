// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/kernel.h"

#include <vector>

namespace warpwright {

/// A row's maximum, and sums of exponentials of the distance from it: what a softmax is made of. One loop
/// computes both with the maximum so far: when it grows, the sums are multiplied by the exponential of the
/// difference.
struct OnlineSoftmax {
    int largest = -1;      ///< the step that is a row's maximum
    int level = -1;        ///< subtracted from the elements: that, or the step that is 0 where it is infinite
    std::vector<int> sums; ///< steps: each element has exp(v - level) as its one such factor

    bool operator==(const OnlineSoftmax &) const = default;
};

/// Only where a loop over the row is saved: all sums of the loop after the maximum's can be online.
[[nodiscard]] std::vector<OnlineSoftmax> onlineSoftmaxOf(const Kernel &kernel);

/// Whether the step is the maximum of one of these.
[[nodiscard]] bool isLargestOf(const std::vector<OnlineSoftmax> &online, int step);

/// The kernel with these sums in the loop of their maximum. Only the passes of its steps change.
[[nodiscard]] Kernel withOnlineSums(Kernel kernel, const std::vector<OnlineSoftmax> &online);

/// exp(v - maximum), never more than 1 unless a row has infinite elements.
[[nodiscard]] bool isExponentialOfDistance(const Kernel &kernel, int step);
/// The same of unrolled values, whose maximum is a chain of comparisons.
[[nodiscard]] bool isExponentialBelowMaximumChain(const Kernel &kernel, int step);

} // namespace warpwright
