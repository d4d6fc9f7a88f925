// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/rewritten_graph.h"

#include "agent/playbook/begun_scans.h"
#include "agent/playbook/coarse_signals.h"
#include "agent/playbook/few_row_products.h"
#include "agent/playbook/folded_padding.h"
#include "agent/playbook/folded_scales.h"
#include "agent/playbook/padded_channels.h"
#include "agent/playbook/parted_joins.h"
#include "agent/playbook/product_convolutions.h"
#include "agent/playbook/rows_as_channels.h"
#include "agent/playbook/separable_windows.h"
#include "agent/playbook/shared_nodes.h"
#include "agent/playbook/shuffled_filters.h"
#include "agent/playbook/thin_convolutions.h"

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
