// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/fusion/fusion_pipeline.h"

#include "agent/playbook/fusion/batch_class_reductions.h"
#include "agent/playbook/fusion/fuse_concat.h"
#include "agent/playbook/fusion/fuse_concat_into_matmul.h"
#include "agent/playbook/fusion/fuse_consumer.h"
#include "agent/playbook/fusion/fuse_epilogue.h"
#include "agent/playbook/fusion/fuse_multi_output.h"
#include "agent/playbook/fusion/fuse_scan.h"
#include "agent/playbook/fusion/fuse_scatter.h"
#include "agent/playbook/fusion/hoist_into_producer.h"
#include "agent/playbook/fusion/inline_short_reductions.h"
#include "agent/playbook/fusion/pad_matmul.h"
#include "agent/playbook/fusion/share_partial_reductions.h"
#include "agent/playbook/fusion/split_triangular_matmul.h"
#include "agent/playbook/fusion/unroll_short_loops.h"

namespace warpwright {

void runFusionPasses(Program &program) {
    for (Kernel &kernel : program.kernels)
        kernel.device = program.device; // from here on passes decide how it runs
    // Padded matmuls may be fused with their consumers as well.
    for (const auto pass :
         {fuseEpilogues, fuseConsumers, fuseConcatsIntoMatmuls, padMatmuls, fuseConsumers, fuseMultiOutput,
          sharePartialReductions, fuseScans, fuseConcats, splitLargeConcats, fuseScatters, unrollShortLoops,
          batchClassReductions, inlineShortReductions, hoistIntoProducers, splitTriangularMatmuls})
        if (program.unsupported.isEmpty())
            pass(program);
}

} // namespace warpwright
