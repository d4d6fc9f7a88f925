// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/kernel.h"

/// Where neighbours lie side by side, for one instruction to load or store them.
namespace warpwright {

/// The loop along which packs lie: the innermost, or that over sums that lie side by side.
[[nodiscard]] std::size_t vectorLoop(const Kernel &kernel);
/// Whether `width` neighbours can be taken at this address.
[[nodiscard]] bool isWide(const Kernel &kernel, const AffineExpr &address, int width);
/// Every second, third or fourth element is read, and the packs of `width` around them all are there: as of
/// pairs that lie side by side. So loads take what is between as well, which another leaf often needs. Not of
/// ragged rows.
[[nodiscard]] bool isStridedVector(const Kernel &kernel, const KernelInput &input, int width);
/// Whether stores there, each second to fourth element, could be gathered in packs with what is between them.
[[nodiscard]] bool isStridedVectorStore(const Kernel &kernel, const AffineExpr &address, int width);
/// How many stores, 2 or 4, fill one stretch of memory between them with what is made of narrower elements:
/// of bytes, whose packs would be several stores that lie apart; 1: they do not.
[[nodiscard]] int interleavedStores(const Kernel &kernel);
/// The step has one value for all neighbours of the innermost loop.
[[nodiscard]] bool isOneForNeighbours(const Kernel &kernel, int step);
/// Whether what a Load step finds where another step says is `width` neighbours for a pack: that step is one
/// for all of them, and its rows begin at whole packs.
[[nodiscard]] bool isGatheredVector(const Kernel &kernel, const KernelStep &load, int width);
/// Packs of `width` elements that cover a kernel without sums: rows of odd lengths begin and end within one.
[[nodiscard]] std::int64_t vectorsOf(const Kernel &kernel, int width);

} // namespace warpwright
