// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/graph_passes/graph_pipeline.h"

#include "agent/playbook/graph_passes/convolution_to_matmul.h"
#include "agent/playbook/graph_passes/cse.h"
#include "agent/playbook/graph_passes/exclusive_scan.h"
#include "agent/playbook/graph_passes/fold_batch_norm.h"
#include "agent/playbook/graph_passes/fold_padding.h"
#include "agent/playbook/graph_passes/fold_pixel_shuffle.h"
#include "agent/playbook/graph_passes/gemv_from_packed_weights.h"
#include "agent/playbook/graph_passes/im2col_thin_convolution.h"
#include "agent/playbook/graph_passes/pad_channels.h"
#include "agent/playbook/graph_passes/partial_im2col.h"
#include "agent/playbook/graph_passes/separable_pooling.h"
#include "agent/playbook/graph_passes/split_concat.h"
#include "agent/playbook/graph_passes/strided_conv1d_to_channels.h"

namespace warpwright {

ReferenceGraph runGraphPasses(const ReferenceGraph &graph, const ProgramChoices &choices) {
    ReferenceGraph rewritten = withSplitConcats(eliminateCommonSubexpressions(graph));
    if (!choices.isForCpu) // on a CPU an exclusive scan is no less work
        rewritten = withExclusiveScans(rewritten);
    rewritten = withSeparablePooling(withGemvsFromPackedWeights(rewritten), !choices.isForCpu);
    rewritten = withIm2colThinConvolutions(withFoldedPadding(rewritten));
    if (choices.isChannelsLast)
        rewritten = withPaddedChannels(withFoldedPixelShuffles(
            withFoldedBatchNorms(withPartialIm2col(withStridesAsChannels(rewritten)))));
    return withConvolutionsAsMatmuls(rewritten, choices.isChannelsLast);
}

} // namespace warpwright
