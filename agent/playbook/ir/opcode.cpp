// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/ir/opcode.h"

#include <QHash>

#include <array>

namespace warpwright {

bool isReduction(Opcode op) {
    return op >= Opcode::RowSum;
}

int passesOf(Opcode op) {
    // Selecting by rank needs the elements of an earlier loop.
    return op == Opcode::RowKthValue ? 2 : isReduction(op) ? 1 : 0;
}

bool isScan(Opcode op) {
    return op >= Opcode::ScanSum && op <= Opcode::ScanLogSumExp;
}

bool isCommutative(Opcode op) {
    switch (op) {
    case Opcode::Add:
    case Opcode::Multiply:
    case Opcode::Maximum:
    case Opcode::Minimum:
    case Opcode::Equal:
    case Opcode::NotEqual:
    case Opcode::And:
    case Opcode::Or:
    case Opcode::BitAnd:
    case Opcode::BitOr:
    case Opcode::BitXor:
    case Opcode::Hypot:
        return true;
    default:
        return false;
    }
}

bool isComparison(Opcode op) {
    return op >= Opcode::Less && op <= Opcode::NotEqual;
}

Opcode combinerOf(Opcode reduction, bool isTruth) {
    switch (reduction) {
    case Opcode::RowSum:
        return Opcode::Add;
    case Opcode::RowProduct:
        return Opcode::Multiply;
    case Opcode::RowMaximum:
        return isTruth ? Opcode::Or : Opcode::Maximum;
    default:
        return isTruth ? Opcode::And : Opcode::Minimum;
    }
}

bool isExpensive(Opcode op) {
    return (op >= Opcode::Exp && op <= Opcode::Log1p) || (op >= Opcode::Sin && op <= Opcode::Log10) ||
           (op >= Opcode::Pow && op <= Opcode::Hypot) || op == Opcode::ScanLogSumExp;
}

QString opcodeName(Opcode op) {
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
    static_assert(names.size() == static_cast<std::size_t>(Opcode::RowKthValue) + 1);
    return QLatin1String(names[static_cast<std::size_t>(op)]);
}

std::optional<Opcode> opcodeFromName(const QString &op) {
    static const QHash<QString, Opcode> words = {
        {QStringLiteral("add"), Opcode::Add},         {QStringLiteral("sub"), Opcode::Subtract},
        {QStringLiteral("mul"), Opcode::Multiply},    {QStringLiteral("div"), Opcode::Divide},
        {QStringLiteral("neg"), Opcode::Negate},      {QStringLiteral("abs"), Opcode::Abs},
        {QStringLiteral("exp"), Opcode::Exp},         {QStringLiteral("expm1"), Opcode::Expm1},
        {QStringLiteral("log"), Opcode::Log},         {QStringLiteral("log1p"), Opcode::Log1p},
        {QStringLiteral("sqrt"), Opcode::Sqrt},       {QStringLiteral("sin"), Opcode::Sin},
        {QStringLiteral("cos"), Opcode::Cos},         {QStringLiteral("tan"), Opcode::Tan},
        {QStringLiteral("asin"), Opcode::Asin},       {QStringLiteral("acos"), Opcode::Acos},
        {QStringLiteral("atan"), Opcode::Atan},       {QStringLiteral("sinh"), Opcode::Sinh},
        {QStringLiteral("cosh"), Opcode::Cosh},       {QStringLiteral("asinh"), Opcode::Asinh},
        {QStringLiteral("acosh"), Opcode::Acosh},     {QStringLiteral("atanh"), Opcode::Atanh},
        {QStringLiteral("erfc"), Opcode::Erfc},       {QStringLiteral("erfinv"), Opcode::Erfinv},
        {QStringLiteral("lgamma"), Opcode::Lgamma},   {QStringLiteral("digamma"), Opcode::Digamma},
        {QStringLiteral("exp2"), Opcode::Exp2},       {QStringLiteral("log2"), Opcode::Log2},
        {QStringLiteral("log10"), Opcode::Log10},     {QStringLiteral("atan2"), Opcode::Atan2},
        {QStringLiteral("hypot"), Opcode::Hypot},     {QStringLiteral("copysign"), Opcode::CopySign},
        {QStringLiteral("tanh"), Opcode::Tanh},       {QStringLiteral("sigmoid"), Opcode::Sigmoid},
        {QStringLiteral("erf"), Opcode::Erf},         {QStringLiteral("floor"), Opcode::Floor},
        {QStringLiteral("ceil"), Opcode::Ceil},       {QStringLiteral("round"), Opcode::Round},
        {QStringLiteral("trunc"), Opcode::Trunc},     {QStringLiteral("remainder"), Opcode::Remainder},
        {QStringLiteral("fmod"), Opcode::Fmod},       {QStringLiteral("maximum"), Opcode::Maximum},
        {QStringLiteral("minimum"), Opcode::Minimum}, {QStringLiteral("lt"), Opcode::Less},
        {QStringLiteral("le"), Opcode::LessOrEqual},  {QStringLiteral("eq"), Opcode::Equal},
        {QStringLiteral("ne"), Opcode::NotEqual},     {QStringLiteral("logical_and"), Opcode::And},
        {QStringLiteral("logical_or"), Opcode::Or},   {QStringLiteral("logical_not"), Opcode::Not},
        {QStringLiteral("where"), Opcode::Select},
    };
    const auto found = words.constFind(op.section(QLatin1Char('.'), 0, 0));
    return found == words.constEnd() ? std::nullopt : std::optional(*found);
}

} // namespace warpwright
