// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/kernel.h"

#include <vector>

/// The operands of a matmul kernel: its sums, its matrices, its epilogue inputs. Sums of several matmuls, x A
/// + h B - c C, are one kernel of ours: it accumulates over one pair of matrices after the other, so no
/// single product reaches memory.
namespace warpwright {

/// An RNN cell GEMM: few rows, one or several sums over one first matrix, and an epilogue; the gates of a
/// time step are slices of one matmul's columns. A custom GEMM (isSm90Matmul()) whose matrices come from the
/// caches, so it is latency-bound. It may also end with its sum.
[[nodiscard]] bool isCellMatmul(const Kernel &kernel);

/// Whether its first loop is over batches.
[[nodiscard]] bool hasBatches(const Kernel &kernel);

/// The step with the sums of the second of two matmuls or convolutions; -1: there is one. Its matrix or its
/// filters are then input 2.
[[nodiscard]] int secondSumOf(const Kernel &kernel);
/// Steps with the sums of all matmuls, the first one's first.
[[nodiscard]] std::vector<int> sumsOf(const Kernel &kernel);

/// `factor` times the product of two matrices: one term of a sum.
struct MatmulTerm {
    std::size_t first = 0;  ///< input along the result's rows
    std::size_t second = 0; ///< input along its columns
    std::int64_t inner = 0; ///< its K: the kernel's last loop, or less
    double factor = 1;

    bool operator==(const MatmulTerm &) const = default;
};

/// The terms of a step of sumsOf(), in the reference's order. Empty: it is no sum of products.
[[nodiscard]] std::vector<MatmulTerm> termsOf(const Kernel &kernel, int sum);

/// Whether there is more than one first matrix: a sum of several products, or sums with different operands.
[[nodiscard]] bool hasTerms(const Kernel &kernel);
/// The number of inputs that are multiplied: the first ones.
[[nodiscard]] std::size_t matricesOf(const Kernel &kernel);
/// Inputs from this one on are epilogue inputs.
[[nodiscard]] std::size_t firstEpilogueInput(const Kernel &kernel);

/// Whether a step is the guard that withPaddedInner() adds.
[[nodiscard]] bool isInnerGuard(const Kernel &kernel, const KernelStep &step);

/// The products with one first matrix, for one sum or for two.
struct MatmulPhase {
    std::size_t first = 0;
    std::int64_t inner = 0;
    std::vector<int> seconds;   ///< input by sum; -1: not in this phase
    std::vector<double> before; ///< what each sum is scaled by beforehand
};
/// In order of execution; requires hasTerms(). Factors scale the sum so far, as in Horner's scheme, so tensor
/// cores multiply the matrices unchanged. Empty: the sums do not share phases.
[[nodiscard]] std::vector<MatmulPhase> phasesOf(const Kernel &kernel);
/// What each sum is scaled by in the end.
[[nodiscard]] std::vector<double> lastFactors(const Kernel &kernel);

/// Adds another kernel's steps, which have the same loops; returns the new number of each.
std::vector<int> addSteps(Kernel &all, const Kernel &other);
/// A matmul with its K padded to that of another: elements beyond the end are zero.
[[nodiscard]] Kernel withPaddedInner(const Kernel &matmul, std::int64_t inner);
/// Sums that the kernel only adds or subtracts, merged into one sum each.
[[nodiscard]] Kernel mergedSums(const Kernel &kernel);

} // namespace warpwright
