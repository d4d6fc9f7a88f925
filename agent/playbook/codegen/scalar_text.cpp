// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/codegen/scalar_text.h"

#include "agent/playbook/analysis/kernel_family.h"
#include "agent/playbook/codegen/loop_text.h"
#include "agent/playbook/schedule/matmul/skinny_matmul.h"

#include <algorithm>
#include <cmath>

namespace warpwright {
namespace {

// A question that hangs on digits: whether something is infinite does not.
bool asksForDigits(const FusedKernel &kernel, const KernelStep &step) {
    return isComparison(step.op) &&
           std::none_of(step.operands.begin(), step.operands.end(), [&kernel](int operand) {
               const KernelStep &some = kernel.step(operand);
               return some.op == KernelOp::Number && std::isinf(some.number);
           });
}

// Whether a number is made a whole one, or asked whether it is another.
bool roundsToWhole(const FusedKernel &kernel) {
    return std::any_of(kernel.steps.begin(), kernel.steps.end(), [&kernel](const KernelStep &step) {
        const bool isRounded = step.op == KernelOp::Floor || step.op == KernelOp::Ceiling ||
                               step.op == KernelOp::Round || step.op == KernelOp::Truncate ||
                               step.op == KernelOp::Remainder || step.op == KernelOp::TruncatedRemainder;
        const bool isAsked =
            (step.op == KernelOp::Equal || step.op == KernelOp::NotEqual) && asksForDigits(kernel, step);
        const bool isOther = step.op == KernelOp::Convert && !isFloating(step.type);
        return (isRounded || isAsked || isOther) && isFloating(kernel.step(step.operands[0]).type);
    });
}

// Whether the answer to which of two is larger hangs on this step: whole numbers are squares of others, and a
// circle's edge goes through pixels.
bool isCompared(const FusedKernel &kernel, int number) {
    std::vector<bool> hangs(kernel.steps.size());
    hangs[static_cast<std::size_t>(number)] = true;
    for (std::size_t i = static_cast<std::size_t>(number) + 1; i < hangs.size(); ++i) {
        const KernelStep &step = kernel.steps[i];
        hangs[i] = step.op != KernelOp::RowSum && step.op != KernelOp::RowProduct &&
                   std::any_of(step.operands.begin(), step.operands.end(),
                               [&hangs](int operand) { return hangs[static_cast<std::size_t>(operand)]; });
        if (hangs[i] && asksForDigits(kernel, step))
            return true;
    }
    return false;
}

} // namespace

ScalarText::ScalarText(const FusedKernel &kernel, TextDialect dialect, std::function<QString(int leaf)> load)
    : m_kernel(kernel),
      m_dialect(dialect),
      m_isOfSums(dialect == TextDialect::Cuda && isOwnProduct(kernel)),
      m_load(std::move(load)) {}

QString ScalarText::nameOf(int step) const {
    const auto found = m_names.find(step);
    return found == m_names.end() ? QString() : found->second;
}

QString ScalarText::text(int step) {
    return piece(step, false).text;
}

QString ScalarText::definition(int step) {
    return piece(step, true).text;
}

QString ScalarText::constant(int step, const QString &name, int indent) {
    const QString before(indent, QLatin1Char(' '));
    const QString type = cTypeName(m_kernel.step(step).type, m_dialect == TextDialect::Cuda);
    const QString line = QStringLiteral("const %1 %2 = %3;").arg(type, name, definition(step));
    this->name(step, name);
    return wrapped(line, before, before + QString(4, QLatin1Char(' ')));
}

QString ScalarText::numberText(double value, ElementType type) const {
    if (type == ElementType::Bool)
        return value != 0 ? QStringLiteral("true") : QStringLiteral("false");
    constexpr double beyond = 9.2e18; // of 64 bits: what an infinity is among whole numbers
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
    // The fewest digits that mean the same number.
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

QString ScalarText::operand(const KernelStep &step, std::size_t index, int rank) {
    const Piece part = piece(step.operands[index], false);
    return part.rank < rank ? QLatin1Char('(') + part.text + QLatin1Char(')') : part.text;
}

ScalarText::Piece ScalarText::call(const QString &plain, const QString &ours, const KernelStep &step) {
    const bool isFloat = step.type == ElementType::Float32;
    QString name = m_dialect == TextDialect::Cuda ? plain + (isFloat ? QStringLiteral("f") : QString())
                                                  : QStringLiteral("std::") + plain;
    if (!ours.isEmpty() && isFloat && m_dialect == TextDialect::VectorCpu) {
        name = ours;
        m_functions.insert(ours);
    }
    QStringList arguments;
    for (const int some : step.operands)
        arguments << piece(some, false).text;
    return {name + QLatin1Char('(') + arguments.join(QLatin1String(", ")) + QLatin1Char(')'), 4};
}

// "x[c]", "table[c + places[row] * 64]", "isThere ? x[c - 1] : 0.0f".
ScalarText::Piece ScalarText::loadPiece(const KernelStep &step) {
    const KernelLeaf &leaf = m_kernel.leaves[static_cast<std::size_t>(step.leaf)];
    QString element = m_load(step.leaf);
    for (std::size_t i = 0; i < leaf.strides.size(); ++i) {
        const QString term = placeTerm(step, i);
        if (element.endsWith(QLatin1String("[0]")))
            element = element.chopped(2) + term + QLatin1Char(']');
        else if (element.endsWith(QLatin1Char(']')))
            element = element.chopped(1) + QLatin1String(" + ") + term + QLatin1Char(']');
    }
    return loadedPiece(step, element);
}

QString ScalarText::placeTerm(const KernelStep &step, std::size_t operandNumber) {
    const std::int64_t stride = m_kernel.leaves[static_cast<std::size_t>(step.leaf)].strides[operandNumber];
    const QString part = operand(step, operandNumber, stride == 1 ? 2 : 3);
    return stride == 1 ? part : QStringLiteral("%1 * %2").arg(part).arg(stride);
}

QString ScalarText::place(const KernelStep &load, const QString &address) {
    QStringList terms;
    if (address != QLatin1String("0"))
        terms << address;
    for (std::size_t i = 0; i < m_kernel.leaves[static_cast<std::size_t>(load.leaf)].strides.size(); ++i)
        terms << placeTerm(load, i);
    return terms.join(QLatin1String(" + "));
}

QString ScalarText::loaded(const KernelStep &load, const QString &element) {
    return loadedPiece(load, element).text;
}

ScalarText::Piece ScalarText::loadedPiece(const KernelStep &step, QString element) {
    const KernelLeaf &leaf = m_kernel.leaves[static_cast<std::size_t>(step.leaf)];
    if (leaf.type == ElementType::Float16 || leaf.type == ElementType::BFloat16) {
        if (m_dialect != TextDialect::Cuda)
            m_functions.insert(QStringLiteral("toFloat-") + elementTypeName(leaf.type));
        const QString name = m_dialect != TextDialect::Cuda      ? QStringLiteral("toFloat")
                             : leaf.type == ElementType::Float16 ? QStringLiteral("__half2float")
                                                                 : QStringLiteral("__bfloat162float");
        element = name + QLatin1Char('(') + element + QLatin1Char(')');
    } else if (leaf.type != step.type) {
        element = QStringLiteral("std::int64_t(%1)").arg(element);
    }
    if (!step.isGuarded)
        return {element, 4};
    return {operand(step, leaf.strides.size(), 1) + QLatin1String(" ? ") + element + QLatin1String(" : ") +
                numberText(step.number, step.type),
            0};
}

// Whether it is made for each element. A product's elements are its rows: what is made of each is done as
// often as there are of them, and a convolution's are its places. Where nothing is summed a thread makes what
// belongs to a row for each pack.
bool ScalarText::isMadeOften(const KernelStep &step) const {
    const KernelFamily family = familyOf(m_kernel);
    return step.level >= StepLevel::Column || family == KernelFamily::Windows ||
           m_kernel.anchor == Anchor::Product || m_kernel.anchor == Anchor::Convolution ||
           (family == KernelFamily::Pointwise && step.level >= StepLevel::Row);
}

// A GPU's exact division is some ten instructions with a branch. Where one is made for each element it is a
// product or the short one, unless something is rounded to whole numbers, where a last digit decides. By a
// number it is a product for torch on a GPU too, also where it is compared.
ScalarText::Piece ScalarText::quotientPiece(int number) {
    const KernelStep &step = m_kernel.step(number);
    const Piece plain{operand(step, 0, 3) + QLatin1String(" / ") + operand(step, 1, 4), 3};
    if (!hasOwnFunctions(step) || !isMadeOften(step))
        return plain;
    const KernelStep &divisor = m_kernel.step(step.operands[1]);
    if (divisor.op != KernelOp::Number) {
        if (isCompared(m_kernel, number))
            return plain;
        m_functions.insert(QStringLiteral("quotient"));
        return {QStringLiteral("quotient(%1, %2)").arg(text(step.operands[0]), text(step.operands[1])), 4};
    }
    const double size = std::abs(divisor.number);
    if (!(size > 1e-37 && size < 1e37)) // else its reciprocal is no usual number
        return plain;
    return {
        QStringLiteral("%1 * (1.0f / %2)").arg(operand(step, 0, 3), numberText(divisor.number, step.type)),
        3};
}

// CUDA's functions are exact for any argument, and several times as long as what memory takes for an element.
// What is rounded to whole numbers stays with them.
// A GPU's own function says how exact it is for these.
static bool isSmallPower(const KernelStep &exponent) {
    constexpr double largest = 4;
    return exponent.op != KernelOp::Number || std::abs(exponent.number) <= largest;
}

// As a softplus has it: less the size of something.
static bool isNeverPositive(const FusedKernel &kernel, int number) {
    const KernelStep &step = kernel.step(number);
    return step.op == KernelOp::Negate && kernel.step(step.operands[0]).op == KernelOp::Absolute;
}

bool ScalarText::hasOwnFunctions(const KernelStep &step) const {
    return m_dialect == TextDialect::Cuda && step.type == ElementType::Float32 && !roundsToWhole(m_kernel);
}

ScalarText::Piece ScalarText::piece(int number, bool isDefinition) {
    if (!isDefinition && isNamed(number))
        return {nameOf(number), 4};
    const KernelStep &step = m_kernel.step(number);
    // Beside a counter a whole number is written plainly.
    const auto side = [&](std::size_t index, int rank) {
        const KernelStep &mine = m_kernel.step(step.operands[index]);
        const KernelStep &other = m_kernel.step(step.operands[1 - index]);
        const bool isPlain = mine.op == KernelOp::Number && other.op != KernelOp::Number &&
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
    case KernelOp::Load:
        return loadPiece(step);
    case KernelOp::Number: {
        const QString text = numberText(step.number, step.type);
        return {text, text.startsWith(QLatin1Char('-')) ? 3 : 4};
    }
    case KernelOp::Index:
        return {m_load(-1 - number), 2};
    case KernelOp::Add: {
        const KernelStep &second = m_kernel.step(step.operands[1]);
        if (second.op == KernelOp::Number && second.number < 0 && step.type != ElementType::Int64)
            return {operand(step, 0, 2) + QLatin1String(" - ") + numberText(-second.number, step.type), 2};
        return binary("+", 2);
    }
    case KernelOp::Subtract:
        return binary("-", 2);
    case KernelOp::Multiply:
        return step.type == ElementType::Bool ? binary("&&", 0) : binary("*", 3);
    case KernelOp::Divide:
        return quotientPiece(number);
    case KernelOp::Negate:
        return {QLatin1Char('-') + operand(step, 0, 4), 3};
    case KernelOp::Absolute:
        return step.type == ElementType::Int64
                   ? Piece{QStringLiteral("std::abs(%1)").arg(text(step.operands[0])), 4}
                   : call(QStringLiteral("fabs"), {}, step);
    case KernelOp::Exponential:
        if (m_approximate.contains(number))
            return ours(m_approximate.at(number));
        return call(QStringLiteral("exp"), QStringLiteral("exponential"), step);
    case KernelOp::ExponentialLess1:
        if ((m_isOfSums || isMadeOften(step)) && hasOwnFunctions(step))
            return ours(QStringLiteral("shortExponentialLess1"));
        return call(QStringLiteral("expm1"), QStringLiteral("exponentialLess1"), step);
    case KernelOp::Logarithm:
        return call(QStringLiteral("log"), QStringLiteral("logarithm"), step);
    case KernelOp::Logarithm1Plus:
        if ((m_isOfSums || isMadeOften(step)) && hasOwnFunctions(step)) {
            const KernelStep &power = m_kernel.step(step.operands[0]);
            if (power.op == KernelOp::Exponential && !isNamed(step.operands[0]) &&
                isNeverPositive(m_kernel, power.operands[0])) {
                m_functions.insert(QStringLiteral("logarithmOf1PlusPower"));
                return {QStringLiteral("logarithmOf1PlusPower(%1)").arg(text(power.operands[0])), 4};
            }
            return ours(QStringLiteral("shortLogarithmOf1Plus"));
        }
        return call(QStringLiteral("log1p"), QStringLiteral("logarithmOf1Plus"), step);
    case KernelOp::SquareRoot:
        if (hasOwnFunctions(step) && isMadeOften(step) && !isCompared(m_kernel, number))
            return ours(QStringLiteral("squareRoot"));
        return call(QStringLiteral("sqrt"), {}, step);
    case KernelOp::Sine:
        return hasOwnFunctions(step) ? ours(QStringLiteral("sine")) : call(QStringLiteral("sin"), {}, step);
    case KernelOp::Cosine:
        return hasOwnFunctions(step) ? ours(QStringLiteral("cosine")) : call(QStringLiteral("cos"), {}, step);
    case KernelOp::Tangens:
        return call(QStringLiteral("tan"), {}, step);
    case KernelOp::ArcSine:
        return call(QStringLiteral("asin"), {}, step);
    case KernelOp::ArcCosine:
        return call(QStringLiteral("acos"), {}, step);
    case KernelOp::ArcTangens:
        return call(QStringLiteral("atan"), {}, step);
    case KernelOp::HyperbolicSine:
        return call(QStringLiteral("sinh"), {}, step);
    case KernelOp::HyperbolicCosine:
        return call(QStringLiteral("cosh"), {}, step);
    case KernelOp::ArcHyperbolicSine:
        return call(QStringLiteral("asinh"), {}, step);
    case KernelOp::ArcHyperbolicCosine:
        return call(QStringLiteral("acosh"), {}, step);
    case KernelOp::ArcHyperbolicTangens:
        return call(QStringLiteral("atanh"), {}, step);
    case KernelOp::ErrorFunctionLeft:
        return call(QStringLiteral("erfc"), {}, step);
    case KernelOp::LogarithmOfGamma:
        return call(QStringLiteral("lgamma"), {}, step);
    case KernelOp::ExponentialOf2:
        return call(QStringLiteral("exp2"), {}, step);
    case KernelOp::LogarithmOf2:
        return call(QStringLiteral("log2"), {}, step);
    case KernelOp::LogarithmOf10:
        return call(QStringLiteral("log10"), {}, step);
    case KernelOp::ArcTangensOfTwo:
        return call(QStringLiteral("atan2"), {}, step);
    case KernelOp::Hypotenuse:
        return call(QStringLiteral("hypot"), {}, step);
    case KernelOp::CopySign:
        return call(QStringLiteral("copysign"), {}, step);
    case KernelOp::ErrorFunctionInverse:
        return m_dialect == TextDialect::Cuda ? call(QStringLiteral("erfinv"), {}, step)
                                              : ours(QStringLiteral("inverseOfErrorFunction"));
    case KernelOp::Digamma:
        return ours(QStringLiteral("digamma"));
    case KernelOp::HyperbolicTangent:
        if (hasOwnFunctions(step))
            return ours(QStringLiteral("hyperbolicTangent"));
        return call(QStringLiteral("tanh"), QStringLiteral("hyperbolicTangent"), step);
    case KernelOp::Sigmoid:
        return step.type == ElementType::Float64 ? ours(QStringLiteral("sigmoidOfDouble"))
                                                 : ours(QStringLiteral("sigmoid"));
    case KernelOp::ErrorFunction:
        if (hasOwnFunctions(step))
            return ours(QStringLiteral("errorFunction"));
        return call(QStringLiteral("erf"), QStringLiteral("errorFunction"), step);
    case KernelOp::Floor:
        return call(QStringLiteral("floor"), {}, step);
    case KernelOp::Ceiling:
        return call(QStringLiteral("ceil"), {}, step);
    case KernelOp::Round:
        return call(QStringLiteral("rint"), {}, step); // to even, as torch does
    case KernelOp::Truncate:
        return call(QStringLiteral("trunc"), {}, step);
    case KernelOp::Power:
        if (hasOwnFunctions(step) && isSmallPower(m_kernel.step(step.operands[1])))
            return ours(QStringLiteral("power"));
        return call(QStringLiteral("pow"), {}, step);
    case KernelOp::TruncatedRemainder:
        return step.type == ElementType::Int64 ? binary("%", 3) : call(QStringLiteral("fmod"), {}, step);
    case KernelOp::Remainder:
        return ours(step.type == ElementType::Int64 ? QStringLiteral("remainderOfWhole")
                                                    : QStringLiteral("remainderOf"));
    case KernelOp::BitAnd:
    case KernelOp::BitOr:
    case KernelOp::BitXor:
    case KernelOp::ShiftLeft:
    case KernelOp::ShiftRight: {
        static const std::map<KernelOp, QLatin1String> signs = {
            {KernelOp::BitAnd, QLatin1String(" & ")},
            {KernelOp::BitOr, QLatin1String(" | ")},
            {KernelOp::BitXor, QLatin1String(" ^ ")},
            {KernelOp::ShiftLeft, QLatin1String(" << ")},
            {KernelOp::ShiftRight, QLatin1String(" >> ")}};
        return {side(0, 4) + signs.at(step.op) + side(1, 4), 0};
    }
    case KernelOp::Maximum:
    case KernelOp::Minimum: {
        // Against a constant one comparison that is false for NaN lets NaN pass, as torch does.
        const KernelStep &bound = m_kernel.step(step.operands[1]);
        const bool isMaximum = step.op == KernelOp::Maximum;
        if (bound.op == KernelOp::Number && isNamed(step.operands[0])) {
            const QString value = text(step.operands[0]);
            const QString limit = text(step.operands[1]);
            return {QStringLiteral("%1 %2 %3 ? %3 : %1")
                        .arg(value, isMaximum ? QStringLiteral("<") : QStringLiteral(">"), limit),
                    0};
        }
        return ours(isMaximum ? QStringLiteral("larger") : QStringLiteral("smaller"));
    }
    case KernelOp::Less:
        return binary("<", 1);
    case KernelOp::LessOrEqual:
        return binary("<=", 1);
    case KernelOp::Equal:
        return binary("==", 1);
    case KernelOp::NotEqual:
        return binary("!=", 1);
    case KernelOp::And: // not &&, which is a branch: both sides are there already
        return {operand(step, 0, 4) + QLatin1String(" & ") + operand(step, 1, 4), 0};
    case KernelOp::Or:
        return {operand(step, 0, 4) + QLatin1String(" | ") + operand(step, 1, 4), 0};
    case KernelOp::Not:
        return {QLatin1Char('!') + operand(step, 0, 4), 3};
    case KernelOp::Select:
        return {operand(step, 0, 1) + QLatin1String(" ? ") + operand(step, 1, 1) + QLatin1String(" : ") +
                    operand(step, 2, 1),
                0};
    case KernelOp::Convert:
        if (step.type == ElementType::Bool)
            return {operand(step, 0, 2) + QLatin1String(" != 0"), 1};
        return {cTypeName(step.type, false) + QLatin1Char('(') + text(step.operands[0]) + QLatin1Char(')'),
                4};
    case KernelOp::ScanSum:
    case KernelOp::ScanProduct:
    case KernelOp::ScanMaximum:
    case KernelOp::ScanMinimum:
    case KernelOp::ScanLogSumExp:
    case KernelOp::ScanBefore:
    case KernelOp::RowSum:
    case KernelOp::RowProduct:
    case KernelOp::RowMaximum:
    case KernelOp::RowMinimum:
    case KernelOp::RowRanked:
        break;
    }
    Q_ASSERT(false); // a reduction has its name once its loop is over, a scan from its own line on
    return {};
}

QString ScalarText::stored(int step, ElementType type) {
    const ElementType from = m_kernel.step(step).type;
    const QString value = text(step);
    if (type == ElementType::Float16 || type == ElementType::BFloat16) {
        const QString name = elementTypeName(type);
        if (m_dialect != TextDialect::Cuda)
            m_functions.insert(QStringLiteral("from-") + name);
        const QString call =
            m_dialect != TextDialect::Cuda
                ? (type == ElementType::Float16 ? QStringLiteral("toHalf") : QStringLiteral("toBFloat16"))
            : type == ElementType::Float16 ? QStringLiteral("__float2half_rn")
                                           : QStringLiteral("__float2bfloat16_rn");
        return call + QLatin1Char('(') + value + QLatin1Char(')');
    }
    return from == type ? value : QStringLiteral("static_cast<%1>(%2)").arg(cTypeName(type, false), value);
}

QString indexText(const AffineIndex &index, const QStringList &counters) {
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
