// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/lowering/lowering_context.h"

#include <functional>

/// Reductions: by the kernel's inner loops, or unrolled, where they are short and the inner loops are others.
namespace warpwright {

/// The indices along `reduced` for a reduction whose result is at `result`; empty: it does not fit, and the
/// obstacle is set. `nodeIndex`: the node whose value it is.
std::optional<AffineMap> reductionIndices(LoweringContext &context, int nodeIndex, const AffineMap &result,
                                          const Shape &reduced);

/// Whether a reduction that just did not fit is better unrolled than materialized: then the obstacle is
/// cleared.
[[nodiscard]] bool isBetterUnrolled(LoweringContext &context, int nodeIndex, int source,
                                    const AffineMap &result, const Shape &reduced);
int unrolledReduction(LoweringContext &context, const Shape &reduced, Opcode reduction, ElementType type,
                      const std::function<int(const AffineMap &digits)> &element);

/// The domain of a reduction, and the indices of its elements.
struct ReductionDomain {
    int source = -1; ///< the node that is reduced
    std::vector<std::size_t> dimensions;
    Shape reduced;                   ///< their sizes
    AffineMap map;                   ///< of the source; 0 in those dimensions
    std::optional<AffineMap> digits; ///< along the kernel's inner loops; empty: it is unrolled
};
/// Empty: it does not fit, and the obstacle is set.
std::optional<ReductionDomain> reductionDomain(LoweringContext &context, const NodeAt &at);
/// Reduces what `with` makes of each element, which is converted to `type` before. -1: it does not fit.
int reduce(LoweringContext &context, const ReductionDomain &row, Opcode op, ElementType type,
           const std::function<int(int element)> &with = {});

/// Tens of instructions between memory and the node: not to be repeated for each window.
[[nodiscard]] bool isCostly(const LoweringContext &context, int node);

} // namespace warpwright
