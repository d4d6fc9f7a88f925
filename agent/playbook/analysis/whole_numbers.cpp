// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/analysis/whole_numbers.h"

#include "agent/playbook/analysis/kernel_family.h"

#include <QRegularExpression>

#include <algorithm>
#include <cmath>
#include <limits>

namespace warpwright {
namespace {

constexpr double mostNarrow = 2147000000.0; ///< of 32 bits, less some packs beyond the end
constexpr std::int64_t mostElements =
    std::int64_t(1) << 30; ///< a thread's next one, once round the grid, is twice that at most

using Range = WholeRange;

bool isNarrow(const Range &range) {
    return range.low > -mostNarrow && range.high < mostNarrow;
}

/// What several values span; one that is no number spans all.
Range spanned(std::initializer_list<double> values) {
    if (std::any_of(values.begin(), values.end(), [](double value) { return std::isnan(value); }))
        return {};
    return {std::min(values), std::max(values)};
}

Range spanOf(const AffineIndex &index, const Shape &loops) {
    for (std::size_t k = loops.size(); k < index.steps.size(); ++k)
        if (index.steps[k] != 0)
            return {}; // counted by a step
    const auto [low, high] = rangeOf(index, loops);
    return {static_cast<double>(low), static_cast<double>(high)};
}

Range product(const Range &a, const Range &b) {
    return spanned({a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high});
}

Range shared(const Range &a, const Range &b) {
    return {std::max(a.low, b.low), std::min(a.high, b.high)};
}

/// What a condition says of a step's value where it holds, if it compares it, or what it is cut off from,
/// with numbers: a place in an image is inside. NaN is not.
Range boundsBy(const FusedKernel &kernel, int condition, int value) {
    const KernelStep &asked = kernel.step(condition);
    if (asked.op == KernelOp::And)
        return shared(boundsBy(kernel, asked.operands[0], value), boundsBy(kernel, asked.operands[1], value));
    if (asked.op != KernelOp::Less && asked.op != KernelOp::LessOrEqual)
        return {};
    const KernelStep &what = kernel.step(value);
    const bool isCut = what.op == KernelOp::Convert && what.type == ElementType::Int64;
    const auto isIt = [&](int step) {
        return step == value || (isCut && step == what.operands[0]);
    };
    const KernelStep &left = kernel.step(asked.operands[0]);
    const KernelStep &right = kernel.step(asked.operands[1]);
    const auto bound = [isCut](double number) {
        return isCut ? std::trunc(number) : number;
    };
    Range bounds;
    if (isIt(asked.operands[1]) && left.op == KernelOp::Number)
        bounds.low = bound(left.number);
    if (isIt(asked.operands[0]) && right.op == KernelOp::Number)
        bounds.high = bound(right.number);
    return bounds;
}

/// The second operand of a choice: where that is taken.
Range rangeOfChosen(const FusedKernel &kernel, const KernelStep &choice, const Range &any) {
    const Range bounds = boundsBy(kernel, choice.operands[0], choice.operands[1]);
    const Range range = shared(any, bounds);
    return range.low <= range.high ? range : Range{0, 0}; // else it never is
}

/// What the bits of two numbers make: no more of them than the longer one has.
Range ofBits(const Range &a, const Range &b) {
    const double most = std::max({-std::min(a.low, b.low), a.high + 1, b.high + 1, 1.0});
    if (std::isinf(most))
        return {};
    const double power = std::exp2(std::ceil(std::log2(most)));
    return {-power, power - 1};
}

// `columns`: elements of a row.
Range rangeOf(const FusedKernel &kernel, const KernelStep &step, const std::vector<Range> &known,
              const Shape &loops, double columns) {
    const auto of = [&](std::size_t operand) {
        return known[static_cast<std::size_t>(step.operands[operand])];
    };
    switch (step.op) {
    case KernelOp::Number:
        return spanned({step.number});
    case KernelOp::Index:
        return spanOf(step.index, loops);
    case KernelOp::Load: {
        const ElementType type = kernel.leaves[static_cast<std::size_t>(step.leaf)].type;
        const Range held = isFloating(type) ? Range() : wholeRangeOf(type);
        return step.isGuarded ? Range{std::min(held.low, step.number), std::max(held.high, step.number)}
                              : held;
    }
    case KernelOp::Convert:
        return step.type == ElementType::Bool ? Range{0, 1} : of(0);
    case KernelOp::Add:
        return spanned({of(0).low + of(1).low, of(0).high + of(1).high});
    case KernelOp::Subtract:
        return spanned({of(0).low - of(1).high, of(0).high - of(1).low});
    case KernelOp::Multiply:
        return product(of(0), of(1));
    case KernelOp::Divide:
        // By what cannot be 0, and rounded in whatever way.
        return of(1).low <= 0 && of(1).high >= 0 ? Range()
                                                 : product(of(0), spanned({1 / of(1).low, 1 / of(1).high}));
    case KernelOp::Remainder:
    case KernelOp::TruncatedRemainder: {
        const double most = std::max(std::abs(of(1).low), std::abs(of(1).high));
        const bool isPositive = step.op == KernelOp::Remainder ? of(1).low > 0 : of(0).low >= 0;
        return {isPositive ? 0 : -most, most};
    }
    case KernelOp::BitAnd: // one that is not negative bounds the result
        return of(0).low >= 0   ? Range{0, of(1).low >= 0 ? std::min(of(0).high, of(1).high) : of(0).high}
               : of(1).low >= 0 ? Range{0, of(1).high}
                                : ofBits(of(0), of(1));
    case KernelOp::BitOr:
    case KernelOp::BitXor:
        return of(0).low >= 0 && of(1).low >= 0 ? Range{0, of(0).high + of(1).high} : ofBits(of(0), of(1));
    case KernelOp::ShiftRight: {
        // By at least so much: of 64 bits.
        const double by = std::exp2(std::clamp(of(1).low, 0.0, 63.0));
        const double most = std::exp2(63) / by;
        return {std::max(std::min(std::floor(of(0).low / by), 0.0), -most),
                std::min(std::max(of(0).high / by, 0.0), most - 1)};
    }
    case KernelOp::ShiftLeft:
        return of(1).high < 63 ? product(of(0), {1, std::exp2(of(1).high)}) : Range();
    case KernelOp::Negate:
        return {-of(0).high, -of(0).low};
    case KernelOp::Absolute:
        return {0, std::max(std::abs(of(0).low), std::abs(of(0).high))};
    case KernelOp::Floor:
    case KernelOp::Ceiling:
    case KernelOp::Round:
    case KernelOp::Truncate:
        return {of(0).low - 1, of(0).high + 1};
    case KernelOp::Maximum:
        return {std::max(of(0).low, of(1).low), std::max(of(0).high, of(1).high)};
    case KernelOp::Minimum:
        return {std::min(of(0).low, of(1).low), std::min(of(0).high, of(1).high)};
    case KernelOp::Select: {
        const Range chosen = rangeOfChosen(kernel, step, of(1));
        return {std::min(chosen.low, of(2).low), std::max(chosen.high, of(2).high)};
    }
    case KernelOp::RowMaximum:
    case KernelOp::RowMinimum:
    case KernelOp::RowRanked:
    case KernelOp::ScanMaximum:
    case KernelOp::ScanMinimum:
        return of(0);
    case KernelOp::RowSum:
    case KernelOp::ScanSum:
        return {std::min(of(0).low, 0.0) * columns, std::max(of(0).high, 0.0) * columns};
    case KernelOp::Less:
    case KernelOp::LessOrEqual:
    case KernelOp::Equal:
    case KernelOp::NotEqual:
    case KernelOp::And:
    case KernelOp::Or:
    case KernelOp::Not:
        return {0, 1};
    default:
        return {};
    }
}

/// A whole number beyond 64 bits comes out anywhere among them.
Range wrapped(const Range &range) {
    const Range held = wholeRangeOf(ElementType::Int64);
    const bool isBeyond = (std::isfinite(range.low) && range.low < held.low) ||
                          (std::isfinite(range.high) && range.high > held.high);
    return isBeyond ? held : range;
}

std::vector<Range> rangesOf(const FusedKernel &kernel) {
    std::vector<Range> ranges;
    for (const KernelStep &step : kernel.steps) {
        const Range range =
            rangeOf(kernel, step, ranges, kernel.loops, static_cast<double>(kernel.columns()));
        ranges.push_back(step.type == ElementType::Int64 ? wrapped(range) : range);
    }
    return ranges;
}

/// By step: a value that is cut off to a whole number, and taken only where a condition says that 32 bits
/// hold it. What becomes of others nobody asks.
std::vector<bool> areTakenNarrow(const FusedKernel &kernel) {
    std::vector<bool> taken;
    for (const KernelStep &step : kernel.steps)
        taken.push_back(step.op == KernelOp::Convert && isFloating(kernel.step(step.operands[0]).type));
    for (const KernelStep &step : kernel.steps)
        for (std::size_t i = 0; i < step.operands.size(); ++i)
            if (step.op != KernelOp::Select || i != 1 ||
                !isNarrow(boundsBy(kernel, step.operands[0], step.operands[1])))
                taken[static_cast<std::size_t>(step.operands[i])] = false;
    for (const KernelStore &store : kernel.stores)
        taken[static_cast<std::size_t>(store.step)] = false;
    return taken;
}

} // namespace

WholeRange wholeRangeOf(ElementType type) {
    const double half = std::exp2(8 * bytesOf(type) - 1);
    if (type == ElementType::Bool)
        return {0, 1};
    return type == ElementType::UInt8 ? WholeRange{0, 2 * half - 1} : WholeRange{-half, half - 1};
}

WholeRange wholeRangeOf(const FusedKernel &kernel, int step) {
    return rangesOf(kernel)[static_cast<std::size_t>(step)];
}

bool isNeverNegative(const FusedKernel &kernel, int step) {
    return rangesOf(kernel)[static_cast<std::size_t>(step)].low >= 0;
}

bool hasNarrowNumbers(const FusedKernel &kernel) {
    const auto isWhole = [](const auto &memory) {
        return memory.type == ElementType::Int64;
    };
    const std::vector<Range> ranges = rangesOf(kernel);
    const std::vector<bool> areTaken = areTakenNarrow(kernel);
    for (std::size_t at = 0; at < kernel.steps.size(); ++at)
        if (isWhole(kernel.steps[at]) && !isNarrow(ranges[at]) && !areTaken[at])
            return false;
    return hasNarrowCounters(kernel) && std::none_of(kernel.leaves.begin(), kernel.leaves.end(), isWhole);
}

bool hasNarrowCounters(const FusedKernel &kernel) {
    // A thread that takes whole windows numbers these, and no elements.
    const std::int64_t numbered = familyOf(kernel) == KernelFamily::Windows ? 1 : kernel.columns();
    if (kernel.rows() >= mostElements / std::max<std::int64_t>(numbered, 1))
        return false;
    const std::vector<Range> ranges = rangesOf(kernel);
    const auto isWide = [&](int step) {
        return kernel.step(step).type == ElementType::Int64 &&
               !isNarrow(ranges[static_cast<std::size_t>(step)]);
    };
    for (std::size_t at = 0; at < kernel.steps.size(); ++at) {
        const KernelStep &step = kernel.steps[at];
        // A wide value is computed with 64 bits where it has a type of its own, or an operand has them.
        const bool hasOwnType = step.op == KernelOp::Load || step.op == KernelOp::Convert ||
                                isReduction(step.op) || isScan(step.op);
        if (isWide(static_cast<int>(at)) && !hasOwnType &&
            std::none_of(step.operands.begin(), step.operands.end(), isWide))
            return false;
        if (step.op != KernelOp::Load)
            continue;
        const KernelLeaf &leaf = kernel.leaves[static_cast<std::size_t>(step.leaf)];
        Range address = spanOf(leaf.address, kernel.loops);
        for (std::size_t i = 0; i < leaf.strides.size(); ++i) {
            if (isWide(step.operands[i]))
                continue;
            const double stride = static_cast<double>(leaf.strides[i]);
            const Range part =
                product(ranges[static_cast<std::size_t>(step.operands[i])], spanned({stride, stride}));
            address = {address.low + part.low, address.high + part.high};
        }
        if (!isNarrow(address))
            return false;
    }
    return std::all_of(kernel.stores.begin(), kernel.stores.end(), [&](const KernelStore &store) {
        return isNarrow(spanOf(store.address, kernel.loops));
    });
}

/// Whether places of one row, or of what is counted in it, lie further apart than an int holds.
static bool hasFarColumns(const FusedKernel &kernel) {
    const auto isFar = [&kernel](const AffineIndex &index) {
        double span = 0;
        for (std::size_t k = kernel.outer; k < index.steps.size(); ++k)
            span += std::abs(static_cast<double>(index.steps[k])) * static_cast<double>(kernel.loops[k]);
        return span >= mostNarrow;
    };
    return std::any_of(kernel.leaves.begin(), kernel.leaves.end(),
                       [&](const KernelLeaf &leaf) { return isFar(leaf.address); }) ||
           std::any_of(kernel.stores.begin(), kernel.stores.end(),
                       [&](const KernelStore &store) { return isFar(store.address); }) ||
           std::any_of(kernel.steps.begin(), kernel.steps.end(), [&](const KernelStep &step) {
               return step.op == KernelOp::Index && isFar(step.index);
           });
}

QString withNarrowNumbers(const FusedKernel &kernel, QString body) {
    static const QRegularExpression counter(
        QStringLiteral("\\bstd::int64_t (row|wanted|mine|all|pack|strip|first|c|[ij]\\d+)\\b"));
    static const QRegularExpression ofGrid(
        QStringLiteral("\\bstd::int64_t(\\((?:block|grid)(?:Idx|Dim)\\.x)"));
    static const QRegularExpression column(QStringLiteral("\\bint (c|column) = "));
    static const QRegularExpression inBrackets(QStringLiteral("\\bint\\((-?\\d+)\\)"));
    const QString packOfMemory = QStringLiteral("Pack<std::int64_t>");
    const QString kept = QStringLiteral("Pack<@>");
    if (hasNarrowNumbers(kernel))
        return body.replace(packOfMemory, kept)
            .replace(QLatin1String("std::int64_t"), QLatin1String("int"))
            .replace(kept, packOfMemory)
            .replace(QLatin1String("INT64_M"), QLatin1String("INT32_M"))
            .replace(inBrackets, QStringLiteral("\\1"));
    if (hasNarrowCounters(kernel))
        body.replace(counter, QStringLiteral("int \\1")).replace(ofGrid, QStringLiteral("int\\1"));
    else if (hasFarColumns(kernel)) // an int's multiples would overflow
        body.replace(column, QStringLiteral("std::int64_t \\1 = "));
    return body;
}

} // namespace warpwright
