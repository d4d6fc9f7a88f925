// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ATen/core/Tensor.h>

#include <cmath>
#include <cstdint>

namespace warpwright {

/// Passes over tensors in a CPU's memory: numbers that lie side by side, several at once. torch's expressions
/// for the same take twenty times as long, and are what a GPU gets.

/// What `candidate` and `reference` differ from `oracle` by.
struct ErrorPass {
    double candidateSquares = 0.0;
    double referenceSquares = 0.0;
    double candidateLargest = 0.0; ///< relative to |oracle| + floor
    double referenceLargest = 0.0;
    double oracleLargest = 0.0;

    /// Every number was finite, and so were all squares. Nothing of the rest is known otherwise.
    bool isFinite() const { return std::isfinite(candidateSquares + referenceSquares); }
};

/// Of `count` numbers each; `floor` > 0.
ErrorPass errorPass(const double *candidate, const double *reference, const double *oracle, int64_t count,
                    double floor);

/// Of `count` numbers: those with |result - expected| > absolute + relative |expected|, where infinities and
/// equal numbers are within, NaN is not.
int64_t outsidePass(const double *result, const double *expected, int64_t count, double absolute,
                    double relative);

/// Of the elements of the first, and of the differences, that are finite.
struct FiniteSquares {
    double first = 0.0;
    double differences = 0.0;
    int64_t firstCount = 0;
    int64_t differenceCount = 0;

    static double rms(double squares, int64_t count) {
        return count > 0 ? std::sqrt(squares / static_cast<double>(count)) : 0.0;
    }
    double rmsOfFirst() const { return rms(first, firstCount); }
    double rmsOfDifference() const { return rms(differences, differenceCount); }
};

/// Flat tensors of the same length, of any types.
FiniteSquares finiteSquares(const at::Tensor &first, const at::Tensor &second);

/// Whether two contiguous tensors of the same length in bytes hold the same bytes.
bool sameBytes(const at::Tensor &left, const at::Tensor &right);

} // namespace warpwright
