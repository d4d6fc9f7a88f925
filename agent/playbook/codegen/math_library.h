// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>

namespace warpwright {

/// A function that emitted kernels bring with them.
struct MathFunction {
    const char *name;
    const char *needs; ///< names, separated by spaces
    const char *cpu;   ///< null: only in the other dialect
    const char *cuda;
};

/// A GPU's: shorter than the library's, and as exact as each says. Each stands after those that it calls.
[[nodiscard]] std::span<const MathFunction> fastMathFunctions();

} // namespace warpwright
