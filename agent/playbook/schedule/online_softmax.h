// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/kernel.h"

#include <vector>

namespace warpwright {

/// A row's largest element, and sums of exponentials of the distance from it: what a softmax is made of. They
/// can be formed in one loop, where the largest so far stands for the largest of all: when a larger one
/// comes, what was summed is multiplied by the exponential of their distance.
struct OnlineSoftmax {
    int largest = -1; ///< the step that is a row's maximum
    int level = -1;   ///< what is taken from the elements: that, or the step that says 0 where it is infinite
    std::vector<int> sums; ///< steps: each element has exp(v - level) as a factor, and nothing else of it

    bool operator==(const OnlineSoftmax &) const = default;
};

/// Only where a loop over the row is saved: all sums of the loop after the largest's can run along.
[[nodiscard]] std::vector<OnlineSoftmax> onlineSoftmaxOf(const Kernel &kernel);

/// Whether the step is the largest element of one of these.
[[nodiscard]] bool isLargestOf(const std::vector<OnlineSoftmax> &online, int step);

/// The kernel with these sums in the loop of their largest one. The steps stay as they are, but for their
/// passes.
[[nodiscard]] Kernel withOnlineSums(Kernel kernel, const std::vector<OnlineSoftmax> &online);

/// exp(v - largest), never more than 1 but where a row has infinite elements.
[[nodiscard]] bool isExponentialOfDistance(const Kernel &kernel, int step);
/// The same of values side by side, the largest of which is found by a chain of comparisons.
[[nodiscard]] bool isExponentialBelowMaximumChain(const Kernel &kernel, int step);

} // namespace warpwright
