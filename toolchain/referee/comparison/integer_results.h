// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ATen/core/Tensor.h>

#include <string>

namespace warpwright {

/// Where whole numbers of a result come from (worker/warpwright_origins.py), in the oracle or the reference.
struct IntegerOrigin {
    enum class Kind { Unknown, Choice, Step };

    Kind kind = Kind::Unknown;
    at::Tensor keys;      ///< Choice: [rows, n], what was chosen among
    at::Tensor rows;      ///< Choice: of each number, which row it is of
    bool isOnce = false;  ///< Choice: no index comes twice in a row
    at::Tensor values;    ///< Step: what each number was before it was rounded
    std::string rounding; ///< Step: nearest, down, up, to zero, sign
};

/// What is to be said of whole numbers that differ from the oracle's.
struct IntegerVerdict {
    bool isRight = false;
    std::string words; ///< a part of a sentence: why it is right, or why it is not; empty: nothing is known
};

/// Right are indices of values that are equal within the reference's own rounding error, and numbers one step
/// beside the oracle's where the value before rounding lies on the border within that error. `own`: of the
/// reference in its own precision. All of one shape.
IntegerVerdict judgeIntegers(const at::Tensor &candidate, const at::Tensor &reference,
                             const at::Tensor &oracle, const IntegerOrigin &exact, const IntegerOrigin &own);

} // namespace warpwright
