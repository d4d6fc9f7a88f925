// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/graph_passes/rewritten_graph.h"

#include "agent/playbook/graph_passes/begun_scans.h"
#include "agent/playbook/graph_passes/coarse_signals.h"
#include "agent/playbook/graph_passes/few_row_products.h"
#include "agent/playbook/graph_passes/folded_padding.h"
#include "agent/playbook/graph_passes/folded_scales.h"
#include "agent/playbook/graph_passes/padded_channels.h"
#include "agent/playbook/graph_passes/parted_joins.h"
#include "agent/playbook/graph_passes/product_convolutions.h"
#include "agent/playbook/graph_passes/rows_as_channels.h"
#include "agent/playbook/graph_passes/separable_windows.h"
#include "agent/playbook/graph_passes/shared_nodes.h"
#include "agent/playbook/graph_passes/shuffled_filters.h"
#include "agent/playbook/graph_passes/thin_convolutions.h"

namespace warpwright {

ReferenceGraph rewrittenGraph(const ReferenceGraph &graph, const PlanChoices &choices) {
    ReferenceGraph words = withPartedJoins(withSharedNodes(graph));
    if (!choices.isForCpu) // there what it came to before is no less work
        words = withBegunScans(words);
    words = withSeparableWindows(withFewRowProducts(words), !choices.isForCpu);
    words = withThinConvolutions(withFoldedPadding(words));
    if (choices.isChannelsLast)
        words = withPaddedChannels(
            withShuffledFilters(withFoldedScales(withRowsAsChannels(withCoarseSignals(words)))));
    return withConvolutionsAsProducts(words, choices.isChannelsLast);
}

} // namespace warpwright
