// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/codegen/radix_select.h"

#include <algorithm>

namespace warpwright {
namespace {

constexpr qint64 mostRankFromEnd = 128; ///< elements from the end: a quarter as many as threads
constexpr qint64 leastShare = 16;       ///< elements of the row for each of these
constexpr qint64 leastElements = 512;
constexpr qint64 mostSelects = 8; ///< of a kernel: each has a key per thread, in 48 KiB of shared memory

} // namespace

RadixSelect::RadixSelect(const Kernel &kernel, int step, QString name, bool isCuda)
    : m_name(std::move(name)),
      m_rank(static_cast<qint64>(kernel.step(kernel.step(step).operands[1]).number)),
      m_count(kernel.columns()),
      m_selectCount(std::count_if(kernel.steps.begin(), kernel.steps.end(),
                                  [](const KernelStep &some) { return some.op == Opcode::RowKthValue; })),
      m_isCuda(isCuda) {}

qint64 RadixSelect::rankFromEnd() const {
    return std::min(m_rank, m_count - m_rank + 1);
}

bool RadixSelect::isNearEnd(const ThreadMapping &mapping) const {
    return m_isCuda && mapping.mode == MappingMode::BlockPerRow && !mapping.isClustered &&
           !mapping.hasShortRows && m_selectCount <= mostSelects && rankFromEnd() <= mostRankFromEnd &&
           m_count >= std::max(leastElements, leastShare * rankFromEnd());
}

// The k-th smallest is the k-th largest of the complements.
QString RadixSelect::keyOf(const QString &element) const {
    return QStringLiteral("%1orderedKey(%2)")
        .arg(m_rank == rankFromEnd() ? QString() : QStringLiteral("~"), element);
}

QStringList RadixSelect::beginLargest() {
    m_loop = Loop::Largest;
    const bool isLargest = m_rank == rankFromEnd();
    const QString end = isLargest ? QStringLiteral("largest") : QStringLiteral("smallest");
    return {
        QStringLiteral("// Number %1 of the row from the %2 on is among the elements no %3 than number %1 of "
                       "the threads' own")
            .arg(rankFromEnd())
            .arg(end, isLargest ? QStringLiteral("smaller") : QStringLiteral("larger")),
        QStringLiteral("// %1: few candidates.").arg(end),
        QStringLiteral("__shared__ TopCandidates<THREADS> %1Candidates;").arg(m_name),
        QStringLiteral("std::uint32_t %1ThreadMax = 0;").arg(m_name)};
}

QStringList RadixSelect::beginCandidates() {
    m_loop = Loop::Candidates;
    return {QStringLiteral("const std::uint32_t %1LowerBound = %1Candidates.lowerBound(%1ThreadMax, %2);")
                .arg(m_name)
                .arg(rankFromEnd())};
}

QStringList RadixSelect::beginBits() {
    m_loop = Loop::BitsOfCandidates;
    const QString find =
        QStringLiteral("%1Candidates.find(%2, %3)").arg(m_name).arg(rankFromEnd()).arg(order());
    const QString start = QStringLiteral("std::uint32_t %1 = 0;").arg(order());
    if (m_rank == rankFromEnd())
        return {start, QStringLiteral("if (!%1) { // many are equal").arg(find)};
    return {start, QStringLiteral("if (%1) {").arg(find), QStringLiteral("    %1 = ~%1;").arg(order()),
            QStringLiteral("} else { // many are equal")};
}

QStringList RadixSelect::begin() const {
    QStringList lines{
        QStringLiteral(
            "// Radix select of number %1 from the largest on: a bit is 1 if that many elements are then no "
            "smaller.")
            .arg(m_rank)};
    if (m_loop == Loop::Bits)
        lines << QStringLiteral("std::uint32_t %1 = 0;").arg(order());
    if (m_isCuda)
        lines << QStringLiteral("#pragma unroll 1");
    return lines << QStringLiteral("for (int bit = 31; bit >= 0; --bit) {")
                 << QStringLiteral("    const std::uint32_t candidate = %1 | 1u << bit;").arg(order())
                 << QStringLiteral("    const std::uint32_t flipMask = flipMaskOf(candidate);")
                 << QStringLiteral("    int %1 = 0;").arg(counter());
}

QString RadixSelect::update(const QString &element) const {
    if (m_loop == Loop::Largest)
        return QStringLiteral("%1ThreadMax = max(%1ThreadMax, %2);").arg(m_name, keyOf(element));
    if (m_loop == Loop::Candidates)
        return QStringLiteral("%1Candidates.insert(%2, %1LowerBound);").arg(m_name, keyOf(element));
    return QStringLiteral("%1 += isAtLeast(%2, candidate, flipMask);").arg(counter(), element);
}

QStringList RadixSelect::end() const {
    QStringList lines{QStringLiteral("    if (%1 >= %2)").arg(counter()).arg(m_rank),
                      QStringLiteral("        %1 = candidate;").arg(order()), QStringLiteral("}")};
    if (m_loop == Loop::BitsOfCandidates) {
        for (QString &line : lines)
            line.prepend(QStringLiteral("    "));
        lines << QStringLiteral("}");
    }
    return lines << QStringLiteral("const float %1 = %2(%3 ^ flipMaskOf(%3));")
                        .arg(m_name,
                             m_isCuda ? QStringLiteral("__uint_as_float") : QStringLiteral("bitsAsFloat"),
                             order());
}

void RadixSelect::appendFunctions(ExpressionPrinter &text) const {
    text.calls(m_loop == Loop::Bits ? QStringLiteral("flipMask") : QStringLiteral("topCandidates"));
}

} // namespace warpwright
