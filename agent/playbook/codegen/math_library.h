// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>

namespace warpwright {

/// A helper function that emitted kernels define.
struct MathFunction {
    const char *name;
    const char *needs; ///< names, separated by spaces
    const char *cpu;   ///< null: only in the other dialect
    const char *cuda;
};

/// For GPUs: faster than the library's, with the error in each one's comment. Each after those that it calls.
[[nodiscard]] std::span<const MathFunction> fastMathFunctions();

} // namespace warpwright
