// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/affine_map.h"
#include "agent/playbook/ir/kernel.h"
#include "agent/playbook/ir/reference_graph.h"

#include <vector>

/// Products of a tall matrix with a small one, and which products are finished by which kernel of ours.
namespace warpwright {

/// Whether a product is one of a tall matrix with a small one: so few multiplications an element that a GPU's
/// memory decides, and a library's tiles would stand mostly empty. The plan is the same as for a library.
[[nodiscard]] bool isSkinnyMatmul(const Kernel &kernel);
/// Whether it goes on with its sums: what a reader made of each is part of it.
[[nodiscard]] bool hasFusedEpilogue(const Kernel &kernel);
/// Whether such a product can.
[[nodiscard]] bool canBeSkinnyMatmulWithEpilogue(const Kernel &kernel);
/// The same, of {rows of the tall matrix, elements of a sum, columns}, in bytes an element.
[[nodiscard]] bool isSkinnyMatmul(const Shape &sizes, int bytes);
/// Rows that one thread may make: the launcher's choices.
[[nodiscard]] std::vector<int> skinnyMatmulRows(const Kernel &kernel);

/// A product whose result is not what is multiplied but what a reader has made of it, which no library does:
/// a kernel of ours, for the matrix units of compute capability 9.0. Its steps after resultStep() say what is
/// made; all of its memory has one type. It may take in two products with one first matrix: a gate and what
/// goes through it. A turn's product of few rows is one, too (`turn_product`), with any number of these.
[[nodiscard]] bool isSm90Matmul(const Kernel &kernel);

inline constexpr int skinnyMatmulThreads = 128; ///< of a block

/// A product's loops by their part: `tall` is rows or columns, `small` the other one.
struct SkinnyMatmulLoops {
    std::size_t batches = 0; ///< so many loops come first
    std::size_t tall = 0;
    std::size_t small = 0;
    std::size_t inner = 0;
    std::size_t tallInput = 0;

    explicit SkinnyMatmulLoops(const Kernel &kernel)
        : batches(kernel.loops.size() - 3), inner(kernel.loops.size() - 1) {
        const bool isTransposed = kernel.loops[batches + 1] > kernel.loops[batches];
        tall = batches + (isTransposed ? 1 : 0);
        small = batches + (isTransposed ? 0 : 1);
        tallInput = isTransposed ? 1 : 0;
    }

    /// Whether neighbours in memory are of one row: a warp that takes a row a thread would read across.
    bool isReadAcross(const Kernel &kernel) const {
        return isAlong(kernel, kernel.inputs[tallInput].address, inner);
    }
    bool isWrittenAcross(const Kernel &kernel) const {
        return isAlong(kernel, kernel.stores[0].address, small);
    }

private:
    bool isAlong(const Kernel &kernel, const AffineExpr &address, std::size_t loop) const {
        return address.steps[loop] == 1 && address.steps[tall] != 1 && kernel.loops[loop] > 1;
    }
};

} // namespace warpwright
