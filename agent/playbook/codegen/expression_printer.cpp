// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/codegen/expression_printer.h"

#include "agent/playbook/analysis/kernel_family.h"
#include "agent/playbook/codegen/loop_names.h"
#include "agent/playbook/schedule/matmul/skinny_matmul.h"

#include <algorithm>
#include <cmath>

namespace warpwright {
namespace {

// A predicate whose result depends on the last digits; isinf, say, does not.
bool needsExactDigits(const Kernel &kernel, const KernelStep &step) {
    return isComparison(step.op) &&
           std::none_of(step.operands.begin(), step.operands.end(), [&kernel](int operand) {
               const KernelStep &some = kernel.step(operand);
               return some.op == Opcode::Number && std::isinf(some.number);
           });
}

// Whether a number is rounded to an integer, or compared for equality.
bool roundsToInteger(const Kernel &kernel) {
    return std::any_of(kernel.steps.begin(), kernel.steps.end(), [&kernel](const KernelStep &step) {
        const bool isRounded = step.op == Opcode::Floor || step.op == Opcode::Ceil ||
                               step.op == Opcode::Round || step.op == Opcode::Trunc ||
                               step.op == Opcode::Remainder || step.op == Opcode::Fmod;
        const bool isAsked =
            (step.op == Opcode::Equal || step.op == Opcode::NotEqual) && needsExactDigits(kernel, step);
        const bool isOther = step.op == Opcode::Convert && !isFloating(step.type);
        return (isRounded || isAsked || isOther) && isFloating(kernel.step(step.operands[0]).type);
    });
}

// Whether an ordering comparison depends on this step: integers are squares of others, and a circle's edge
// passes through pixels.
bool feedsComparison(const Kernel &kernel, int number) {
    std::vector<bool> depends(kernel.steps.size());
    depends[static_cast<std::size_t>(number)] = true;
    for (std::size_t i = static_cast<std::size_t>(number) + 1; i < depends.size(); ++i) {
        const KernelStep &step = kernel.steps[i];
        depends[i] = step.op != Opcode::RowSum && step.op != Opcode::RowProduct &&
                     std::any_of(step.operands.begin(), step.operands.end(), [&depends](int operand) {
                         return depends[static_cast<std::size_t>(operand)];
                     });
        if (depends[i] && needsExactDigits(kernel, step))
            return true;
    }
    return false;
}

} // namespace

ExpressionPrinter::ExpressionPrinter(const Kernel &kernel, CodeDialect dialect,
                                     std::function<QString(int input)> load)
    : m_kernel(kernel),
      m_dialect(dialect),
      m_isMatmulEpilogue(dialect == CodeDialect::Cuda && isSm90Matmul(kernel)),
      m_load(std::move(load)) {}

QString ExpressionPrinter::nameOf(int step) const {
    const auto found = m_names.find(step);
    return found == m_names.end() ? QString() : found->second;
}

QString ExpressionPrinter::text(int step) {
    return piece(step, false).text;
}

QString ExpressionPrinter::definition(int step) {
    return piece(step, true).text;
}

QString ExpressionPrinter::constant(int step, const QString &name, int indent) {
    const QString before(indent, QLatin1Char(' '));
    const QString type = cTypeName(m_kernel.step(step).type, m_dialect == CodeDialect::Cuda);
    const QString line = QStringLiteral("const %1 %2 = %3;").arg(type, name, definition(step));
    this->name(step, name);
    return wrapped(line, before, before + QString(4, QLatin1Char(' ')));
}

QString ExpressionPrinter::literal(double value, ElementType type) const {
    if (type == ElementType::Bool)
        return value != 0 ? QStringLiteral("true") : QStringLiteral("false");
    constexpr double beyond = 9.2e18; // of 64 bits: clamps an infinity that becomes an integer
    if (type == ElementType::Int64 && std::abs(value) >= beyond)
        return value < 0 ? QStringLiteral("INT64_MIN") : QStringLiteral("INT64_MAX");
    if (type == ElementType::Int64)
        return QStringLiteral("std::int64_t(%1)").arg(static_cast<qint64>(value));
    const bool isFloat = type == ElementType::Float32;
    if (std::isnan(value))
        return isFloat ? QStringLiteral("NAN") : QStringLiteral("double(NAN)");
    if (std::isinf(value))
        return QLatin1String(value < 0 ? "-" : "") +
               (isFloat ? QStringLiteral("INFINITY") : QStringLiteral("double(INFINITY)"));
    // The shortest decimal that round-trips.
    QString text;
    for (int digits = 6; digits <= 17; ++digits) {
        text = QString::number(value, 'g', digits);
        if (isFloat ? text.toFloat() == static_cast<float>(value) : text.toDouble() == value)
            break;
    }
    if (!text.contains(QLatin1Char('.')) && !text.contains(QLatin1Char('e')))
        text += QLatin1String(".0");
    return isFloat ? text + QLatin1Char('f') : text;
}

QString ExpressionPrinter::operand(const KernelStep &step, std::size_t index, int rank) {
    const Piece part = piece(step.operands[index], false);
    return part.rank < rank ? QLatin1Char('(') + part.text + QLatin1Char(')') : part.text;
}

ExpressionPrinter::Piece ExpressionPrinter::call(const QString &plain, const QString &ours,
                                                 const KernelStep &step) {
    const bool isFloat = step.type == ElementType::Float32;
    QString name = m_dialect == CodeDialect::Cuda ? plain + (isFloat ? QStringLiteral("f") : QString())
                                                  : QStringLiteral("std::") + plain;
    if (!ours.isEmpty() && isFloat && m_dialect == CodeDialect::VectorCpu) {
        name = ours;
        m_functions.insert(ours);
    }
    QStringList arguments;
    for (const int some : step.operands)
        arguments << piece(some, false).text;
    return {name + QLatin1Char('(') + arguments.join(QLatin1String(", ")) + QLatin1Char(')'), 4};
}

// "x[c]", "table[c + indices[row] * 64]", "isInBounds ? x[c - 1] : 0.0f".
ExpressionPrinter::Piece ExpressionPrinter::loadPiece(const KernelStep &step) {
    const KernelInput &input = m_kernel.inputs[static_cast<std::size_t>(step.input)];
    QString element = m_load(step.input);
    for (std::size_t i = 0; i < input.strides.size(); ++i) {
        const QString term = indexTerm(step, i);
        if (element.endsWith(QLatin1String("[0]")))
            element = element.chopped(2) + term + QLatin1Char(']');
        else if (element.endsWith(QLatin1Char(']')))
            element = element.chopped(1) + QLatin1String(" + ") + term + QLatin1Char(']');
    }
    return loadedPiece(step, element);
}

QString ExpressionPrinter::indexTerm(const KernelStep &step, std::size_t operandNumber) {
    const std::int64_t stride = m_kernel.inputs[static_cast<std::size_t>(step.input)].strides[operandNumber];
    const QString part = operand(step, operandNumber, stride == 1 ? 2 : 3);
    return stride == 1 ? part : QStringLiteral("%1 * %2").arg(part).arg(stride);
}

QString ExpressionPrinter::position(const KernelStep &load, const QString &address) {
    QStringList terms;
    if (address != QLatin1String("0"))
        terms << address;
    for (std::size_t i = 0; i < m_kernel.inputs[static_cast<std::size_t>(load.input)].strides.size(); ++i)
        terms << indexTerm(load, i);
    return terms.join(QLatin1String(" + "));
}

QString ExpressionPrinter::loaded(const KernelStep &load, const QString &element) {
    return loadedPiece(load, element).text;
}

ExpressionPrinter::Piece ExpressionPrinter::loadedPiece(const KernelStep &step, QString element) {
    const KernelInput &input = m_kernel.inputs[static_cast<std::size_t>(step.input)];
    if (input.type == ElementType::Float16 || input.type == ElementType::BFloat16) {
        if (m_dialect != CodeDialect::Cuda)
            m_functions.insert(QStringLiteral("toFloat-") + elementTypeName(input.type));
        const QString name = m_dialect != CodeDialect::Cuda       ? QStringLiteral("toFloat")
                             : input.type == ElementType::Float16 ? QStringLiteral("__half2float")
                                                                  : QStringLiteral("__bfloat162float");
        element = name + QLatin1Char('(') + element + QLatin1Char(')');
    } else if (input.type != step.type) {
        element = QStringLiteral("std::int64_t(%1)").arg(element);
    }
    if (!step.isGuarded)
        return {element, 4};
    return {operand(step, input.strides.size(), 1) + QLatin1String(" ? ") + element + QLatin1String(" : ") +
                literal(step.number, step.type),
            0};
}

// Whether it is computed per element. A matmul's elements are its rows: each epilogue value is computed that
// often; a convolution's are its positions. Without reductions a thread computes a row's values once per
// vector.
bool ExpressionPrinter::isPerElement(const KernelStep &step) const {
    const KernelFamily family = familyOf(m_kernel);
    return step.level >= StepLevel::Column || family == KernelFamily::Windows || m_kernel.isMatmul() ||
           m_kernel.isConvolution() || (family == KernelFamily::Pointwise && step.level >= StepLevel::Row);
}

// An exact division on a GPU is some ten instructions with a branch. Per element it becomes a multiplication
// or the short function, unless something is rounded to an integer, where the last digit decides. By a
// constant it is a multiplication in torch on a GPU too, also where it is compared.
ExpressionPrinter::Piece ExpressionPrinter::quotientPiece(int number) {
    const KernelStep &step = m_kernel.step(number);
    const Piece plain{operand(step, 0, 3) + QLatin1String(" / ") + operand(step, 1, 4), 3};
    if (!usesHelperFunctions(step) || !isPerElement(step))
        return plain;
    const KernelStep &divisor = m_kernel.step(step.operands[1]);
    if (divisor.op != Opcode::Number) {
        if (feedsComparison(m_kernel, number))
            return plain;
        m_functions.insert(QStringLiteral("fastDivide"));
        return {QStringLiteral("fastDivide(%1, %2)").arg(text(step.operands[0]), text(step.operands[1])), 4};
    }
    const double size = std::abs(divisor.number);
    if (!(size > 1e-37 && size < 1e37)) // else its reciprocal is no normal number
        return plain;
    return {QStringLiteral("%1 * (1.0f / %2)").arg(operand(step, 0, 3), literal(divisor.number, step.type)),
            3};
}

// CUDA's functions are accurate for any argument, and take several times as long as memory per element.
// Values that are rounded to integers keep them. The error of a fast function is in its own comment.
static bool isSmallPower(const KernelStep &exponent) {
    constexpr double largest = 4;
    return exponent.op != Opcode::Number || std::abs(exponent.number) <= largest;
}

// As in softplus: minus an absolute value.
static bool isNeverPositive(const Kernel &kernel, int number) {
    const KernelStep &step = kernel.step(number);
    return step.op == Opcode::Negate && kernel.step(step.operands[0]).op == Opcode::Abs;
}

bool ExpressionPrinter::usesHelperFunctions(const KernelStep &step) const {
    return m_dialect == CodeDialect::Cuda && step.type == ElementType::Float32 && !roundsToInteger(m_kernel);
}

ExpressionPrinter::Piece ExpressionPrinter::piece(int number, bool isDefinition) {
    if (!isDefinition && isNamed(number))
        return {nameOf(number), 4};
    const KernelStep &step = m_kernel.step(number);
    // Next to a loop counter an integer literal needs no suffix.
    const auto side = [&](std::size_t index, int rank) {
        const KernelStep &mine = m_kernel.step(step.operands[index]);
        const KernelStep &other = m_kernel.step(step.operands[1 - index]);
        const bool isPlain = mine.op == Opcode::Number && other.op != Opcode::Number &&
                             mine.type == ElementType::Int64 && other.type == ElementType::Int64 &&
                             std::abs(mine.number) < 2e9;
        return isPlain ? QString::number(static_cast<qint64>(mine.number)) : operand(step, index, rank);
    };
    const auto binary = [&](const char *sign, int rank) {
        return Piece{side(0, rank) + QLatin1Char(' ') + QLatin1String(sign) + QLatin1Char(' ') +
                         side(1, rank + 1),
                     rank};
    };
    const auto ours = [&](const QString &name) {
        m_functions.insert(name);
        QStringList arguments;
        for (const int some : step.operands)
            arguments << piece(some, false).text;
        return Piece{name + QLatin1Char('(') + arguments.join(QLatin1String(", ")) + QLatin1Char(')'), 4};
    };
    switch (step.op) {
    case Opcode::Load:
        return loadPiece(step);
    case Opcode::Number: {
        const QString text = literal(step.number, step.type);
        return {text, text.startsWith(QLatin1Char('-')) ? 3 : 4};
    }
    case Opcode::Index:
        return {m_load(-1 - number), 2};
    case Opcode::Add: {
        const KernelStep &second = m_kernel.step(step.operands[1]);
        if (second.op == Opcode::Number && second.number < 0 && step.type != ElementType::Int64)
            return {operand(step, 0, 2) + QLatin1String(" - ") + literal(-second.number, step.type), 2};
        return binary("+", 2);
    }
    case Opcode::Subtract:
        return binary("-", 2);
    case Opcode::Multiply:
        return step.type == ElementType::Bool ? binary("&&", 0) : binary("*", 3);
    case Opcode::Divide:
        return quotientPiece(number);
    case Opcode::Negate:
        return {QLatin1Char('-') + operand(step, 0, 4), 3};
    case Opcode::Abs:
        return step.type == ElementType::Int64
                   ? Piece{QStringLiteral("std::abs(%1)").arg(text(step.operands[0])), 4}
                   : call(QStringLiteral("fabs"), {}, step);
    case Opcode::Exp:
        if (m_approximate.contains(number))
            return ours(m_approximate.at(number));
        return call(QStringLiteral("exp"), QStringLiteral("fastExp"), step);
    case Opcode::Expm1:
        if ((m_isMatmulEpilogue || isPerElement(step)) && usesHelperFunctions(step))
            return ours(QStringLiteral("fastExpm1"));
        return call(QStringLiteral("expm1"), QStringLiteral("fastExpm1"), step);
    case Opcode::Log:
        return call(QStringLiteral("log"), QStringLiteral("fastLog"), step);
    case Opcode::Log1p:
        if ((m_isMatmulEpilogue || isPerElement(step)) && usesHelperFunctions(step)) {
            const KernelStep &power = m_kernel.step(step.operands[0]);
            if (power.op == Opcode::Exp && !isNamed(step.operands[0]) &&
                isNeverPositive(m_kernel, power.operands[0])) {
                m_functions.insert(QStringLiteral("log1pExp"));
                return {QStringLiteral("log1pExp(%1)").arg(text(power.operands[0])), 4};
            }
            return ours(QStringLiteral("fastLog1p"));
        }
        return call(QStringLiteral("log1p"), QStringLiteral("fastLog1p"), step);
    case Opcode::Sqrt:
        if (usesHelperFunctions(step) && isPerElement(step) && !feedsComparison(m_kernel, number))
            return ours(QStringLiteral("fastSqrt"));
        return call(QStringLiteral("sqrt"), {}, step);
    case Opcode::Sin:
        return usesHelperFunctions(step) ? ours(QStringLiteral("fastSin"))
                                         : call(QStringLiteral("sin"), {}, step);
    case Opcode::Cos:
        return usesHelperFunctions(step) ? ours(QStringLiteral("fastCos"))
                                         : call(QStringLiteral("cos"), {}, step);
    case Opcode::Tan:
        return call(QStringLiteral("tan"), {}, step);
    case Opcode::Asin:
        return call(QStringLiteral("asin"), {}, step);
    case Opcode::Acos:
        return call(QStringLiteral("acos"), {}, step);
    case Opcode::Atan:
        return call(QStringLiteral("atan"), {}, step);
    case Opcode::Sinh:
        return call(QStringLiteral("sinh"), {}, step);
    case Opcode::Cosh:
        return call(QStringLiteral("cosh"), {}, step);
    case Opcode::Asinh:
        return call(QStringLiteral("asinh"), {}, step);
    case Opcode::Acosh:
        return call(QStringLiteral("acosh"), {}, step);
    case Opcode::Atanh:
        return call(QStringLiteral("atanh"), {}, step);
    case Opcode::Erfc:
        return call(QStringLiteral("erfc"), {}, step);
    case Opcode::Lgamma:
        return call(QStringLiteral("lgamma"), {}, step);
    case Opcode::Exp2:
        return call(QStringLiteral("exp2"), {}, step);
    case Opcode::Log2:
        return call(QStringLiteral("log2"), {}, step);
    case Opcode::Log10:
        return call(QStringLiteral("log10"), {}, step);
    case Opcode::Atan2:
        return call(QStringLiteral("atan2"), {}, step);
    case Opcode::Hypot:
        return call(QStringLiteral("hypot"), {}, step);
    case Opcode::CopySign:
        return call(QStringLiteral("copysign"), {}, step);
    case Opcode::Erfinv:
        return m_dialect == CodeDialect::Cuda ? call(QStringLiteral("erfinv"), {}, step)
                                              : ours(QStringLiteral("inverseErf"));
    case Opcode::Digamma:
        return ours(QStringLiteral("digamma"));
    case Opcode::Tanh:
        if (usesHelperFunctions(step))
            return ours(QStringLiteral("fastTanh"));
        return call(QStringLiteral("tanh"), QStringLiteral("fastTanh"), step);
    case Opcode::Sigmoid:
        return step.type == ElementType::Float64 ? ours(QStringLiteral("sigmoidDouble"))
                                                 : ours(QStringLiteral("sigmoid"));
    case Opcode::Erf:
        if (usesHelperFunctions(step))
            return ours(QStringLiteral("fastErf"));
        return call(QStringLiteral("erf"), QStringLiteral("fastErf"), step);
    case Opcode::Floor:
        return call(QStringLiteral("floor"), {}, step);
    case Opcode::Ceil:
        return call(QStringLiteral("ceil"), {}, step);
    case Opcode::Round:
        return call(QStringLiteral("rint"), {}, step); // ties to even, as torch
    case Opcode::Trunc:
        return call(QStringLiteral("trunc"), {}, step);
    case Opcode::Pow:
        if (usesHelperFunctions(step) && isSmallPower(m_kernel.step(step.operands[1])))
            return ours(QStringLiteral("fastPow"));
        return call(QStringLiteral("pow"), {}, step);
    case Opcode::Fmod:
        return step.type == ElementType::Int64 ? binary("%", 3) : call(QStringLiteral("fmod"), {}, step);
    case Opcode::Remainder:
        return ours(step.type == ElementType::Int64 ? QStringLiteral("floorModInt")
                                                    : QStringLiteral("floorMod"));
    case Opcode::BitAnd:
    case Opcode::BitOr:
    case Opcode::BitXor:
    case Opcode::ShiftLeft:
    case Opcode::ShiftRight: {
        static const std::map<Opcode, QLatin1String> signs = {{Opcode::BitAnd, QLatin1String(" & ")},
                                                              {Opcode::BitOr, QLatin1String(" | ")},
                                                              {Opcode::BitXor, QLatin1String(" ^ ")},
                                                              {Opcode::ShiftLeft, QLatin1String(" << ")},
                                                              {Opcode::ShiftRight, QLatin1String(" >> ")}};
        return {side(0, 4) + signs.at(step.op) + side(1, 4), 0};
    }
    case Opcode::Maximum:
    case Opcode::Minimum: {
        // Comparing with a constant: one comparison that is false for NaN lets NaN through, as torch does.
        const KernelStep &bound = m_kernel.step(step.operands[1]);
        const bool isMaximum = step.op == Opcode::Maximum;
        if (bound.op == Opcode::Number && isNamed(step.operands[0])) {
            const QString value = text(step.operands[0]);
            const QString limit = text(step.operands[1]);
            return {QStringLiteral("%1 %2 %3 ? %3 : %1")
                        .arg(value, isMaximum ? QStringLiteral("<") : QStringLiteral(">"), limit),
                    0};
        }
        return ours(isMaximum ? QStringLiteral("maximum") : QStringLiteral("minimum"));
    }
    case Opcode::Less:
        return binary("<", 1);
    case Opcode::LessOrEqual:
        return binary("<=", 1);
    case Opcode::Equal:
        return binary("==", 1);
    case Opcode::NotEqual:
        return binary("!=", 1);
    case Opcode::And: // not &&, which is a branch: both operands are computed already
        return {operand(step, 0, 4) + QLatin1String(" & ") + operand(step, 1, 4), 0};
    case Opcode::Or:
        return {operand(step, 0, 4) + QLatin1String(" | ") + operand(step, 1, 4), 0};
    case Opcode::Not:
        return {QLatin1Char('!') + operand(step, 0, 4), 3};
    case Opcode::Select:
        return {operand(step, 0, 1) + QLatin1String(" ? ") + operand(step, 1, 1) + QLatin1String(" : ") +
                    operand(step, 2, 1),
                0};
    case Opcode::Convert:
        if (step.type == ElementType::Bool)
            return {operand(step, 0, 2) + QLatin1String(" != 0"), 1};
        return {cTypeName(step.type, false) + QLatin1Char('(') + text(step.operands[0]) + QLatin1Char(')'),
                4};
    case Opcode::ScanSum:
    case Opcode::ScanProduct:
    case Opcode::ScanMaximum:
    case Opcode::ScanMinimum:
    case Opcode::ScanLogSumExp:
    case Opcode::ScanExclusive:
    case Opcode::RowSum:
    case Opcode::RowProduct:
    case Opcode::RowMaximum:
    case Opcode::RowMinimum:
    case Opcode::RowKthValue:
        break;
    }
    Q_ASSERT(false); // a reduction is named after its loop, a scan from its own line on
    return {};
}

QString ExpressionPrinter::stored(int step, ElementType type) {
    const ElementType from = m_kernel.step(step).type;
    const QString value = text(step);
    if (type == ElementType::Float16 || type == ElementType::BFloat16) {
        const QString name = elementTypeName(type);
        if (m_dialect != CodeDialect::Cuda)
            m_functions.insert(QStringLiteral("from-") + name);
        const QString call =
            m_dialect != CodeDialect::Cuda
                ? (type == ElementType::Float16 ? QStringLiteral("toHalf") : QStringLiteral("toBFloat16"))
            : type == ElementType::Float16 ? QStringLiteral("__float2half_rn")
                                           : QStringLiteral("__float2bfloat16_rn");
        return call + QLatin1Char('(') + value + QLatin1Char(')');
    }
    return from == type ? value : QStringLiteral("static_cast<%1>(%2)").arg(cTypeName(type, false), value);
}

QString indexExpression(const AffineExpr &index, const QStringList &counters) {
    QStringList parts;
    for (std::size_t k = 0; k < index.steps.size(); ++k) {
        const QString counter = counters.value(static_cast<qsizetype>(k));
        if (index.steps[k] == 0 || counter.isEmpty())
            continue;
        parts << (index.steps[k] == 1 ? counter : QStringLiteral("%1 * %2").arg(counter).arg(index.steps[k]));
    }
    if (index.offset != 0 || parts.isEmpty())
        parts << QString::number(index.offset);
    return parts.join(QLatin1String(" + ")).replace(QLatin1String("+ -"), QLatin1String("- "));
}

} // namespace warpwright
