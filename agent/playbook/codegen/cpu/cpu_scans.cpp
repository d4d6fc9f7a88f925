// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/codegen/cpu/cpu_scans.h"

#include "agent/playbook/ir/kernel_rewriter.h"

namespace warpwright {

QStringList CpuScans::declare(const ReductionPass &pass) {
    QStringList lines;
    m_names.clear();
    for (const int step : pass.computed) {
        if (!isScan(m_kernel.step(step).op))
            continue;
        const QString name =
            QStringLiteral("running") + (++m_count > 1 ? QString::number(m_count) : QString());
        const ScanCode scan = scanCode(m_kernel, step, m_isLong);
        lines << QStringLiteral("%1 %2 = %3;").arg(scan.type, name, scan.start);
        m_names[step] = name;
    }
    for (const int step : pass.computed)
        if (m_kernel.step(step).op == Opcode::ScanExclusive)
            m_names[step] = m_names[m_kernel.step(step).operands[0]] + QStringLiteral("Before");
    return lines;
}

QStringList CpuScans::update(int step) {
    const QString name = m_names.at(step);
    const QString type = cTypeName(m_kernel.step(step).type, false);
    if (m_kernel.step(step).op == Opcode::ScanExclusive) {
        m_text.name(step, name);
        return {};
    }
    const ScanCode scan = scanCode(m_kernel, step, m_isLong);
    QStringList lines;
    for (const auto &[other, before] : m_names)
        if (m_kernel.step(other).op == Opcode::ScanExclusive && m_kernel.step(other).operands[0] == step)
            lines << QStringLiteral("const %1 %2 = %3;")
                         .arg(type, before,
                              scan.type == type ? name : QStringLiteral("%1(%2)").arg(type, name));
    lines << QStringList{scan.update(name, m_text.text(m_kernel.step(step).operands[0]))};
    m_text.name(step, name);
    if (scan.type != type && isReadInclusively(m_kernel, step)) {
        const QString rounded = name + QStringLiteral("Rounded");
        lines << QStringLiteral("const %1 %2 = %1(%3);").arg(type, rounded, name);
        m_text.name(step, rounded);
    }
    if (!scan.function.isEmpty())
        m_text.calls(scan.function);
    return lines;
}

} // namespace warpwright
