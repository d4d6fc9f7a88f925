// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace warpwright {

/// Errors at the same places of one result in several calls, between which inputs and parameters moved by a
/// few steps of a precision: what rounding does is another number each time, work that was left out is
/// missing each time.
using ErrorDraws = std::vector<std::vector<double>>; ///< by call, then by place

/// Mean squares over some places: of all errors, and of what all calls have in common. The latter is
/// estimated without bias, and may come out below zero.
struct ErrorEnergy {
    double all = 0.0;
    double persistent = 0.0;
};

ErrorEnergy energyOf(const ErrorDraws &errors, const std::vector<uint32_t> &places);
ErrorEnergy energyOf(const ErrorDraws &errors);

/// What an error is held against. Empty draws: there are none.
struct RoundingPattern {
    std::vector<ErrorDraws> yardsticks; ///< the reference in that precision, in the same calls
    ErrorDraws operands;                ///< with nothing rounded but what products take
    ErrorDraws stored;                  ///< exact, and rounded as a whole at the end
    /// The same two with what is rounded cut off instead.
    std::vector<ErrorDraws> truncated;
    double floor = 0.0; ///< so much is no error at all
    /// Slices of the result: in each, too, errors may not stay the same. Lists of places.
    std::vector<std::vector<uint32_t>> groups;
};

/// Whether `errors` can come from rounding: what stays of them from call to call is a part of what is new in
/// each, and of what the yardsticks' errors are; or it is what stays of rounded operands and results. What
/// stays of the yardsticks themselves (a small term that their sums swallow) excuses errors that are as new
/// as theirs, and no others: who leaves that term out makes no new ones.
///
/// `chance`: 1 where what few draws say by chance is to be excused, 0 where it is not, more where only what
/// chance never does is to be left over.
bool isFromRounding(const ErrorDraws &errors, const RoundingPattern &pattern, double chance);

} // namespace warpwright
