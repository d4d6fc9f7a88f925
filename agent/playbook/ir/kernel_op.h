// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/ir/reference_graph.h"

#include <QString>

#include <optional>

namespace warpwright {

/// The words that a fused kernel is made of, whatever the reference was written in.
enum class KernelOp {
    Load,   ///< an element of a leaf; where operands say, if their condition holds
    Number, ///< a constant
    Index,  ///< what a counter stands for: arange
    Add,
    Subtract,
    Multiply,
    Divide,
    Negate,
    Absolute,
    Exponential,
    ExponentialLess1,
    Logarithm,
    Logarithm1Plus,
    SquareRoot,
    Sine,
    Cosine,
    Tangens,
    ArcSine,
    ArcCosine,
    ArcTangens,
    HyperbolicSine,
    HyperbolicCosine,
    ArcHyperbolicSine,
    ArcHyperbolicCosine,
    ArcHyperbolicTangens,
    HyperbolicTangent,
    Sigmoid,
    ErrorFunction,
    ErrorFunctionLeft,    ///< 1 - erf
    ErrorFunctionInverse, ///< of erf
    LogarithmOfGamma,
    Digamma,
    ExponentialOf2,
    LogarithmOf2,
    LogarithmOf10,
    Floor,
    Ceiling,
    Round,
    Truncate,
    Power,
    ArcTangensOfTwo,
    Hypotenuse,
    CopySign,
    Remainder,          ///< with the divisor's sign, as Python's %
    TruncatedRemainder, ///< with the dividend's sign, as C's %
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
    ScanBefore, ///< what the scan that it is of came to before this element; a row's first: where scans begin
    // From here on: over a row
    RowSum,
    RowProduct,
    RowMaximum,
    RowMinimum,
    RowRanked, ///< the element of a rank, from 1, the largest, on: a number is its second operand
};

[[nodiscard]] bool isReduction(KernelOp op);
/// Loops over a row until it is known, beginning with the one that has its operands.
[[nodiscard]] int loopsOver(KernelOp op);
[[nodiscard]] bool isScan(KernelOp op);
[[nodiscard]] bool isCommutative(KernelOp op);
[[nodiscard]] bool isComparison(KernelOp op);
/// What makes one of two elements, as a reduction makes one of a row. `isTruth`: of booleans.
[[nodiscard]] KernelOp pairOf(KernelOp reduction, bool isTruth);
/// Tens of instructions for one element.
[[nodiscard]] bool isExpensive(KernelOp op);
/// Operations for one element, as the judge counts them: one.
[[nodiscard]] QString kernelOpName(KernelOp op);

/// torch's operator that is one word here, with one or two tensors or numbers as operands and nothing else to
/// know: "exp", "add.Tensor" (with its alpha being 1). Others are the translation's business.
[[nodiscard]] std::optional<KernelOp> plainOp(const QString &op);

} // namespace warpwright
