// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ide/shell/runs/kernel_inspection.h"

#include "app/ide/results/assembly_page.h"
#include "app/ide/results/build_panel.h"
#include "app/ide/results/verify_page.h"
#include "app/ide/workbench/workbench.h"

namespace warpwright {

KernelInspection::KernelInspection(const Parts &parts, QObject *parent) : QObject(parent), m_parts(parts) {
    VerifyPage &verify = m_parts.build.verify();
    AssemblyPage &assembly = m_parts.assembly;
    assembly.readFor(verify.inspectionReader());
    const auto read = [&verify, &assembly] {
        verify.setInspection(assembly.isSettled() ? assembly.inspection() : nullptr);
    };
    connect(&assembly, &AssemblyPage::settled, &verify, read);
    connect(&m_parts.bench, &Workbench::shownChanged, &verify, read);
    // Launch bounds, too, for the kernels that were compiled: after the panel has shown them.
    const auto bound = [this, &assembly] {
        m_parts.build.setInspection(assembly.isSettled() ? assembly.inspection() : nullptr);
    };
    connect(&assembly, &AssemblyPage::settled, &m_parts.build, bound);
    connect(&m_parts.bench, &Workbench::shownChanged, &m_parts.build, bound);
    connect(&m_parts.bench, &Workbench::compiledTextChanged, &m_parts.build, bound);
}

} // namespace warpwright
