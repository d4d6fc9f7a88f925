// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/affine_map.h"
#include "agent/playbook/ir/kernel.h"
#include "agent/playbook/ir/reference_graph.h"

#include <vector>

/// Matmuls of a tall matrix with a small one, and which of our kernels fuses an epilogue into a matmul.
namespace warpwright {

/// Whether a matmul is one of a tall matrix with a small one: so few operations an element that it is bound
/// by memory, and a library's tiles would be mostly empty. The program is the same as for a library.
[[nodiscard]] bool isSkinnyMatmul(const Kernel &kernel);
/// Whether an epilogue is fused into it: a consumer's steps on its sums.
[[nodiscard]] bool hasFusedEpilogue(const Kernel &kernel);
/// Whether such a matmul can have one.
[[nodiscard]] bool canBeSkinnyMatmulWithEpilogue(const Kernel &kernel);
/// The same, of {rows of the tall matrix, elements of a sum, columns}, in bytes an element.
[[nodiscard]] bool isSkinnyMatmul(const Shape &sizes, int bytes);
/// Rows per thread: the launcher's configs.
[[nodiscard]] std::vector<int> skinnyMatmulRows(const Kernel &kernel);

/// A matmul whose result is a fused consumer's, which no library does: a kernel of ours, for the tensor cores
/// of compute capability 9.0. Its steps after resultStep() are the epilogue; all tensors have one type. It
/// may fuse two matmuls with one first matrix: a gate and what goes through it. An RNN cell's skinny matmul
/// is one, too (`cell_matmul`), with any number of these.
[[nodiscard]] bool isSm90Matmul(const Kernel &kernel);

inline constexpr int skinnyMatmulThreads = 128; ///< of a block

/// A matmul's loops by their role: `tall` is rows or columns, `small` the other one.
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

    /// Whether a row is contiguous in memory: a warp with a row per thread would read across.
    bool isReadTransposed(const Kernel &kernel) const {
        return isAlong(kernel, kernel.inputs[tallInput].address, inner);
    }
    bool isWrittenTransposed(const Kernel &kernel) const {
        return isAlong(kernel, kernel.stores[0].address, small);
    }

private:
    bool isAlong(const Kernel &kernel, const AffineExpr &address, std::size_t loop) const {
        return address.steps[loop] == 1 && address.steps[tall] != 1 && kernel.loops[loop] > 1;
    }
};

} // namespace warpwright
