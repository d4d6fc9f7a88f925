// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/codegen/expression_printer.h"
#include "agent/playbook/codegen/loop_names.h"
#include "agent/playbook/schedule/reduction_schedule.h"

#include <QStringList>

#include <map>

namespace warpwright {

/// Scans along the rows of a CPU kernel as text: a thread goes from a row's first element to its last.
class CpuScans {
public:
    /// `kernel` and `text` outlive it. `isLong`: so many elements that a float accumulator would lose digits.
    CpuScans(const Kernel &kernel, bool isLong, ExpressionPrinter &text)
        : m_kernel(kernel), m_isLong(isLong), m_text(text) {}

    /// Lines before the loop over the row; forgets the scans that were declared before.
    QStringList declare(const ReductionPass &pass);
    /// Lines for one element; from then on its step has a name.
    QStringList update(int step);
    [[nodiscard]] bool contains(int step) const { return m_names.contains(step); }
    [[nodiscard]] bool isEmpty() const { return m_names.empty(); }

private:
    const Kernel &m_kernel;
    bool m_isLong;
    ExpressionPrinter &m_text;
    int m_count = 0;
    std::map<int, QString> m_names;
};

} // namespace warpwright
