// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/ir/kernel.h"

#include "agent/playbook/ir/overloaded.h"

#include <QCryptographicHash>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace warpwright {
namespace {

QString shortHash(const QString &text) {
    return QString::fromLatin1(
        QCryptographicHash::hash(text.toUtf8(), QCryptographicHash::Sha256).toHex().left(16));
}

QString printedExpr(const AffineExpr &index) {
    QString text = QString::number(index.offset);
    for (const std::int64_t step : index.steps)
        text += QLatin1Char(' ') + QString::number(step);
    return text;
}

std::int64_t multiply(Shape::const_iterator begin, Shape::const_iterator end) {
    return std::accumulate(begin, end, std::int64_t(1), std::multiplies<>());
}

constexpr double mostExact = 9007199254740992; // 2^53: larger integers are rounded

bool isPowerOfTwo(double value) {
    int exponent = 0;
    return value != 0 && std::isfinite(value) && std::abs(std::frexp(value, &exponent)) == 0.5;
}

QString signatureOf(const ScatterSizes &scatter) {
    return QStringLiteral("%1 %4 into %2 %3 ")
        .arg(scatter.count)
        .arg(scatter.rows)
        .arg(scatter.base >= 0 || scatter.isInitialized ? QStringLiteral("rows") : QStringLiteral("zeros"),
             scatterKindName(scatter.kind));
}

QString signatureOf(const ConvolutionSizes &sizes) {
    QStringList words;
    for (const Shape *some :
         {&sizes.input, &sizes.inputStrides, &sizes.weight, &sizes.stride, &sizes.padding, &sizes.dilation})
        words << printedExpr({0, *some});
    for (const BoundaryMode mode : sizes.boundaryModes)
        words << QStringLiteral("edge %1").arg(static_cast<int>(mode));
    return QStringLiteral("%1 of %2 groups, %3 ")
        .arg(sizes.isTransposed ? QStringLiteral("transposed convolution") : QStringLiteral("convolution"))
        .arg(sizes.groups)
        .arg(words.join(QLatin1String(", ")));
}

QString signatureOf(const SortedRows &sort) {
    return QStringLiteral("the first %1%2%3%4 ")
        .arg(sort.kept)
        .arg(sort.isDescending ? QStringLiteral(" from the largest on") : QString(),
             sort.isStable ? QStringLiteral(", equal ones as they were") : QString(),
             sort.values < 0      ? QStringLiteral(", places")
             : sort.positions < 0 ? QStringLiteral(", values")
                                  : QString());
}

QString signatureOf(const StructuredOp &structuredOp) {
    return std::visit(Overloaded{
                          [](const std::monostate &) { return QString(); },
                          [](const Matmul &matmul) {
                              return matmul.isCellKernel ? QStringLiteral("product of a turn ")
                                                         : QStringLiteral("product ");
                          },
                          [](const Convolution &convolution) { return signatureOf(convolution.sizes); },
                          [](const Attention &) { return QStringLiteral("attention "); },
                          [](const ScatteredRows &scattered) { return signatureOf(scattered.sizes); },
                          [](const SortedRows &sort) { return signatureOf(sort); },
                      },
                      structuredOp);
}

} // namespace

const Epilogue *Kernel::epilogue() const {
    return isMatmul() ? &matmul()->epilogue : isConvolution() ? &convolution()->epilogue : nullptr;
}

Epilogue *Kernel::epilogue() {
    return isMatmul() ? &matmul()->epilogue : isConvolution() ? &convolution()->epilogue : nullptr;
}

const ScatterSizes *Kernel::scatter() const {
    const auto *scattered = std::get_if<ScatteredRows>(&structuredOp);
    return scattered != nullptr ? &scattered->sizes : scatteredStore ? &*scatteredStore : nullptr;
}

ScatterSizes *Kernel::scatter() {
    auto *scattered = std::get_if<ScatteredRows>(&structuredOp);
    return scattered != nullptr ? &scattered->sizes : scatteredStore ? &*scatteredStore : nullptr;
}

std::int64_t Kernel::rows() const {
    return multiply(loops.begin(), loops.begin() + static_cast<std::ptrdiff_t>(outer));
}

