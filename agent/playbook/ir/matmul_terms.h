// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/kernel.h"

#include <vector>

/// What a product's kernel multiplies: its sums, its matrices, and what is read beside them. Sums of several
/// products, x A + h B - c C, are one kernel of ours: they go on from one pair of matrices to the next, and
/// no product by itself reaches the memory.
namespace warpwright {

/// A product of few rows, or several with one first matrix, with what is made of their sums: a turn of a loop
/// over time, whose gates are parts of one product's columns. An own product (isSm90Matmul()), but of few
/// rows: the matrices come from the caches, and waiting for them is what it does. It may also end with its
/// sum.
[[nodiscard]] bool isCellMatmul(const Kernel &kernel);

/// Whether its loops begin with batches: products of their own.
[[nodiscard]] bool hasBatches(const Kernel &kernel);

/// The step with the sums of the second of two products, or convolutions; -1: there is one. Its matrix, or
/// its filters, are leaf 2 then.
[[nodiscard]] int otherSumOf(const Kernel &kernel);
/// Steps with the sums of all products, the first one's first.
[[nodiscard]] std::vector<int> sumsOf(const Kernel &kernel);

/// `factor` times the product of two matrices: what a sum is of, or a part of it.
struct MatmulTerm {
    std::size_t first = 0;  ///< leaf that lies along the result's rows
    std::size_t second = 0; ///< along its columns
    std::int64_t inner = 0; ///< that it sums over: the kernel's last loop, or less
    double factor = 1;

    bool operator==(const MatmulTerm &) const = default;
};

/// What a step of sumsOf() is of, in the order of the reference. Empty: of something else.
[[nodiscard]] std::vector<MatmulTerm> termsOf(const Kernel &kernel, int sum);

/// Whether sums go over more than one first matrix: of several products, or each of another one.
[[nodiscard]] bool hasTerms(const Kernel &kernel);
/// So many leaves are matrices that are multiplied: the first ones.
[[nodiscard]] std::size_t matricesOf(const Kernel &kernel);
/// Leaves from this one on are read beside the matrices.
[[nodiscard]] std::size_t firstEpilogueInput(const Kernel &kernel);

/// Whether a step says how far one of several products sums: withPaddedInner().
[[nodiscard]] bool isInnerGuard(const Kernel &kernel, const KernelStep &step);

/// What is multiplied by one first matrix, for one sum or for two.
struct MatmulPhase {
    std::size_t first = 0;
    std::int64_t inner = 0;
    std::vector<int> seconds;   ///< of each sum a leaf; -1: it has no part in this
    std::vector<double> before; ///< what each sum so far is multiplied by beforehand
};
/// In the order of work; of one that hasTerms(). Horner's scheme: factors are of what was summed until then,
/// so the units multiply matrices as they lie. Empty: the sums do not go along with each other.
[[nodiscard]] std::vector<MatmulPhase> phasesOf(const Kernel &kernel);
/// What each sum is multiplied by when it is done.
[[nodiscard]] std::vector<double> lastFactors(const Kernel &kernel);

/// Another kernel's steps, in the same loops, in this one as well: where each of them is there.
std::vector<int> addSteps(Kernel &all, const Kernel &other);
/// A product with what it is multiplied over as long as another one's: what is not there counts as zero.
[[nodiscard]] Kernel withPaddedInner(const Kernel &matmul, std::int64_t inner);
/// Sums of which the kernel only knows what they come to together, or less one another, as one sum each.
[[nodiscard]] Kernel summedTogether(const Kernel &kernel);

} // namespace warpwright
