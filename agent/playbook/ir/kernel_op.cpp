// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/ir/kernel_op.h"

#include <QHash>

#include <array>

namespace warpwright {

bool isReduction(KernelOp op) {
    return op >= KernelOp::RowSum;
}

int loopsOver(KernelOp op) {
    // A rank is searched for in elements that a loop before has computed.
    return op == KernelOp::RowRanked ? 2 : isReduction(op) ? 1 : 0;
}

bool isScan(KernelOp op) {
    return op >= KernelOp::ScanSum && op <= KernelOp::ScanLogSumExp;
}

bool isCommutative(KernelOp op) {
    switch (op) {
    case KernelOp::Add:
    case KernelOp::Multiply:
    case KernelOp::Maximum:
    case KernelOp::Minimum:
    case KernelOp::Equal:
    case KernelOp::NotEqual:
    case KernelOp::And:
    case KernelOp::Or:
    case KernelOp::BitAnd:
    case KernelOp::BitOr:
    case KernelOp::BitXor:
    case KernelOp::Hypotenuse:
        return true;
    default:
        return false;
    }
}

bool isComparison(KernelOp op) {
    return op >= KernelOp::Less && op <= KernelOp::NotEqual;
}

KernelOp pairOf(KernelOp reduction, bool isTruth) {
    switch (reduction) {
    case KernelOp::RowSum:
        return KernelOp::Add;
    case KernelOp::RowProduct:
        return KernelOp::Multiply;
    case KernelOp::RowMaximum:
        return isTruth ? KernelOp::Or : KernelOp::Maximum;
    default:
        return isTruth ? KernelOp::And : KernelOp::Minimum;
    }
}

bool isExpensive(KernelOp op) {
    return (op >= KernelOp::Exponential && op <= KernelOp::Logarithm1Plus) ||
           (op >= KernelOp::Sine && op <= KernelOp::LogarithmOf10) ||
           (op >= KernelOp::Power && op <= KernelOp::Hypotenuse) || op == KernelOp::ScanLogSumExp;
}

QString kernelOpName(KernelOp op) {
    static constexpr std::array names = {"load",         "number",       "index",
                                         "add",          "subtract",     "multiply",
                                         "divide",       "negate",       "abs",
                                         "exp",          "expm1",        "log",
                                         "log1p",        "sqrt",         "sin",
                                         "cos",          "tan",          "asin",
                                         "acos",         "atan",         "sinh",
                                         "cosh",         "asinh",        "acosh",
                                         "atanh",        "tanh",         "sigmoid",
                                         "erf",          "erfc",         "erfinv",
                                         "lgamma",       "digamma",      "exp2",
                                         "log2",         "log10",        "floor",
                                         "ceil",         "round",        "trunc",
                                         "power",        "atan2",        "hypot",
                                         "copysign",     "remainder",    "truncated-remainder",
                                         "bit-and",      "bit-or",       "bit-xor",
                                         "shift-left",   "shift-right",  "maximum",
                                         "minimum",      "less",         "less-or-equal",
                                         "equal",        "not-equal",    "and",
                                         "or",           "not",          "select",
                                         "convert",      "scan-sum",     "scan-product",
                                         "scan-maximum", "scan-minimum", "scan-log-sum-exp",
                                         "scan-before",  "row-sum",      "row-product",
                                         "row-maximum",  "row-minimum",  "row-ranked"};
    static_assert(names.size() == static_cast<std::size_t>(KernelOp::RowRanked) + 1);
    return QLatin1String(names[static_cast<std::size_t>(op)]);
}

std::optional<KernelOp> plainOp(const QString &op) {
    static const QHash<QString, KernelOp> words = {
        {QStringLiteral("add"), KernelOp::Add},
        {QStringLiteral("sub"), KernelOp::Subtract},
        {QStringLiteral("mul"), KernelOp::Multiply},
        {QStringLiteral("div"), KernelOp::Divide},
        {QStringLiteral("neg"), KernelOp::Negate},
        {QStringLiteral("abs"), KernelOp::Absolute},
        {QStringLiteral("exp"), KernelOp::Exponential},
        {QStringLiteral("expm1"), KernelOp::ExponentialLess1},
        {QStringLiteral("log"), KernelOp::Logarithm},
        {QStringLiteral("log1p"), KernelOp::Logarithm1Plus},
        {QStringLiteral("sqrt"), KernelOp::SquareRoot},
        {QStringLiteral("sin"), KernelOp::Sine},
        {QStringLiteral("cos"), KernelOp::Cosine},
        {QStringLiteral("tan"), KernelOp::Tangens},
        {QStringLiteral("asin"), KernelOp::ArcSine},
        {QStringLiteral("acos"), KernelOp::ArcCosine},
        {QStringLiteral("atan"), KernelOp::ArcTangens},
        {QStringLiteral("sinh"), KernelOp::HyperbolicSine},
        {QStringLiteral("cosh"), KernelOp::HyperbolicCosine},
        {QStringLiteral("asinh"), KernelOp::ArcHyperbolicSine},
        {QStringLiteral("acosh"), KernelOp::ArcHyperbolicCosine},
        {QStringLiteral("atanh"), KernelOp::ArcHyperbolicTangens},
        {QStringLiteral("erfc"), KernelOp::ErrorFunctionLeft},
        {QStringLiteral("erfinv"), KernelOp::ErrorFunctionInverse},
        {QStringLiteral("lgamma"), KernelOp::LogarithmOfGamma},
        {QStringLiteral("digamma"), KernelOp::Digamma},
        {QStringLiteral("exp2"), KernelOp::ExponentialOf2},
        {QStringLiteral("log2"), KernelOp::LogarithmOf2},
        {QStringLiteral("log10"), KernelOp::LogarithmOf10},
        {QStringLiteral("atan2"), KernelOp::ArcTangensOfTwo},
        {QStringLiteral("hypot"), KernelOp::Hypotenuse},
        {QStringLiteral("copysign"), KernelOp::CopySign},
        {QStringLiteral("tanh"), KernelOp::HyperbolicTangent},
        {QStringLiteral("sigmoid"), KernelOp::Sigmoid},
        {QStringLiteral("erf"), KernelOp::ErrorFunction},
        {QStringLiteral("floor"), KernelOp::Floor},
        {QStringLiteral("ceil"), KernelOp::Ceiling},
        {QStringLiteral("round"), KernelOp::Round},
        {QStringLiteral("trunc"), KernelOp::Truncate},
        {QStringLiteral("remainder"), KernelOp::Remainder},
        {QStringLiteral("fmod"), KernelOp::TruncatedRemainder},
        {QStringLiteral("maximum"), KernelOp::Maximum},
        {QStringLiteral("minimum"), KernelOp::Minimum},
        {QStringLiteral("lt"), KernelOp::Less},
        {QStringLiteral("le"), KernelOp::LessOrEqual},
        {QStringLiteral("eq"), KernelOp::Equal},
        {QStringLiteral("ne"), KernelOp::NotEqual},
        {QStringLiteral("logical_and"), KernelOp::And},
        {QStringLiteral("logical_or"), KernelOp::Or},
        {QStringLiteral("logical_not"), KernelOp::Not},
        {QStringLiteral("where"), KernelOp::Select},
    };
    const auto found = words.constFind(op.section(QLatin1Char('.'), 0, 0));
    return found == words.constEnd() ? std::nullopt : std::optional(*found);
}

} // namespace warpwright