std::int64_t Kernel::columns() const {
    return multiply(loops.begin() + static_cast<std::ptrdiff_t>(outer), loops.end());
}

bool Kernel::hasReductions() const {
    return std::any_of(steps.begin(), steps.end(),
                       [](const KernelStep &some) { return isReduction(some.op) || isScan(some.op); });
}

bool Kernel::hasScans() const {
    return std::any_of(steps.begin(), steps.end(), [](const KernelStep &some) { return isScan(some.op); });
}

bool Kernel::hasKthValues() const {
    return std::any_of(steps.begin(), steps.end(),
                       [](const KernelStep &some) { return some.op == Opcode::RowKthValue; });
}

int Kernel::resultStep() const {
    int found = -1;
    for (std::size_t i = 0; i < steps.size() && (found < 0 || isAttention()); ++i)
        if (isReduction(steps[i].op))
            found = static_cast<int>(i);
    return found;
}

int Kernel::passCount() const {
    int last = 0;
    for (const KernelStore &store : stores)
        if (step(store.step).level >= StepLevel::Column || levelOf(store.address) >= StepLevel::Column)
            last = std::max(last, step(store.step).pass);
    for (const KernelStep &some : steps)
        if (isReduction(some.op))
            last = std::max(last, some.pass - 1);
    return last + 1;
}

StepLevel Kernel::levelOf(const AffineExpr &index) const {
    bool isOuter = false;
    bool isInner = false;
    for (std::size_t k = 0; k < index.steps.size(); ++k)
        if (index.steps[k] != 0 && loops[k] > 1)
            (k < outer ? isOuter : isInner) = true;
    return isOuter && isInner ? StepLevel::Element
           : isInner          ? StepLevel::Column
           : isOuter          ? StepLevel::Row
                              : StepLevel::Constant;
}

bool Kernel::isNumber(int number, double value) const {
    return step(number).op == Opcode::Number && step(number).number == value;
}

int Kernel::append(KernelStep some) {
    // A reduction has one value a row; whatever mixes rows and columns has one an element.
    if (isReduction(some.op)) {
        some.level = outer > 0 ? StepLevel::Row : StepLevel::Constant;
    } else {
        bool isRow = some.level == StepLevel::Row || some.level == StepLevel::Element;
        bool isColumn = some.level == StepLevel::Column || some.level == StepLevel::Element;
        for (const int operand : some.operands) {
            const StepLevel level = step(operand).level;
            isRow = isRow || level == StepLevel::Row || level == StepLevel::Element;
            isColumn = isColumn || level == StepLevel::Column || level == StepLevel::Element;
        }
        if (isScan(some.op)) { // even if its operand is the same for all elements
            isColumn = true;
            isRow = isRow || outer > 0;
        }
        some.level = isRow && isColumn ? StepLevel::Element
                     : isColumn        ? StepLevel::Column
                     : isRow           ? StepLevel::Row
                                       : StepLevel::Constant;
    }
    const auto found = std::find(steps.begin(), steps.end(), some);
    if (found != steps.end())
        return static_cast<int>(found - steps.begin());
    steps.push_back(std::move(some));
    return static_cast<int>(steps.size()) - 1;
}

int Kernel::number(double value, ElementType type) {
    KernelStep some;
    some.op = Opcode::Number;
    some.type = type;
    some.number = value;
    if (std::isnan(value)) // NaN is not equal to itself, so no equal step would be found
        some.index.offset = 1;
    return append(std::move(some));
}

int Kernel::index(const AffineExpr &value) {
    KernelStep some;
    some.op = Opcode::Index;
    some.type = ElementType::Int64;
    some.index = value;
    some.level = levelOf(value);
    return append(std::move(some));
}

int Kernel::load(const KernelInput &input, std::vector<int> indices, int guard) {
    const auto found = std::find(inputs.begin(), inputs.end(), input);
    KernelStep some;
    some.op = Opcode::Load;
    some.type = computeType(input.type);
    some.input = static_cast<int>(found - inputs.begin());
    some.level = levelOf(input.address);
    some.operands = std::move(indices);
    some.isGuarded = guard >= 0;
    if (some.isGuarded)
        some.operands.push_back(guard);
    if (found == inputs.end())
        inputs.push_back(input);
    return append(std::move(some));
}

