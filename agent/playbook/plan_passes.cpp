// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/plan_passes.h"

#include "agent/playbook/class_sums.h"
#include "agent/playbook/epilogue_folding.h"
#include "agent/playbook/hoisted_steps.h"
#include "agent/playbook/join_folding.h"
#include "agent/playbook/joined_factors.h"
#include "agent/playbook/kernel_merging.h"
#include "agent/playbook/product_padding.h"
#include "agent/playbook/reader_folding.h"
#include "agent/playbook/scan_merging.h"
#include "agent/playbook/scatter_plan.h"
#include "agent/playbook/shared_parts.h"
#include "agent/playbook/short_loops.h"
#include "agent/playbook/short_rows.h"
#include "agent/playbook/triangular_products.h"

namespace warpwright {

void passOver(KernelPlan &plan) {
    // What is padded may be finished by our kernel as well.
    for (const auto pass :
         {foldEpilogues, foldReaders, multiplyParts, padProducts, foldReaders, mergeKernels, shareParts,
          mergeScans, foldJoins, splitLargeJoins, foldScatters, unrollShortLoops, foldClassSums,
          foldShortRows, hoistSteps, splitTriangularProducts})
        if (plan.cannot.isEmpty())
            pass(plan);
}

} // namespace warpwright
