// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/schedule/attention_loops.h"

namespace warpwright {
namespace {

constexpr std::int64_t vectorElements = 8; ///< of 16 bits: TMA strides are multiples of 16 bytes
constexpr std::size_t maxTmaDimensions = 5;

} // namespace

AttentionLoops::AttentionLoops(const Kernel &kernel)
    : firstRow(kernel.attention()->batches),
      rowLoops(kernel.outer - firstRow),
      firstKey(kernel.outer),
      keyLoops(kernel.loops.size() - 2 - firstKey),
      last(kernel.loops.size() - 1),
      m_kernel(kernel) {
    const auto named = [](const QString &name, std::size_t number, std::size_t count) {
        return count == 1 ? name : name + QString::number(number);
    };
    for (std::size_t k = 0; k < kernel.loops.size(); ++k) {
        if (k + 1 < last)
            (k < firstRow ? batches : k < firstKey ? rows : keys) *= kernel.loops[k];
        counters << (k < firstRow   ? QStringLiteral("batch%1").arg(k)
                     : k < firstKey ? named(QStringLiteral("row"), k - firstRow, rowLoops)
                     : k + 1 < last ? named(QStringLiteral("key"), k - firstKey, keyLoops)
                                    : QString());
    }
}

QStringList AttentionLoops::lines(std::size_t first, std::size_t count, const QString &number) const {
    QStringList lines;
    std::int64_t span = 1;
    for (std::size_t k = first + count; count > 1 && k-- > first;) {
        QString line = QStringLiteral("const int %1 = %2").arg(counters[static_cast<qsizetype>(k)], number);
        if (span > 1)
            line += QStringLiteral(" / %1").arg(span);
        span *= m_kernel.loops[k];
        if (k > first)
            line += QStringLiteral(" % %1").arg(m_kernel.loops[k]);
        lines.prepend(line + QLatin1Char(';'));
    }
    return lines;
}

QString AttentionLoops::batchLines() const {
    QString text;
    std::int64_t span = 1;
    for (std::size_t k = firstRow; k-- > 0;) {
        QString line = QStringLiteral("    const std::int64_t batch%1 = blockIdx.x / kBlocks").arg(k);
        if (span > 1)
            line += QStringLiteral(" / %1").arg(span);
        span *= m_kernel.loops[k];
        if (k > 0)
            line += QStringLiteral(" % %1").arg(m_kernel.loops[k]);
        text.prepend(line + QLatin1String(";\n"));
    }
    return text;
}

std::vector<std::size_t> batchLoopsOf(const Kernel &kernel, std::size_t input) {
    std::vector<std::size_t> loops;
    for (std::size_t k = kernel.attention()->batches; k-- > 0;)
        if (kernel.inputs[input].address.steps[k] != 0 && kernel.loops[k] > 1)
            loops.push_back(k);
    return loops;
}

std::size_t elementLoopOf(const AttentionLoops &loops, std::size_t input) {
    return input == 1 ? loops.last - 1 : loops.last;
}

bool canUseTma(const Kernel &kernel) {
    const AttentionLoops loops(kernel);
    if (loops.keyLoops != 1)
        return false;
    for (const std::size_t input : {std::size_t(1), std::size_t(2)}) {
        const KernelInput &from = kernel.inputs[input];
        const std::vector<std::int64_t> &steps = from.address.steps;
        if (!from.isPlain() || steps[elementLoopOf(loops, input)] != 1 ||
            from.address.offset % vectorElements != 0 ||
            2 + batchLoopsOf(kernel, input).size() > maxTmaDimensions)
            return false;
        for (std::size_t k = 0; k < steps.size(); ++k) {
            const bool isDimension = k < kernel.attention()->batches || k == loops.firstKey;
            if (k != elementLoopOf(loops, input) && steps[k] != 0 &&
                (!isDimension || steps[k] < kernel.loops[elementLoopOf(loops, input)] ||
                 steps[k] % vectorElements != 0))
                return false;
        }
        if (steps[loops.firstKey] == 0)
            return false;
    }
    return true;
}

} // namespace warpwright