int Kernel::converted(int number, ElementType type) {
    if (step(number).type == type)
        return number;
    if (step(number).op == Opcode::Number)
        return this->number(castTo(castTo(step(number).number, step(number).type), type), type);
    return add(Opcode::Convert, type, {number});
}

int Kernel::add(Opcode op, ElementType type, std::vector<int> operands) {
    const bool isTwo = operands.size() == 2;
    const int first = operands[0];
    const int second = isTwo ? operands[1] : -1;
    const bool isReal = isFloating(type);
    const auto valueOf = [this](int some) {
        return step(some).number;
    };
    const bool isSecondNumber = isTwo && step(second).op == Opcode::Number;
    if (const auto known = foldConstants(op, type, operands))
        return number(*known, type);
    if (op == Opcode::Select && step(first).op == Opcode::Number)
        return valueOf(first) != 0 ? operands[1] : operands[2];
    if (type == ElementType::Int64 && isTwo)
        if (const int sum = foldIntoIndex(op, first, second); sum >= 0)
            return sum;
    if (op == Opcode::And || op == Opcode::Or)
        // torch's triu and tril of an all-true matrix reduce to a comparison of indices.
        for (const auto &[one, other] : {std::pair(first, second), std::pair(second, first)})
            if (step(one).op == Opcode::Number)
                return (valueOf(one) != 0) == (op == Opcode::And) ? other : one;
    if (op == Opcode::Select) {
        if (const int chosen = simplifiedSelect(operands[0], operands[1], operands[2]); chosen >= 0)
            return chosen;
        // So that softplus(h) and softplus(-h), both of which a loss has, share the expensive part.
        if (const int inside = softplusBy20(operands); inside >= 0 && type == ElementType::Float32)
            return softplus(inside, type);
    }
    // Modulo a power of two, with the divisor's sign, is a bit mask, for negative numbers too.
    if (op == Opcode::Remainder && type == ElementType::Int64 && isSecondNumber && valueOf(second) >= 1 &&
        valueOf(second) <= mostExact && isPowerOfTwo(valueOf(second)))
        return add(Opcode::BitAnd, type, {first, number(valueOf(second) - 1, type)});
    // 2^(k y) with an integer k: one instruction of the SFU; a call of pow is some ninety instructions.
    if (op == Opcode::Pow && isReal && step(first).op == Opcode::Number && valueOf(first) > 0 &&
        valueOf(first) != 1 && isPowerOfTwo(valueOf(first))) {
        const double whole = std::log2(valueOf(first));
        const int exponent = whole == -1 ? add(Opcode::Negate, type, {second})
                                         : add(Opcode::Multiply, type, {second, number(whole, type)});
        return add(Opcode::Exp2, type, {exponent});
    }
    // Canonical forms, so that differently written references become one kernel.
    if (op == Opcode::Subtract && isSecondNumber)
        return add(Opcode::Add, type, {first, number(-valueOf(second), type)});
    if (op == Opcode::Divide && isReal) {
        if (isSecondNumber && isPowerOfTwo(valueOf(second)))
            return add(Opcode::Multiply, type, {first, number(1 / valueOf(second), type)});
        // Dividing by a value of the row becomes multiplying by its reciprocal: one division a row.
        const bool isSlow =
            !isSecondNumber && step(second).level <= StepLevel::Row && step(first).level >= StepLevel::Column;
        if (isSlow)
            return add(Opcode::Multiply, type, {first, add(Opcode::Divide, type, {number(1, type), second})});
    }
    if (op == Opcode::Multiply && isReal)
        for (const auto &[one, other] : {std::pair(first, second), std::pair(second, first)}) {
            const KernelStep &quotient = step(other);
            const bool isReciprocal = quotient.op == Opcode::Divide && isNumber(quotient.operands[0], 1);
            if (isReciprocal && !(quotient.level <= StepLevel::Row && step(one).level >= StepLevel::Column))
                return add(Opcode::Divide, type, {one, quotient.operands[1]});
        }
    if (op == Opcode::Multiply && isSecondNumber && valueOf(second) == 1)
        return first;
    if (op == Opcode::Multiply && isNumber(first, 1))
        return second;
    if (op == Opcode::Add && isSecondNumber && valueOf(second) == 0)
        return first;
    // SiLU is decomposed to x / (1 + exp(-x)): 1 / (1 + exp(-x)) is the sigmoid.
    if (op == Opcode::Divide && isReal && step(second).op == Opcode::Add) {
        const std::vector<int> parts = step(second).operands;
        for (const auto &[one, other] : {std::pair(parts[0], parts[1]), std::pair(parts[1], parts[0])})
            if (isNumber(one, 1) && step(other).op == Opcode::Exp &&
                step(step(other).operands[0]).op == Opcode::Negate) {
                const int inside = step(step(other).operands[0]).operands[0];
                return add(Opcode::Multiply, type, {first, add(Opcode::Sigmoid, type, {inside})});
            }
    }
    // Factor a row's value out of its sum: a softmax's sum is known only one loop later.
    if (std::set<int> none; op == Opcode::RowSum && isReal)
        if (const auto [elements, factor] = withoutFactor(first, type, none); factor >= 0)
            return add(Opcode::Multiply, type, {add(Opcode::RowSum, type, {elements}), factor});
    // The sum of a log-softmax: subtract the logarithm once, since it is known only one loop later. Not for
    // any value of the row: after subtracting a mean or maximum, cancellation would leave little but rounding
    // where elements are far from 0.
    if (op == Opcode::RowSum && isReal && step(first).op == Opcode::Subtract) {
        const auto [elements, less] = std::pair(step(first).operands[0], step(first).operands[1]);
        if (step(less).op == Opcode::Log && step(less).level == StepLevel::Row &&
            step(elements).level == StepLevel::Element)
            return add(Opcode::Subtract, type,
                       {add(Opcode::RowSum, type, {elements}),
                        add(Opcode::Multiply, type, {less, number(static_cast<double>(columns()), type)})});
    }
    if (op == Opcode::RowSum && isReal)
        if (const int sum = sumWithoutLogarithms(first, type); sum >= 0)
            return sum;
    // exp(log-softmax) is the softmax, whose exponentials the sum already has.
    if (op == Opcode::Exp && isReal)
        if (const auto found = logSoftmaxOf(first); found && step(first).type == type)
            return add(Opcode::Divide, type, {add(Opcode::Exp, type, {found->distance}), found->sum});
    if (op == Opcode::Negate && step(first).op == Opcode::Number)
        return number(-valueOf(first), type);
    if (op == Opcode::Negate && step(first).op == Opcode::Negate)
        return step(first).operands[0];
    if (op == Opcode::Abs && step(first).op == Opcode::Negate)
        return add(Opcode::Abs, type, {step(first).operands[0]});
    if (op == Opcode::Tanh)
        if (const int inside = softplusOf(first); inside >= 0) {
            // tanh(log(1 + e)) = n / (n + 2), where e = exp(h), n = e (e + 2), for any h; 1 from h = 20.
            const int e =
                add(Opcode::Exp, type, {add(Opcode::Minimum, type, {inside, this->number(20, type)})});
            const int n =
                add(Opcode::Multiply, type, {e, add(Opcode::Add, type, {e, this->number(2, type)})});
            return add(Opcode::Divide, type, {n, add(Opcode::Add, type, {n, this->number(2, type)})});
        }
    KernelStep some;
    some.op = op;
    some.type = type;
    some.operands = std::move(operands);
    // Constants last; else an order that does not depend on how the reference was written.
    if (isCommutative(op)) {
        const std::vector<QString> signatures = stepSignatures();
        const auto key = [this, &signatures](int operand) {
            return std::pair(step(operand).op == Opcode::Number ? 1 : 0,
                             signatures[static_cast<std::size_t>(operand)]);
        };
        std::stable_sort(some.operands.begin(), some.operands.end(),
                         [&key](int a, int b) { return key(a) < key(b); });
    }
    return append(std::move(some));
}

