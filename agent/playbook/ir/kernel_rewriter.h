// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/loop_alignment.h"

#include <set>

/// A kernel's steps again in other loops: beside another kernel's, or of a part of a loop only. Conditions
/// that the loops alone decide are decided; finish() is left to the caller.
namespace warpwright {

/// Loops and steps are all there is to it: no library's call, no rows that go where values say.
[[nodiscard]] inline bool isLoopNest(const Kernel &kernel) {
    return kernel.structuredOp == StructuredOp::None && kernel.scatter.isEmpty() && !kernel.isRowPerThread;
}

/// Whether the leaf is read under a condition: what is counted may go on where its tensor has ended.
[[nodiscard]] bool isGuarded(const Kernel &kernel, int input);

/// Whether anybody reads a scan, and not only what it came to before an element.
[[nodiscard]] bool isReadItself(const Kernel &kernel, int scan);

/// What a step is made of, and itself.
[[nodiscard]] std::set<int> ancestorsOf(const Kernel &kernel, int step);

/// What both compute, in one kernel. What the first leaves in memory and the second reads at the same place
/// is not read. Empty: the second reads more of it than that.
[[nodiscard]] std::optional<Kernel> fusedIn(const AlignedLoops &loops, const Kernel &first,
                                            const Kernel &second);

/// The reader with what the maker leaves in its one store computed where it is read, several times over if
/// that is in several places. Empty: it is read in an order that the maker's loops do not have.
[[nodiscard]] std::optional<Kernel> withProducerInside(const Kernel &producer, const Kernel &consumer);

/// The rounds from `begin` to before `end` of a loop.
[[nodiscard]] Kernel partOf(const Kernel &kernel, std::size_t loop, std::int64_t begin, std::int64_t end);

/// All rounds of an outer loop side by side, with a store for each.
[[nodiscard]] Kernel unrolled(const Kernel &kernel, std::size_t loop);

/// Without inner loops: for each element of a row its steps side by side, and each sum over the row as a
/// chain. Empty: there are scans, ranks or values that places hang on.
[[nodiscard]] std::optional<Kernel> withReductionsUnrolled(const Kernel &kernel);

} // namespace warpwright
