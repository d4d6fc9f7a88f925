// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/lowering/lowering_context.h"
#include "agent/playbook/lowering/lowering_result.h"

namespace warpwright {

/// Lowers graph nodes into one kernel with given loops, from a result back to what is in memory: views become
/// addresses, pointwise operators steps, and reductions over exactly the kernel's inner loops its reductions.
/// Stops at what does not fit, with what would help.
///
/// Data-dependent indices (of a gather) and non-affine ones (a quotient) become extra index variables after
/// the loops (IndexSpace), which views and addresses treat like any other.
class NodeLowering {
public:
    NodeLowering(const ReferenceGraph &graph, const KnownBuffers &known, Shape loops, std::size_t outer);

    /// The step that computes `node` at `map`, or the obstacle. After an obstacle the caller resolves it and
    /// begins a new kernel.
    [[nodiscard]] LoweringResult lower(int node, const AffineMap &map);

    [[nodiscard]] Kernel &kernel() { return m_context.kernel(); }
    [[nodiscard]] const Kernel &kernel() const { return m_context.kernel(); }
    /// The kernel's reductions: node by step.
    [[nodiscard]] const std::map<int, int> &reductions() const { return m_context.reductions(); }

private:
    LoweringContext m_context;
};

} // namespace warpwright