// Constant folding, rounded as the kernel would.
std::optional<double> Kernel::foldConstants(Opcode op, ElementType type,
                                            const std::vector<int> &operands) const {
    std::vector<double> numbers;
    for (const int operand : operands) {
        if (step(operand).op != Opcode::Number)
            return std::nullopt;
        numbers.push_back(castTo(step(operand).number, step(operand).type));
    }
    const double a = numbers.front(), b = numbers.back();
    const auto result = [type](double exact) {
        return type != ElementType::Int64 || std::abs(exact) < mostExact ? std::optional(castTo(exact, type))
                                                                         : std::nullopt;
    };
    switch (op) {
    case Opcode::Abs:
        return std::abs(a);
    case Opcode::Not:
        return a == 0;
    case Opcode::Less:
        return a < b;
    case Opcode::LessOrEqual:
        return a <= b;
    case Opcode::Equal:
        return a == b;
    case Opcode::NotEqual:
        return a != b;
    case Opcode::Add:
        return result(a + b);
    case Opcode::Subtract:
        return result(a - b);
    case Opcode::Multiply:
        return result(a * b);
    default:
        return std::nullopt;
    }
}

// A counter plus or times a constant stays an affine index, so that a load by it has an address. -1: not
// affine.
int Kernel::foldIntoIndex(Opcode op, int first, int second) {
    if (op != Opcode::Add && op != Opcode::Multiply)
        return -1;
    if (step(first).op == Opcode::Number)
        std::swap(first, second);
    const KernelStep one = step(first);
    const KernelStep two = step(second);
    if (one.op != Opcode::Index)
        return -1;
    AffineExpr sum = one.index;
    if (two.op == Opcode::Number) {
        const auto number = static_cast<std::int64_t>(two.number);
        sum.offset = op == Opcode::Add ? sum.offset + number : sum.offset * number;
        for (std::int64_t &some : sum.steps)
            some *= op == Opcode::Add ? 1 : number;
        return index(sum);
    }
    if (op != Opcode::Add || two.op != Opcode::Index)
        return -1;
    sum.offset += two.index.offset;
    for (std::size_t k = 0; k < sum.steps.size(); ++k)
        sum.steps[k] += two.index.steps[k];
    return index(sum);
}

