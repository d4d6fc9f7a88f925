// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/fusion/unroll_short_loops.h"

#include "agent/playbook/analysis/instruction_cost.h"
#include "agent/playbook/ir/kernel_rewriter.h"
#include "agent/playbook/schedule/index_sharing.h"
#include "agent/playbook/schedule/transpose_tile.h"
#include "agent/playbook/schedule/vector_width.h"
#include "agent/playbook/schedule/vectorization.h"

#include <algorithm>

namespace warpwright {
namespace {

constexpr std::int64_t mostIterations = 4;
constexpr int leastCost = 48; ///< of all iterations: below it memory takes as long
constexpr double clearShare = 0.7;
constexpr std::int64_t leastThreads = 1 << 17; ///< that a GPU needs

int costOf(const Kernel &kernel) {
    int cost = 0;
    for (const KernelStep &step : kernel.steps)
        cost += costOf(kernel, step);
    return cost;
}

/// The innermost loop can be vectorized for all stores.
bool fillVectors(const Kernel &kernel) {
    const int width = widthOf(kernel);
    return std::all_of(kernel.stores.begin(), kernel.stores.end(), [&](const KernelStore &store) {
        const std::int64_t stride = store.address.steps.empty() ? 0 : store.address.steps.back();
        AffineExpr first = store.address;
        first.offset -= stride > 0 ? first.offset % stride : 0;
        return stride == 1 ? isWide(kernel, store.address, width)
                           : isStridedVectorStore(kernel, first, width);
    });
}

std::optional<Kernel> unrolledShortLoop(const Kernel &kernel) {
    if (!kernel.isLoops() || kernel.isScattered() || kernel.hasReductions() || kernel.hasScans() ||
        transposeTileOf(kernel) || withSharedIndices(kernel))
        return std::nullopt;
    for (std::size_t k = 0; k < kernel.loops.size(); ++k) {
        const std::int64_t iterations = kernel.loops[k];
        const bool isEach =
            std::all_of(kernel.stores.begin(), kernel.stores.end(),
                        [k](const KernelStore &store) { return store.address.steps[k] != 0; });
        if (iterations < 2 || iterations > mostIterations || !isEach ||
            elementCount(kernel.loops) / iterations < leastThreads)
            continue;
        Kernel all = unrolled(kernel, k);
        all.finish();
        const auto before = static_cast<int>(iterations) * costOf(kernel);
        const bool hasMuchInCommon = before >= leastCost && costOf(all) < clearShare * before;
        // A row of three fills no vector; three rows of a loop of millions do. Inputs from which two or four
        // elements are unpacked are loaded as vectors as well, and the results as wider ones.
        const bool isVectorized = widthOf(kernel) == 1 && widthOf(all) > 1;
        const bool isUnpacked =
            interleavedStores(all) == iterations && iterations * widthOf(all) >= 2 * widthOf(kernel);
        if (hasMuchInCommon || ((isVectorized || isUnpacked) && fillVectors(all)))
            return all;
    }
    return std::nullopt;
}

} // namespace

void unrollShortLoops(Program &program) {
    for (Kernel &kernel : program.kernels)
        if (auto all = unrolledShortLoop(kernel))
            kernel = std::move(*all);
}

} // namespace warpwright
