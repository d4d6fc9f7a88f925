// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/lowering/lowering_context.h"
#include "agent/playbook/lowering/lowering_result.h"

namespace warpwright {

/// Writes nodes of a graph as steps of one kernel whose loops are given, from a result back to what is in
/// memory: views become addresses, pointwise operators steps, and reductions over exactly the kernel's rows
/// its sums. What does not fit stops it, with what would help.
///
/// An index may hang on values (a look-up), or on a counter in a way that is no affine function of it (a
/// quotient): it is then a counter of its own behind the loops' (IndexSpace), and views and addresses follow
/// it like any other.
class NodeLowering {
public:
    NodeLowering(const ReferenceGraph &graph, const KnownBuffers &known, Shape loops, std::size_t outer);

    /// The step that computes `node` where `map` says, or what is in the way. After an obstacle it is over:
    /// what would help is done, and a new kernel begun.
    [[nodiscard]] LoweringResult lower(int node, const AffineMap &map);

    [[nodiscard]] Kernel &kernel() { return m_context.kernel(); }
    [[nodiscard]] const Kernel &kernel() const { return m_context.kernel(); }
    /// The kernel's reductions: which step is which node.
    [[nodiscard]] const std::map<int, int> &reductions() const { return m_context.reductions(); }

private:
    LoweringContext m_context;
};

} // namespace warpwright
