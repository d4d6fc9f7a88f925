// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/analysis/integer_ranges.h"

#include "agent/playbook/analysis/kernel_family.h"

#include <QRegularExpression>

#include <algorithm>
#include <cmath>
#include <limits>

namespace warpwright {
namespace {

constexpr double largestInt32 = 2147000000.0; ///< of 32 bits, less some vectors beyond the end
constexpr std::int64_t mostElements =
    std::int64_t(1) << 30; ///< a thread's next index in its grid-stride loop is at most twice that

using Range = IntegerRange;

bool fitsInt32(const Range &range) {
    return range.low > -largestInt32 && range.high < largestInt32;
}

/// The range of several values; NaN: unbounded.
Range spanned(std::initializer_list<double> values) {
    if (std::any_of(values.begin(), values.end(), [](double value) { return std::isnan(value); }))
        return {};
    return {std::min(values), std::max(values)};
}

Range spanOf(const AffineExpr &index, const Shape &loops) {
    for (std::size_t k = loops.size(); k < index.steps.size(); ++k)
        if (index.steps[k] != 0)
            return {}; // an index that is a value, not a loop counter
    const auto [low, high] = rangeOf(index, loops);
    return {static_cast<double>(low), static_cast<double>(high)};
}

Range multiply(const Range &a, const Range &b) {
    return spanned({a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high});
}

Range intersection(const Range &a, const Range &b) {
    return {std::max(a.low, b.low), std::min(a.high, b.high)};
}

/// The bounds of a step's value where a condition holds, if it compares the value, or what it is truncated
/// from, with constants: an index is inside an image. NaN is not.
Range boundsBy(const Kernel &kernel, int condition, int value) {
    const KernelStep &test = kernel.step(condition);
    if (test.op == Opcode::And)
        return intersection(boundsBy(kernel, test.operands[0], value),
                            boundsBy(kernel, test.operands[1], value));
    if (test.op != Opcode::Less && test.op != Opcode::LessOrEqual)
        return {};
    const KernelStep &what = kernel.step(value);
    const bool isCut = what.op == Opcode::Convert && what.type == ElementType::Int64;
    const auto isIt = [&](int step) {
        return step == value || (isCut && step == what.operands[0]);
    };
    const KernelStep &left = kernel.step(test.operands[0]);
    const KernelStep &right = kernel.step(test.operands[1]);
    const auto bound = [isCut](double number) {
        return isCut ? std::trunc(number) : number;
    };
    Range bounds;
    if (isIt(test.operands[1]) && left.op == Opcode::Number)
        bounds.low = bound(left.number);
    if (isIt(test.operands[0]) && right.op == Opcode::Number)
        bounds.high = bound(right.number);
    return bounds;
}

/// The second operand of a select, where that is taken.
Range rangeOfChosen(const Kernel &kernel, const KernelStep &choice, const Range &any) {
    const Range bounds = boundsBy(kernel, choice.operands[0], choice.operands[1]);
    const Range range = intersection(any, bounds);
    return range.low <= range.high ? range : Range{0, 0}; // else it is never taken
}

/// A bitwise operation of two values: no wider than the wider one.
Range ofBits(const Range &a, const Range &b) {
    const double most = std::max({-std::min(a.low, b.low), a.high + 1, b.high + 1, 1.0});
    if (std::isinf(most))
        return {};
    const double power = std::exp2(std::ceil(std::log2(most)));
    return {-power, power - 1};
}

// `columns`: elements of a row.
Range rangeOf(const Kernel &kernel, const KernelStep &step, const std::vector<Range> &known,
              const Shape &loops, double columns) {
    const auto of = [&](std::size_t operand) {
        return known[static_cast<std::size_t>(step.operands[operand])];
    };
    switch (step.op) {
    case Opcode::Number:
        return spanned({step.number});
    case Opcode::Index:
        return spanOf(step.index, loops);
    case Opcode::Load: {
        const ElementType type = kernel.inputs[static_cast<std::size_t>(step.input)].type;
        const Range held = isFloating(type) ? Range() : integerRangeOf(type);
        return step.isGuarded ? Range{std::min(held.low, step.number), std::max(held.high, step.number)}
                              : held;
    }
    case Opcode::Convert:
        return step.type == ElementType::Bool ? Range{0, 1} : of(0);
    case Opcode::Add:
        return spanned({of(0).low + of(1).low, of(0).high + of(1).high});
    case Opcode::Subtract:
        return spanned({of(0).low - of(1).high, of(0).high - of(1).low});
    case Opcode::Multiply:
        return multiply(of(0), of(1));
    case Opcode::Divide:
        // The divisor cannot be 0; any rounding.
        return of(1).low <= 0 && of(1).high >= 0 ? Range()
                                                 : multiply(of(0), spanned({1 / of(1).low, 1 / of(1).high}));
    case Opcode::Remainder:
    case Opcode::Fmod: {
        const double most = std::max(std::abs(of(1).low), std::abs(of(1).high));
        const bool isPositive = step.op == Opcode::Remainder ? of(1).low > 0 : of(0).low >= 0;
        return {isPositive ? 0 : -most, most};
    }
    case Opcode::BitAnd: // an operand that is not negative bounds the result
        return of(0).low >= 0   ? Range{0, of(1).low >= 0 ? std::min(of(0).high, of(1).high) : of(0).high}
               : of(1).low >= 0 ? Range{0, of(1).high}
                                : ofBits(of(0), of(1));
    case Opcode::BitOr:
    case Opcode::BitXor:
        return of(0).low >= 0 && of(1).low >= 0 ? Range{0, of(0).high + of(1).high} : ofBits(of(0), of(1));
    case Opcode::ShiftRight: {
        // The least shift of a 64-bit value.
        const double by = std::exp2(std::clamp(of(1).low, 0.0, 63.0));
        const double most = std::exp2(63) / by;
        return {std::max(std::min(std::floor(of(0).low / by), 0.0), -most),
                std::min(std::max(of(0).high / by, 0.0), most - 1)};
    }
    case Opcode::ShiftLeft:
        return of(1).high < 63 ? multiply(of(0), {1, std::exp2(of(1).high)}) : Range();
    case Opcode::Negate:
        return {-of(0).high, -of(0).low};
    case Opcode::Abs:
        return {0, std::max(std::abs(of(0).low), std::abs(of(0).high))};
    case Opcode::Floor:
    case Opcode::Ceil:
    case Opcode::Round:
    case Opcode::Trunc:
        return {of(0).low - 1, of(0).high + 1};
    case Opcode::Maximum:
        return {std::max(of(0).low, of(1).low), std::max(of(0).high, of(1).high)};
    case Opcode::Minimum:
        return {std::min(of(0).low, of(1).low), std::min(of(0).high, of(1).high)};
    case Opcode::Select: {
        const Range chosen = rangeOfChosen(kernel, step, of(1));
        return {std::min(chosen.low, of(2).low), std::max(chosen.high, of(2).high)};
    }
    case Opcode::RowMaximum:
    case Opcode::RowMinimum:
    case Opcode::RowKthValue:
    case Opcode::ScanMaximum:
    case Opcode::ScanMinimum:
        return of(0);
    case Opcode::RowSum:
    case Opcode::ScanSum:
        return {std::min(of(0).low, 0.0) * columns, std::max(of(0).high, 0.0) * columns};
    case Opcode::Less:
    case Opcode::LessOrEqual:
    case Opcode::Equal:
    case Opcode::NotEqual:
    case Opcode::And:
    case Opcode::Or:
    case Opcode::Not:
        return {0, 1};
    default:
        return {};
    }
}

/// 64-bit overflow may wrap to any value.
Range wrapped(const Range &range) {
    const Range held = integerRangeOf(ElementType::Int64);
    const bool isBeyond = (std::isfinite(range.low) && range.low < held.low) ||
                          (std::isfinite(range.high) && range.high > held.high);
    return isBeyond ? held : range;
}

std::vector<Range> rangesOf(const Kernel &kernel) {
    std::vector<Range> ranges;
    for (const KernelStep &step : kernel.steps) {
        const Range range =
            rangeOf(kernel, step, ranges, kernel.loops, static_cast<double>(kernel.columns()));
        ranges.push_back(step.type == ElementType::Int64 ? wrapped(range) : range);
    }
    return ranges;
}

/// By step: whether it truncates to an integer that is used only where a condition bounds it to 32 bits.
std::vector<bool> areTruncatedToInt32(const Kernel &kernel) {
    std::vector<bool> taken;
    for (const KernelStep &step : kernel.steps)
        taken.push_back(step.op == Opcode::Convert && isFloating(kernel.step(step.operands[0]).type));
    for (const KernelStep &step : kernel.steps)
        for (std::size_t i = 0; i < step.operands.size(); ++i)
            if (step.op != Opcode::Select || i != 1 ||
                !fitsInt32(boundsBy(kernel, step.operands[0], step.operands[1])))
                taken[static_cast<std::size_t>(step.operands[i])] = false;
    for (const KernelStore &store : kernel.stores)
        taken[static_cast<std::size_t>(store.step)] = false;
    return taken;
}

} // namespace

IntegerRange integerRangeOf(ElementType type) {
    const double half = std::exp2(8 * bytesOf(type) - 1);
    if (type == ElementType::Bool)
        return {0, 1};
    return type == ElementType::UInt8 ? IntegerRange{0, 2 * half - 1} : IntegerRange{-half, half - 1};
}

IntegerRange integerRangeOf(const Kernel &kernel, int step) {
    return rangesOf(kernel)[static_cast<std::size_t>(step)];
}

bool isNeverNegative(const Kernel &kernel, int step) {
    return rangesOf(kernel)[static_cast<std::size_t>(step)].low >= 0;
}

bool hasInt32Values(const Kernel &kernel) {
    const auto isInt64 = [](const auto &memory) {
        return memory.type == ElementType::Int64;
    };
    const std::vector<Range> ranges = rangesOf(kernel);
    const std::vector<bool> areTruncated = areTruncatedToInt32(kernel);
    for (std::size_t at = 0; at < kernel.steps.size(); ++at)
        if (isInt64(kernel.steps[at]) && !fitsInt32(ranges[at]) && !areTruncated[at])
            return false;
    return hasInt32Indexing(kernel) && std::none_of(kernel.inputs.begin(), kernel.inputs.end(), isInt64);
}

bool hasInt32Indexing(const Kernel &kernel) {
    // With a row per thread, threads are numbered by row and not by element.
    const std::int64_t numbered = familyOf(kernel) == KernelFamily::Windows ? 1 : kernel.columns();
    if (kernel.rows() >= mostElements / std::max<std::int64_t>(numbered, 1))
        return false;
    const std::vector<Range> ranges = rangesOf(kernel);
    const auto needsInt64 = [&](int step) {
        return kernel.step(step).type == ElementType::Int64 &&
               !fitsInt32(ranges[static_cast<std::size_t>(step)]);
    };
    for (std::size_t at = 0; at < kernel.steps.size(); ++at) {
        const KernelStep &step = kernel.steps[at];
        // A 64-bit value is computed in 64 bits if it has a type of its own, or a 64-bit operand.
        const bool hasOwnType =
            step.op == Opcode::Load || step.op == Opcode::Convert || isReduction(step.op) || isScan(step.op);
        if (needsInt64(static_cast<int>(at)) && !hasOwnType &&
            std::none_of(step.operands.begin(), step.operands.end(), needsInt64))
            return false;
        if (step.op != Opcode::Load)
            continue;
        const KernelInput &input = kernel.inputs[static_cast<std::size_t>(step.input)];
        Range address = spanOf(input.address, kernel.loops);
        for (std::size_t i = 0; i < input.strides.size(); ++i) {
            if (needsInt64(step.operands[i]))
                continue;
            const double stride = static_cast<double>(input.strides[i]);
            const Range part =
                multiply(ranges[static_cast<std::size_t>(step.operands[i])], spanned({stride, stride}));
            address = {address.low + part.low, address.high + part.high};
        }
        if (!fitsInt32(address))
            return false;
    }
    return std::all_of(kernel.stores.begin(), kernel.stores.end(), [&](const KernelStore &store) {
        return fitsInt32(spanOf(store.address, kernel.loops));
    });
}

/// Whether indices or addresses within one row exceed an int.
static bool hasFarColumns(const Kernel &kernel) {
    const auto isFar = [&kernel](const AffineExpr &index) {
        double span = 0;
        for (std::size_t k = kernel.outer; k < index.steps.size(); ++k)
            span += std::abs(static_cast<double>(index.steps[k])) * static_cast<double>(kernel.loops[k]);
        return span >= largestInt32;
    };
    return std::any_of(kernel.inputs.begin(), kernel.inputs.end(),
                       [&](const KernelInput &input) { return isFar(input.address); }) ||
           std::any_of(kernel.stores.begin(), kernel.stores.end(),
                       [&](const KernelStore &store) { return isFar(store.address); }) ||
           std::any_of(kernel.steps.begin(), kernel.steps.end(),
                       [&](const KernelStep &step) { return step.op == Opcode::Index && isFar(step.index); });
}

QString withInt32Indexing(const Kernel &kernel, QString body) {
    static const QRegularExpression counter(QStringLiteral(
        "\\bstd::int64_t "
        "(row|unclampedRow|unclamped|firstVector|gridThreads|vector|tile|first|c|[ij]\\d+)\\b"));
    static const QRegularExpression ofGrid(
        QStringLiteral("\\bstd::int64_t(\\((?:block|grid)(?:Idx|Dim)\\.x)"));
    static const QRegularExpression column(QStringLiteral("\\bint (c|column) = "));
    static const QRegularExpression inBrackets(QStringLiteral("\\bint\\((-?\\d+)\\)"));
    const QString vecOfInt64 = QStringLiteral("Vec<std::int64_t>");
    const QString vecOfMark = QStringLiteral("Vec<@>");
    if (hasInt32Values(kernel))
        return body.replace(vecOfInt64, vecOfMark)
            .replace(QLatin1String("std::int64_t"), QLatin1String("int"))
            .replace(vecOfMark, vecOfInt64)
            .replace(QLatin1String("INT64_M"), QLatin1String("INT32_M"))
            .replace(inBrackets, QStringLiteral("\\1"));
    if (hasInt32Indexing(kernel))
        body.replace(counter, QStringLiteral("int \\1")).replace(ofGrid, QStringLiteral("int\\1"));
    else if (hasFarColumns(kernel)) // an int's multiples would overflow
        body.replace(column, QStringLiteral("std::int64_t \\1 = "));
    return body;
}

} // namespace warpwright
