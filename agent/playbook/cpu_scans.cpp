// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/cpu_scans.h"

namespace warpwright {

QStringList CpuScans::declare(const KernelPass &pass) {
    QStringList lines;
    m_names.clear();
    for (const int step : pass.computed) {
        if (!isScan(m_kernel.step(step).op))
            continue;
        const QString name =
            QStringLiteral("running") + (++m_count > 1 ? QString::number(m_count) : QString());
        const ScanText scan = scanText(m_kernel, step, m_isLong);
        lines << QStringLiteral("%1 %2 = %3;").arg(scan.type, name, scan.start);
        m_names[step] = name;
    }
    return lines;
}

QStringList CpuScans::update(int step) {
    const ScanText scan = scanText(m_kernel, step, m_isLong);
    const QString name = m_names.at(step);
    const QString type = cTypeName(m_kernel.step(step).type, false);
    QStringList lines{scan.update(name, m_text.text(m_kernel.step(step).operands[0]))};
    m_text.name(step, name);
    if (scan.type != type) {
        const QString rounded = name + QStringLiteral("Rounded");
        lines << QStringLiteral("const %1 %2 = %1(%3);").arg(type, rounded, name);
        m_text.name(step, rounded);
    }
    if (!scan.function.isEmpty())
        m_text.calls(scan.function);
    return lines;
}

} // namespace warpwright
