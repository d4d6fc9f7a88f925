// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/playbook/lowering/lowering_context.h"

namespace warpwright {

/// Operators that are lowered in one way; each family has a file of its own.
struct OperatorFamily {
    bool (*takes)(const ReferenceGraph &graph, const NodeAt &at);
    int (*lower)(LoweringContext &context,
                 const NodeAt &at); ///< -1: it does not fit, and the context has the obstacle
};

extern const OperatorFamily convolutionFamily; ///< lower_structured_op
extern const OperatorFamily scatterSortFamily;
extern const OperatorFamily matmulFamily;
extern const OperatorFamily concatFamily; ///< lower_concat
extern const OperatorFamily sliceScatterFamily;
extern const OperatorFamily paddingFamily;
extern const OperatorFamily embeddingFamily; ///< lower_gather
extern const OperatorFamily gatherFamily;
extern const OperatorFamily indexingFamily;
extern const OperatorFamily embeddingBagFamily; ///< lower_embedding_bag
extern const OperatorFamily poolingFamily;      ///< lower_pooling
extern const OperatorFamily argmaxFamily;       ///< lower_argmax
extern const OperatorFamily scanFamily;         ///< lower_scan

} // namespace warpwright
