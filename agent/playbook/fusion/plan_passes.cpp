// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/fusion/plan_passes.h"

#include "agent/playbook/fusion/class_sums.h"
#include "agent/playbook/fusion/epilogue_folding.h"
#include "agent/playbook/fusion/fuse_scatter.h"
#include "agent/playbook/fusion/hoisted_steps.h"
#include "agent/playbook/fusion/join_folding.h"
#include "agent/playbook/fusion/joined_factors.h"
#include "agent/playbook/fusion/kernel_merging.h"
#include "agent/playbook/fusion/product_padding.h"
#include "agent/playbook/fusion/reader_folding.h"
#include "agent/playbook/fusion/scan_merging.h"
#include "agent/playbook/fusion/shared_parts.h"
#include "agent/playbook/fusion/short_loops.h"
#include "agent/playbook/fusion/short_rows.h"
#include "agent/playbook/fusion/triangular_products.h"

namespace warpwright {

void passOver(KernelPlan &plan) {
    for (FusedKernel &kernel : plan.kernels)
        kernel.device = plan.choices.device; // from here on it is decided how they run
    // What is padded may be finished by our kernel as well.
    for (const auto pass :
         {foldEpilogues, foldReaders, multiplyParts, padProducts, foldReaders, mergeKernels, shareParts,
          mergeScans, foldJoins, splitLargeJoins, foldScatters, unrollShortLoops, foldClassSums,
          foldShortRows, hoistSteps, splitTriangularProducts})
        if (plan.cannot.isEmpty())
            pass(plan);
}

} // namespace warpwright
