// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/codegen/kernel_source.h"

namespace warpwright {

/// Base of what writes the text of one kernel: the parts of its source at hand.
class KernelWriter {
protected:
    explicit KernelWriter(const KernelSource &source)
        : m_graph(source.graph),
          m_program(source.program),
          m_kernel(source.kernel),
          m_names(source.names),
          m_knobs(source.knobs) {}
    ~KernelWriter() = default;

    [[nodiscard]] KernelSource source() const { return {m_graph, m_program, m_kernel, m_names, m_knobs}; }

    const ReferenceGraph &m_graph;
    const Program &m_program;
    const Kernel &m_kernel;
    const KernelNames &m_names;
    const Knobs &m_knobs;
};

} // namespace warpwright
