// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "referee/comparison/error_groups.h"
#include "referee/comparison/flat_values.h"

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace warpwright {

/// How far one result lies from the fp64 oracle.
///
/// `rms`: RMS of the differences over the RMS of the oracle. `largest`: the largest |difference| / (|oracle|
/// + RMS of the oracle). Both over the elements that are finite everywhere in the result's type. For integer
/// results both are the fraction that differs.
///
/// `groups`: RMS of the differences in each of the parts that Comparison names, relative to nothing.
struct ErrorSize {
    double rms = 0.0;
    double largest = 0.0;
    std::vector<double> groups;

    /// What is larger, of each.
    void widen(const ErrorSize &other);
};

/// A part of a result that has to be right by itself; see ErrorGroups.
struct ErrorGroup {
    int64_t elements = 0;
    double size = 0.0; ///< RMS of the oracle there
};

/// One output tensor of the candidate against the oracle and the reference. Every element is looked at.
struct Comparison {
    int64_t elements = 0;
    /// NaN or infinity where neither oracle nor reference has the same, or a number where one of them has
    /// none and the other another number.
    int64_t wrongSpecials = 0;
    ErrorSize candidate;
    ErrorSize reference;
    ErrorSize yardstick; ///< of the reference's own precision: its error, or what its operations may err by
    std::vector<ErrorGroup> groups;
    std::shared_ptr<const ErrorGroups> parts; ///< what the groups are
    double oracleRms = 0.0;                   ///< of what the result's type can hold
    std::vector<int64_t> worstIndex; ///< of the candidate: a wrong special first, else the largest error
    double worstExpected = 0.0;
    double worstActual = 0.0;
    double worstReference = 0.0;
    double worstError = 0.0;
    bool isInteger = false;
    int64_t outsideWorkdirTolerance = 0; ///< elements with |candidate - reference| > 1e-2 + 1e-2 |reference|
    double epsilon = 0.0;                ///< of the output's dtype; 0 for integers
};

/// All three have the same sizes; `reference` is the reference in its own precision, `workdirReference` as
/// PyTorch comes (the same tensor where no flag matters). Any strides, on one device but for the oracle,
/// which may lie on another and be computed when it is asked for: it is read twice, from the first element to
/// the last. Beside them a few parts of 16 million elements need memory.
Comparison compareOutputs(const at::Tensor &candidate, const at::Tensor &reference,
                          const at::Tensor &workdirReference, const FlatValues &oracle);

/// True where the candidate's error is at most what a result with `yardstick`'s error may have.
///
/// RMS error at most k times the yardstick's (but never less than 4 epsilon, a quarter of one in types of 16
/// bits, which are stored and not computed in), largest error at most 4 times (never less than 16 epsilon, or
/// one); k is 4, and 8 or 10 for up to 500 or 10 elements, where the RMS of so few says little. In each group
/// at most 8 times the yardstick's there, or than floorOf().
bool isWithin(const Comparison &comparison, const ErrorSize &yardstick);

/// By how much the error is larger than isWithin() allows, at the worst of its bounds; at most 1: it is not.
double excessOf(const Comparison &comparison, const ErrorSize &yardstick);

/// The group that is the worst by that, where one is worse than the whole.
struct WorstGroup {
    std::string words;  ///< empty: there is none
    double error = 0.0; ///< relative to its size, as the next
    double allowed = 0.0;
    double excess = 1.0;
    double bound = 0.0; ///< what its RMS error may be
    size_t place = 0;   ///< among the groups
};
WorstGroup worstGroupOf(const Comparison &comparison, const ErrorSize &yardstick);

/// The bounds that isWithin applies.
ErrorSize boundsFor(const Comparison &comparison, const ErrorSize &yardstick);

/// Bitwise equality of all bytes that two tensors of the same type and sizes show (NaN equals the same NaN).
bool sameBits(const at::Tensor &left, const at::Tensor &right);

/// RMS of the difference of two results over the RMS of the first; for integers the fraction that differs.
double relativeDifference(const FlatValues &first, const FlatValues &second);

/// The same, and infinite where a finite number was expected and the result has none.
double differenceOfTimed(const at::Tensor &expected, const at::Tensor &result);

/// RMS error of `result` against `oracle` as in Comparison, alone.
ErrorSize errorOf(const at::Tensor &result, const FlatValues &oracle);

} // namespace warpwright
