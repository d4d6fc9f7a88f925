// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/codegen/expression_printer.h"
#include "agent/playbook/codegen/loop_names.h"
#include "agent/playbook/schedule/reduction_schedule.h"

#include <QStringList>

#include <map>

namespace warpwright {

/// Scans along the rows of a CUDA kernel, as text: by one thread alone, or by a block together.
class BlockScan {
public:
    /// `kernel` and `text` outlive it.
    BlockScan(const Kernel &kernel, bool isOfBlock, ExpressionPrinter &text)
        : m_kernel(kernel), m_isOfBlock(isOfBlock), m_text(text) {}

    /// Lines before the loop of this pass, which declare its scans; forgets those declared before.
    QStringList declare(const ReductionPass &pass);
    /// Lines for one element, after which its step has a name. `indent`: of the lines, in levels.
    QStringList update(int step, int indent);
    [[nodiscard]] bool contains(int step) const { return m_names.contains(step); }
    [[nodiscard]] bool isEmpty() const { return m_names.empty(); }

private:
    [[nodiscard]] ScanCode scanOf(int step) const;
    [[nodiscard]] bool hasExclusiveScan(int scan) const;

    const Kernel &m_kernel;
    bool m_isOfBlock;
    ExpressionPrinter &m_text;
    int m_count = 0;
    std::map<int, QString> m_names;
};

} // namespace warpwright
