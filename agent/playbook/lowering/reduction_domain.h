// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/lowering/lowering_context.h"

#include <functional>

/// What goes over elements: as the kernel's rows, or, where these are few and the rows are others, element by
/// element.
namespace warpwright {

/// Where each of `reduced` is for the elements of a row whose result is at `result`; empty: it does not fit,
/// and what would help is said. `place`: the node whose value it is.
std::optional<AffineMap> reductionIndices(LoweringContext &context, int nodeIndex, const AffineMap &result,
                                          const Shape &reduced);

/// Whether a reduction at `place` that just did not fit is better said element by element than computed by a
/// kernel before: then that is no longer asked for.
[[nodiscard]] bool isBetterUnrolled(LoweringContext &context, int nodeIndex, int source,
                                    const AffineMap &result, const Shape &reduced);
int unrolledReduction(LoweringContext &context, const Shape &reduced, Opcode reduction, ElementType type,
                      const std::function<int(const AffineMap &digits)> &element);

/// What a reduction goes over, and where each of its elements is.
struct ReductionDomain {
    int source = -1; ///< the node that is reduced
    std::vector<std::size_t> dimensions;
    Shape reduced;                   ///< their sizes
    AffineMap map;                   ///< of the source; 0 in those dimensions
    std::optional<AffineMap> digits; ///< of the kernel's row; empty: few elements, by a step each
};
/// Empty: it does not fit, and what would help is said.
std::optional<ReductionDomain> reductionDomain(LoweringContext &context, const NodeAt &at);
/// The step of a reduction of what `with` makes of each element, converted to `type` before. -1: it does not
/// fit.
int reduce(LoweringContext &context, const ReductionDomain &row, Opcode op, ElementType type,
           const std::function<int(int element)> &with = {});

/// Tens of instructions, on the way from memory to the node: not to be done anew for each window.
[[nodiscard]] bool isCostly(const LoweringContext &context, int node);

} // namespace warpwright
