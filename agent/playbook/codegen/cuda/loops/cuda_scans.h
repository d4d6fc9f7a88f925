// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/codegen/loop_text.h"
#include "agent/playbook/codegen/scalar_text.h"
#include "agent/playbook/schedule/kernel_schedule.h"

#include <QStringList>

#include <map>

namespace warpwright {

/// What runs along the rows of a CUDA kernel, as text: one thread's own, or formed by a block together.
class CudaScans {
public:
    /// `kernel` and `text` outlive it.
    CudaScans(const FusedKernel &kernel, bool isOfBlock, ScalarText &text)
        : m_kernel(kernel), m_isOfBlock(isOfBlock), m_text(text) {}

    /// Lines before the loop that forms these; what was declared before is over.
    QStringList declare(const KernelPass &pass);
    /// Lines for one element; from then on its step has a name. `indent`: of the lines, in steps.
    QStringList update(int step, int indent);
    [[nodiscard]] bool contains(int step) const { return m_names.contains(step); }
    [[nodiscard]] bool isEmpty() const { return m_names.empty(); }

private:
    [[nodiscard]] ScanText scanOf(int step) const;
    [[nodiscard]] bool hasBefore(int scan) const;

    const FusedKernel &m_kernel;
    bool m_isOfBlock;
    ScalarText &m_text;
    int m_count = 0;
    std::map<int, QString> m_names;
};

} // namespace warpwright
