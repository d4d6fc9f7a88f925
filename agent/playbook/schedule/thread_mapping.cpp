// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/schedule/thread_mapping.h"

#include "agent/playbook/analysis/kernel_family.h"
#include "agent/playbook/schedule/cluster_shapes.h"
#include "agent/playbook/schedule/column_scan.h"
#include "agent/playbook/schedule/cuda_choices.h"
#include "agent/playbook/schedule/grouped_elements.h"
#include "agent/playbook/schedule/online_reduction.h"
#include "agent/playbook/schedule/packs_of_rows.h"
#include "agent/playbook/schedule/sliding_windows.h"
#include "agent/playbook/schedule/staged_gathers.h"
#include "agent/playbook/schedule/vector_width.h"
#include "agent/playbook/schedule/vectorized_pooling.h"

#include <algorithm>
#include <cstdlib>

namespace warpwright {
namespace {

constexpr std::int64_t leastRising = 32; ///< elements of a row whose threads take several at once
/// Of a row, in a thread that has loads of all its packs on their way beside these.
constexpr std::int64_t mostKeptBeside = 40;
constexpr double beyondCaches = 50e6; ///< bytes: what a large GPU's second-level cache holds comes quickly
/// Of a block of short rows that are looked up: an H100 took 50.8 us for 54.3 with 256
/// (`packed_token_entry`), and 2 to 8 % longer where rows lie beside each other.
constexpr int threadsThatLookUp = 64;

// Packs of so many tensors, several of each, are more than ptxas gives registers to by itself: an H100 took
// 119 us for 137 (`dice_by_class`), and as long where there are fewer. So are groups of so many elements.
bool readsManyPacks(const FusedKernel &kernel, int width) {
    constexpr std::ptrdiff_t many = 3;
    const bool hasGroups = widthOfGroups(kernel).has_value();
    return std::count_if(kernel.leaves.begin(), kernel.leaves.end(), [&](const KernelLeaf &leaf) {
               return leaf.isPlain() && kernel.levelOf(leaf.address) == StepLevel::Element &&
                      (hasGroups || (width > 1 && isWide(kernel, leaf.address, width)));
           }) >= many;
}

CudaMode modeOf(const FusedKernel &kernel) {
    if (isColumnScan(kernel))
        return CudaMode::LanesOfScan;
    switch (familyOf(kernel)) {
    case KernelFamily::Pointwise:
        return CudaMode::Flat;
    case KernelFamily::Rows:
        return CudaMode::BlockOfRow;
    case KernelFamily::Columns:
        return CudaMode::LanesOfRows;
    case KernelFamily::Windows:
    case KernelFamily::Product: // a library's: it never comes here
    case KernelFamily::Convolution:
    case KernelFamily::Attention: // texts of their own
    case KernelFamily::ScatteredRows:
    case KernelFamily::SortedRows:
        break;
    }
    return CudaMode::ThreadOfRow;
}

// Loads of single elements: with one for each thread too few bytes are on their way.
int togetherOf(const FusedKernel &kernel) {
    constexpr int together = 4;
    constexpr std::ptrdiff_t mostSteps = 24; // beyond it there is enough to do, and registers are few
    constexpr std::int64_t least = 1 << 20;  // four for each thread that a large GPU holds
    constexpr std::int64_t most = 1 << 28;   // what comes next is still a number of 32 bits
    const std::int64_t elements = kernel.rows() * kernel.columns();
    const std::ptrdiff_t computed =
        std::count_if(kernel.steps.begin(), kernel.steps.end(),
                      [](const KernelStep &step) { return step.op != KernelOp::Number; });
    // Far from each other they would share no lines of memory where these are read across.
    const auto isAlong = [](const AffineIndex &address) {
        return address.steps.empty() || std::abs(address.steps.back()) <= 1;
    };
    const bool areAlong =
        std::all_of(kernel.leaves.begin(), kernel.leaves.end(),
                    [&](const KernelLeaf &leaf) { return isAlong(leaf.address); }) &&
        std::all_of(kernel.stores.begin(), kernel.stores.end(), [&](const KernelStore &store) {
            return isAlong(store.address) && kernel.levelOf(store.address) >= StepLevel::Column;
        });
    const bool isOfElements =
        areAlong && widthOf(kernel) == 1 && kernel.scatter.isEmpty() && kernel.outer < kernel.loops.size();
    return isOfElements && computed <= mostSteps && elements >= least && elements < most ? together : 1;
}

} // namespace

CudaSharing cudaSharingOf(const FusedKernel &kernel, const KernelTuning &tuning) {
    CudaSharing sharing;
    sharing.mode = modeOf(kernel);
    if (slidesDown(kernel, tuning))
        sharing.mode = CudaMode::SlidingWindows;
    else if (tuning.hasWideLoads && rowsOfThread(kernel) > 1)
        sharing.mode = CudaMode::PackOfRows;
    sharing.isStaged =
        sharing.mode == CudaMode::Flat && tuning.stagesRows && stagedGatherOf(kernel).has_value();
    if (sharing.isStaged)
        sharing.mode = CudaMode::BlockOfRow;
    if (sharing.mode == CudaMode::Flat) {
        sharing.together = togetherOf(kernel);
        sharing.hasTwoPacks = canTakeTwoPacks(kernel, tuning);
    }
    if (sharing.mode == CudaMode::LanesOfRows)
        sharing.isOnePass = tuning.isOnePass && canBeOnePass(kernel, false);
    if (sharing.mode == CudaMode::LanesOfRows && tuning.hasWideLoads)
        sharing.sums = widthOf(kernel);
    if (sharing.mode == CudaMode::LanesOfRows && sharing.sums == 1)
        sharing.lanes = fewNeighbours(kernel).value_or(sharing.lanes);
    const bool isOfElements = sharing.mode == CudaMode::LanesOfRows ||
                              (sharing.mode == CudaMode::BlockOfRow && kernel.columns() >= leastOfRisingRow &&
                               !(tuning.hasWideLoads && widthOf(kernel) > 1));
    sharing.risesAtOnce = isOfElements && runsAlong(kernel) && kernel.loops.size() == kernel.outer + 1 &&
                          kernel.columns() >= leastRising;
    if (sharing.mode != CudaMode::BlockOfRow)
        return sharing;
    sharing.isClustered = tuning.isClustered && canBeClustered(kernel);
    sharing.isOnePass = tuning.isOnePass && canBeOnePass(kernel, sharing.isClustered);
    const std::vector<int> choices = configChoices(kernel, tuning);
    const int width = tuning.hasWideLoads ? widthOf(kernel) : 1;
    sharing.hasManyRegisters =
        sharing.risesAtOnce || (!sharing.isOnePass && tuning.hasWideLoads && readsManyPacks(kernel, width));
    sharing.onlyLastAsks = sharing.isOnePass && !sharing.isClustered && tuning.hasWideLoads &&
                           widthOf(kernel) > 1 && kernel.bytes() >= beyondCaches &&
                           keptByThread(kernel, choices[0]) <= mostKeptBeside;
    sharing.hasShortRows = !kernel.hasScans() && std::any_of(choices.begin(), choices.end(), isShort);
    sharing.meetsOnce = meetsOnceForSums(kernel) && !sharing.isClustered && !sharing.hasShortRows;
    // Whose look-ups are back sooner is done sooner, and makes room.
    const bool looksUp =
        width > 1 && std::any_of(kernel.steps.begin(), kernel.steps.end(),
                                 [&](const KernelStep &step) { return isGatheredPack(kernel, step, width); });
    if (looksUp)
        sharing.threadsOfShorts = threadsThatLookUp;
    return sharing;
}

} // namespace warpwright
