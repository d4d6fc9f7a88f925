// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/lowering/lowering_context.h"

namespace warpwright {

/// Operators that become steps of a kernel in one way, each family in a file of its own.
struct OperatorFamily {
    bool (*takes)(const ReferenceGraph &graph, const NodeAt &at);
    int (*lower)(LoweringContext &context,
                 const NodeAt &at); ///< -1: it does not fit, and the context says why
};

extern const OperatorFamily convolutionFamily; ///< anchor_lowering
extern const OperatorFamily scatterSortFamily;
extern const OperatorFamily matmulFamily;
extern const OperatorFamily concatFamily; ///< join_lowering
extern const OperatorFamily sliceScatterFamily;
extern const OperatorFamily paddingFamily;
extern const OperatorFamily embeddingFamily; ///< lookup_lowering
extern const OperatorFamily gatherFamily;
extern const OperatorFamily indexingFamily;
extern const OperatorFamily embeddingBagFamily; ///< bag_lowering
extern const OperatorFamily poolingFamily;      ///< window_lowering
extern const OperatorFamily argmaxFamily;       ///< place_lowering
extern const OperatorFamily scanFamily;         ///< scan_lowering

} // namespace warpwright
