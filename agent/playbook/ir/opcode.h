// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/reference_graph.h"

#include <QString>

#include <optional>

namespace warpwright {

/// Operations of kernel steps, whatever the reference was written in.
enum class Opcode {
    Load,   ///< an element of an input, at an index by its operands if it has any; guarded if isGuarded
    Number, ///< a constant
    Index,  ///< an affine function of counters: arange
    Add,
    Subtract,
    Multiply,
    Divide,
    Negate,
    Abs,
    Exp,
    Expm1,
    Log,
    Log1p,
    Sqrt,
    Sin,
    Cos,
    Tan,
    Asin,
    Acos,
    Atan,
    Sinh,
    Cosh,
    Asinh,
    Acosh,
    Atanh,
    Tanh,
    Sigmoid,
    Erf,
    Erfc,   ///< 1 - erf
    Erfinv, ///< of erf
    Lgamma,
    Digamma,
    Exp2,
    Log2,
    Log10,
    Floor,
    Ceil,
    Round,
    Trunc,
    Pow,
    Atan2,
    Hypot,
    CopySign,
    Remainder, ///< with the divisor's sign, as Python's %
    Fmod,      ///< with the dividend's sign, as C's %
    BitAnd,
    BitOr,
    BitXor,
    ShiftLeft, ///< by 0 to 63
    ShiftRight,
    Maximum,
    Minimum,
    Less,
    LessOrEqual,
    Equal,
    NotEqual,
    And,
    Or,
    Not,
    Select, ///< condition ? first : second
    Convert,
    // Inclusive scans along a row
    ScanSum,
    ScanProduct,
    ScanMaximum,
    ScanMinimum,
    ScanLogSumExp,
    ScanExclusive, ///< the scan's value before this element; a row's first element: the identity
    // Reductions over a row, from here on
    RowSum,
    RowProduct,
    RowMaximum,
    RowMinimum,
    RowKthValue, ///< the element of a rank, a constant as its second operand; 1: the largest
};

[[nodiscard]] bool isReduction(Opcode op);
/// Loops over a row to compute it, counted from the one that computes its operands.
[[nodiscard]] int passesOf(Opcode op);
[[nodiscard]] bool isScan(Opcode op);
[[nodiscard]] bool isCommutative(Opcode op);
[[nodiscard]] bool isComparison(Opcode op);
/// The binary operation that a reduction repeats. `isTruth`: of booleans.
[[nodiscard]] Opcode combinerOf(Opcode reduction, bool isTruth);
/// Takes tens of instructions.
[[nodiscard]] bool isExpensive(Opcode op);
[[nodiscard]] QString opcodeName(Opcode op);

/// The opcode of a torch operator that takes one or two tensors or numbers and no other arguments: "exp",
/// "add.Tensor" (with alpha 1). Others are left to the lowering.
[[nodiscard]] std::optional<Opcode> opcodeFromName(const QString &op);

} // namespace warpwright
