// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/reference_graph.h"

#include <QString>

#include <optional>

namespace warpwright {

/// The words that a fused kernel is made of, whatever the reference was written in.
enum class Opcode {
    Load,   ///< an element of a leaf; where operands say, if their condition holds
    Number, ///< a constant
    Index,  ///< what a counter stands for: arange
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
    // Along a row: of its elements up to this one
    ScanSum,
    ScanProduct,
    ScanMaximum,
    ScanMinimum,
    ScanLogSumExp,
    ScanExclusive, ///< what the scan that it is of came to before this element; a row's first: where scans
                   ///< begin
    // From here on: over a row
    RowSum,
    RowProduct,
    RowMaximum,
    RowMinimum,
    RowKthValue, ///< the element of a rank, from 1, the largest, on: a number is its second operand
};

[[nodiscard]] bool isReduction(Opcode op);
/// Loops over a row until it is known, beginning with the one that has its operands.
[[nodiscard]] int passesOf(Opcode op);
[[nodiscard]] bool isScan(Opcode op);
[[nodiscard]] bool isCommutative(Opcode op);
[[nodiscard]] bool isComparison(Opcode op);
/// What makes one of two elements, as a reduction makes one of a row. `isTruth`: of booleans.
[[nodiscard]] Opcode combinerOf(Opcode reduction, bool isTruth);
/// Tens of instructions for one element.
[[nodiscard]] bool isExpensive(Opcode op);
/// Operations for one element, as the judge counts them: one.
[[nodiscard]] QString opcodeName(Opcode op);

/// torch's operator that is one word here, with one or two tensors or numbers as operands and nothing else to
/// know: "exp", "add.Tensor" (with its alpha being 1). Others are the translation's business.
[[nodiscard]] std::optional<Opcode> opcodeFromName(const QString &op);

} // namespace warpwright