std::vector<QString> Kernel::stepSignatures() const {
    std::vector<QString> signatures;
    for (const KernelStep &some : steps) {
        QString text = opcodeName(some.op) + QLatin1Char(':') + elementTypeName(some.type);
        if (some.op == Opcode::Number)
            text += QLatin1Char(' ') + QString::number(some.number, 'g', 17);
        if (some.op == Opcode::Index)
            text += QLatin1Char(' ') + printedExpr(some.index);
        if (some.input >= 0) {
            const KernelInput &input = inputs[static_cast<std::size_t>(some.input)];
            text += QLatin1Char(' ') + elementTypeName(input.type) + QLatin1Char(' ') +
                    printedExpr(input.address);
            for (const std::int64_t stride : input.strides)
                text += QStringLiteral(" *%1").arg(stride);
            if (some.isGuarded)
                text += QStringLiteral(" else %1").arg(some.number);
        }
        QStringList operands;
        for (const int operand : some.operands)
            operands << signatures[static_cast<std::size_t>(operand)];
        // Sorted again: merging loops has changed the operands' signatures.
        if (isCommutative(some.op))
            operands.sort();
        text += QLatin1Char(',') + operands.join(QLatin1Char(','));
        signatures.push_back(shortHash(text));
    }
    return signatures;
}

QString Kernel::signature() const {
    const std::vector<QString> signatures = stepSignatures();
    QStringList parts;
    for (const KernelStore &store : stores)
        parts << elementTypeName(store.type) + QLatin1Char(' ') + printedExpr(store.address) +
                     (store.every.empty() ? QString()
                                          : QLatin1String(" each") + printedExpr({0, store.every})) +
                     QLatin1Char(' ') + signatures[static_cast<std::size_t>(store.step)];
    parts.sort();
    QString text = signatureOf(structuredOp) + (scatteredStore ? signatureOf(*scatteredStore) : QString()) +
                   QStringLiteral("%1:").arg(outer);
    for (const std::int64_t size : loops)
        text += QStringLiteral(" %1").arg(size);
    return text + QLatin1String(" | ") + parts.join(QLatin1String(" | "));
}

} // namespace warpwright
