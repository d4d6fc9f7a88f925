// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/codegen/cuda/loops/block_scan.h"

#include "agent/playbook/ir/kernel_rewriter.h"

#include <algorithm>

namespace warpwright {
namespace {

constexpr std::int64_t longSum = 2048;          ///< longer sums in float lose digits that torch's sums keep
constexpr std::int64_t longSumOfChunks = 65536; ///< the same, where a block adds one total per chunk

} // namespace

QStringList BlockScan::declare(const ReductionPass &pass) {
    m_names.clear();
    QStringList lines;
    for (const int step : pass.computed) {
        if (!isScan(m_kernel.step(step).op))
            continue;
        const QString name =
            QStringLiteral("running") + (++m_count > 1 ? QString::number(m_count) : QString());
        const ScanCode scan = scanOf(step);
        if (m_isOfBlock)
            lines << QStringLiteral("__shared__ %1 %2Partials[THREADS / 32];").arg(scan.type, name);
        lines << QStringLiteral("%1 %2%3 = %4;")
                     .arg(scan.type, name, m_isOfBlock ? QStringLiteral("Carry") : QString(), scan.start);
        if (m_isOfBlock)
            lines << QStringLiteral("const auto %1Combine = [](%2 a, %2 b) { return %3; };")
                         .arg(name, scan.type, scan.combined(QStringLiteral("a"), QStringLiteral("b")));
        if (!scan.function.isEmpty())
            m_text.calls(scan.function);
        m_names[step] = name;
    }
    for (const int step : pass.computed)
        if (m_kernel.step(step).op == Opcode::ScanExclusive)
            m_names[step] = m_names[m_kernel.step(step).operands[0]] + QStringLiteral("Before");
    return lines;
}

ScanCode BlockScan::scanOf(int step) const {
    return scanCode(m_kernel, step, m_kernel.columns() > (m_isOfBlock ? longSumOfChunks : longSum));
}

bool BlockScan::hasExclusiveScan(int scan) const {
    return std::any_of(m_names.begin(), m_names.end(), [&](const auto &entry) {
        const KernelStep &step = m_kernel.step(entry.first);
        return step.op == Opcode::ScanExclusive && step.operands[0] == scan;
    });
}

QStringList BlockScan::update(int step, int indent) {
    const QString name = m_names[step];
    if (m_kernel.step(step).op == Opcode::ScanExclusive) {
        const QString own = cTypeName(m_kernel.step(step).type, false);
        const bool isOwn = scanOf(m_kernel.step(step).operands[0]).type == own;
        m_text.name(step, isOwn ? name : QStringLiteral("%1(%2)").arg(own, name));
        return {};
    }
    const ScanCode scan = scanOf(step);
    const QString element = m_text.text(m_kernel.step(step).operands[0]);
    QStringList lines;
    if (hasExclusiveScan(step) && m_isOfBlock)
        lines << QStringLiteral("%1 %2Before;").arg(scan.type, name);
    if (hasExclusiveScan(step) && !m_isOfBlock)
        lines << QStringLiteral("const %1 %2Before = %2;").arg(scan.type, name);
    if (m_isOfBlock) {
        const QString margin(indent * 4, QLatin1Char(' '));
        lines << wrappedCall(
                     margin +
                         (isReadInclusively(m_kernel, step)
                              ? QStringLiteral("const %1 %2 = ").arg(scan.type, name)
                              : QString()) +
                         QStringLiteral("scanBlock<THREADS>("),
                     QStringLiteral("%1(isInBounds ? %2 : %3), %4Carry, %4Partials, %4Combine%5")
                         .arg(scan.type, element, scan.start, name,
                              hasExclusiveScan(step) ? QStringLiteral(", &%1Before").arg(name) : QString()),
                     QStringLiteral(");"))
                     .trimmed()
                     .split(QLatin1Char('\n'));
        for (QString &line : lines)
            if (line.startsWith(margin))
                line.remove(0, margin.size());
    } else {
        lines << scan.update(name, element);
    }
    const QString type = cTypeName(m_kernel.step(step).type, false);
    if (scan.type != type && isReadInclusively(m_kernel, step))
        lines << QStringLiteral("const %1 %2Rounded = %1(%2);").arg(type, name);
    m_text.name(step, scan.type == type ? name : name + QStringLiteral("Rounded"));
    return lines;
}

} // namespace warpwright
