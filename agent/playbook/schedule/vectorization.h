// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/kernel.h"

/// Where adjacent elements are contiguous, for one instruction to load or store them.
namespace warpwright {

/// The vectorized loop: the innermost, or that over adjacent sums.
[[nodiscard]] std::size_t vectorLoop(const Kernel &kernel);
/// Whether `width` neighbours are a vector at this address.
[[nodiscard]] bool isWide(const Kernel &kernel, const AffineExpr &address, int width);
/// Every second, third or fourth element is read, and the vectors of `width` around them lie in the tensor:
/// as of adjacent pairs. Loads take what is between as well, which another input often needs. Not of
/// unaligned rows.
[[nodiscard]] bool isStridedVector(const Kernel &kernel, const KernelInput &input, int width);
/// Whether stores there, each second to fourth element, could be merged into vectors with those between.
[[nodiscard]] bool isStridedVectorStore(const Kernel &kernel, const AffineExpr &address, int width);
/// How many stores, 2 or 4, interleave in contiguous memory, from narrower elements: of bytes, whose vectors
/// would be several strided stores; 1: they do not.
[[nodiscard]] int interleavedStores(const Kernel &kernel);
/// The step is invariant along the innermost loop.
[[nodiscard]] bool isInvariantAlongInner(const Kernel &kernel, int step);
/// Whether a gathering Load reads `width` contiguous neighbours: its index is one for all of them, and its
/// rows are aligned to vectors.
[[nodiscard]] bool isGatheredVector(const Kernel &kernel, const KernelStep &load, int width);
/// Vectors of `width` elements that cover a kernel without sums: unaligned rows begin and end within one.
[[nodiscard]] std::int64_t vectorsOf(const Kernel &kernel, int width);

} // namespace warpwright
