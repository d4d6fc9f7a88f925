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
extern const OperatorFamily ownAnchorFamily;
extern const OperatorFamily productFamily;
extern const OperatorFamily joinFamily; ///< join_lowering
extern const OperatorFamily insetFamily;
extern const OperatorFamily paddingFamily;
extern const OperatorFamily embeddingFamily; ///< lookup_lowering
extern const OperatorFamily gatherFamily;
extern const OperatorFamily indexingFamily;
extern const OperatorFamily bagFamily;    ///< bag_lowering
extern const OperatorFamily windowFamily; ///< window_lowering
extern const OperatorFamily placeFamily;  ///< place_lowering
extern const OperatorFamily scanFamily;   ///< scan_lowering

} // namespace warpwright
