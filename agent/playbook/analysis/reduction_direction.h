// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/kernel.h"

#include <map>

namespace warpwright {

/// Of a kernel some of whose sums read large tensors along their rows and others across them: the last of
/// those across. The threads of a kernel have neighbours in one direction, so it is better a kernel before.
/// `sums`: the node of each reduction's step. -1: all read alike.
[[nodiscard]] int uncoalescedReduction(const Kernel &kernel, const std::map<int, int> &sums);

/// Whether a kernel with sums leaves results along another loop than a large tensor lies along that it reads:
/// then a copy of its own, which turns them tile by tile, costs less.
[[nodiscard]] bool transposesResults(const Kernel &kernel);
/// The dimensions of a result at `map` in the order, from the outermost, in which the kernel's largest leaf
/// goes through memory. Empty: it goes through it in none.
[[nodiscard]] std::optional<std::vector<std::size_t>> readOrder(const Kernel &kernel, const AffineMap &map);

} // namespace warpwright
