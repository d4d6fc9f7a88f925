// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/loop_alignment.h"

#include <set>

/// Copies a kernel's steps into other loops: fused with another kernel's, or over a part of a loop.
/// Conditions that the loops alone decide are folded; the caller calls finish().
namespace warpwright {

/// Nothing but loops and steps: no structured op, no scatter, no loop within a thread.
[[nodiscard]] inline bool isLoopNest(const Kernel &kernel) {
    return kernel.isLoops() && !kernel.isScattered() && !kernel.isRowPerThread;
}

/// Whether the input is read under a guard: loops may extend beyond its tensor.
[[nodiscard]] bool isGuarded(const Kernel &kernel, int input);

/// Whether a scan is used inclusively, not only by ScanExclusive.
[[nodiscard]] bool isReadInclusively(const Kernel &kernel, int scan);

/// The step and all that it depends on.
[[nodiscard]] std::set<int> ancestorsOf(const Kernel &kernel, int step);

/// Both kernels in one. The second's loads of what the first stores become uses of that value. Empty: the
/// second reads other elements of it.
[[nodiscard]] std::optional<Kernel> fusedIn(const AlignedLoops &loops, const Kernel &first,
                                            const Kernel &second);

/// The consumer with the producer's only store recomputed at each load of it. Empty: a load's order is not
/// affine in the producer's loops.
[[nodiscard]] std::optional<Kernel> withProducerInside(const Kernel &producer, const Kernel &consumer);

/// Iterations `begin` to before `end` of a loop.
[[nodiscard]] Kernel loopSlice(const Kernel &kernel, std::size_t loop, std::int64_t begin, std::int64_t end);

/// An outer loop fully unrolled, with a store for each iteration.
[[nodiscard]] Kernel unrolled(const Kernel &kernel, std::size_t loop);

/// Inner loops fully unrolled, each reduction as a chain of operations. Empty: there are scans or selections
/// by rank.
[[nodiscard]] std::optional<Kernel> withReductionsUnrolled(const Kernel &kernel);

} // namespace warpwright
