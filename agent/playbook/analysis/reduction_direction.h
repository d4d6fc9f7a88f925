// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/kernel.h"

#include <map>

namespace warpwright {

/// In a kernel with some reductions along the rows of large tensors and others across them: the last of those
/// across. Threads can be coalesced in one direction only, so it is better a kernel of its own. `sums`: the
/// node of each reduction's step. -1: all have one direction.
[[nodiscard]] int uncoalescedReduction(const Kernel &kernel, const std::map<int, int> &sums);

/// Whether a kernel with reductions stores results along another dimension than a large input is contiguous
/// in: a separate transpose through shared memory then costs less.
[[nodiscard]] bool transposesResults(const Kernel &kernel);
/// The dimensions of a result at `map`, from the outermost, in the memory order of the kernel's largest
/// input. Empty: it is not read in such an order.
[[nodiscard]] std::optional<std::vector<std::size_t>> readOrder(const Kernel &kernel, const AffineMap &map);

} // namespace warpwright
