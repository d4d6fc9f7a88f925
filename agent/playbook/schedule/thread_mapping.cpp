// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/schedule/thread_mapping.h"

#include "agent/playbook/analysis/kernel_family.h"
#include "agent/playbook/schedule/cluster_shapes.h"
#include "agent/playbook/schedule/column_scan.h"
#include "agent/playbook/schedule/loop_space.h"
#include "agent/playbook/schedule/online_reduction.h"
#include "agent/playbook/schedule/shared_memory_gather.h"
#include "agent/playbook/schedule/sliding_window.h"
#include "agent/playbook/schedule/struct_loads.h"
#include "agent/playbook/schedule/vector_width.h"
#include "agent/playbook/schedule/vectorization.h"
#include "agent/playbook/schedule/vectorized_pooling.h"

#include <algorithm>
#include <cstdlib>

namespace warpwright {
namespace {

constexpr std::int64_t minRescalingRow = 32; ///< elements of a row whose rescaling is batched
/// Of a row, in a thread that has the loads of all its vectors in flight as well.
constexpr std::int64_t maxCachedWithPrefetch = 40;
constexpr double beyondCaches = 50e6; ///< bytes: what a large GPU's L2 holds comes quickly
/// Threads per block of short gathered rows: an H100 took 50.8 us for 54.3 with 256 (`packed_token_entry`),
/// and 2 to 8 % longer where rows are adjacent.
constexpr int threadsOfGathers = 64;

// Several vectors of so many tensors are more than ptxas gives registers to by default: an H100 took 119 us
// for 137 (`dice_by_class`), and as long where there are fewer. So are structs of so many tensors.
bool readsManyVectors(const Kernel &kernel, int width) {
    constexpr std::ptrdiff_t many = 3;
    const bool hasStructs = structsPerLoad(kernel).has_value();
    return std::count_if(kernel.inputs.begin(), kernel.inputs.end(), [&](const KernelInput &input) {
               return input.isPlain() && kernel.levelOf(input.address) == StepLevel::Element &&
                      (hasStructs || (width > 1 && isWide(kernel, input.address, width)));
           }) >= many;
}

MappingMode modeOf(const Kernel &kernel) {
    if (isColumnScan(kernel))
        return MappingMode::ColumnScan;
    switch (familyOf(kernel)) {
    case KernelFamily::Pointwise:
        return MappingMode::Flat;
    case KernelFamily::Rows:
        return MappingMode::BlockPerRow;
    case KernelFamily::Columns:
        return MappingMode::ColumnReduction;
    case KernelFamily::Windows:
    case KernelFamily::Matmul: // a library's: never reached
    case KernelFamily::Convolution:
    case KernelFamily::Attention: // templates of their own
    case KernelFamily::ScatteredRows:
    case KernelFamily::SortedRows:
        break;
    }
    return MappingMode::ThreadPerRow;
}

// Scalar loads: with one per thread too few bytes are in flight.
int elementsPerThreadOf(const Kernel &kernel) {
    constexpr int elementsPerThread = 4;
    constexpr std::ptrdiff_t mostSteps = 24; // beyond it there is enough to do, and registers are few
    constexpr std::int64_t least = 1 << 20;  // four for each thread that a large GPU holds
    constexpr std::int64_t most = 1 << 28;   // the next index still fits 32 bits
    const std::int64_t elements = kernel.rows() * kernel.columns();
    const std::ptrdiff_t computed =
        std::count_if(kernel.steps.begin(), kernel.steps.end(),
                      [](const KernelStep &step) { return step.op != Opcode::Number; });
    // Strided elements would share no memory lines where inputs are read across.
    const auto isAlong = [](const AffineExpr &address) {
        return address.steps.empty() || std::abs(address.steps.back()) <= 1;
    };
    const bool areAlong =
        std::all_of(kernel.inputs.begin(), kernel.inputs.end(),
                    [&](const KernelInput &input) { return isAlong(input.address); }) &&
        std::all_of(kernel.stores.begin(), kernel.stores.end(), [&](const KernelStore &store) {
            return isAlong(store.address) && kernel.levelOf(store.address) >= StepLevel::Column;
        });
    const bool isOfElements =
        areAlong && widthOf(kernel) == 1 && !kernel.isScattered() && kernel.outer < kernel.loops.size();
    return isOfElements && computed <= mostSteps && elements >= least && elements < most ? elementsPerThread
                                                                                         : 1;
}

} // namespace

ThreadMapping threadMappingOf(const Kernel &kernel, const Knobs &knobs) {
    ThreadMapping mapping;
    mapping.mode = modeOf(kernel);
    if (usesSlidingWindow(kernel, knobs))
        mapping.mode = MappingMode::SlidingWindow;
    else if (knobs.hasWideLoads && rowsPerThread(kernel) > 1)
        mapping.mode = MappingMode::ThreadPerRowVector;
    mapping.usesSharedGather = mapping.mode == MappingMode::Flat && knobs.gathersThroughShared &&
                               sharedMemoryGatherOf(kernel).has_value();
    if (mapping.usesSharedGather)
        mapping.mode = MappingMode::BlockPerRow;
    if (mapping.mode == MappingMode::Flat) {
        mapping.elementsPerThread = elementsPerThreadOf(kernel);
        mapping.hasTwoVectors = canTakeTwoVectors(kernel, knobs);
    }
    if (mapping.mode == MappingMode::ColumnReduction)
        mapping.isPersistent = knobs.isPersistent && canBePersistent(kernel, false);
    if (mapping.mode == MappingMode::ColumnReduction && knobs.hasWideLoads)
        mapping.sums = widthOf(kernel);
    if (mapping.mode == MappingMode::ColumnReduction && mapping.sums == 1)
        mapping.blockWidth = fewNeighbours(kernel).value_or(mapping.blockWidth);
    const bool isOfElements =
        mapping.mode == MappingMode::ColumnReduction ||
        (mapping.mode == MappingMode::BlockPerRow && kernel.columns() >= minBatchedRescalingRow &&
         !(knobs.hasWideLoads && widthOf(kernel) > 1));
    mapping.batchesRescaling = isOfElements && hasOnlineSoftmax(kernel) &&
                               kernel.loops.size() == kernel.outer + 1 && kernel.columns() >= minRescalingRow;
    if (mapping.mode != MappingMode::BlockPerRow)
        return mapping;
    mapping.isClustered = knobs.isClustered && canBeClustered(kernel);
    mapping.isPersistent = knobs.isPersistent && canBePersistent(kernel, mapping.isClustered);
    const std::vector<int> choices = blockPerRowConfigs(kernel, knobs);
    const int width = knobs.hasWideLoads ? widthOf(kernel) : 1;
    mapping.hasManyRegisters = mapping.batchesRescaling || (!mapping.isPersistent && knobs.hasWideLoads &&
                                                            readsManyVectors(kernel, width));
    mapping.predicatesOnlyLast = mapping.isPersistent && !mapping.isClustered && knobs.hasWideLoads &&
                                 widthOf(kernel) > 1 && kernel.bytes() >= beyondCaches &&
                                 cachedPerThread(kernel, choices[0]) <= maxCachedWithPrefetch;
    mapping.hasShortRows = !kernel.hasScans() && std::any_of(choices.begin(), choices.end(), isShort);
    mapping.fusesBlockReductions =
        canFuseBlockReductions(kernel) && !mapping.isClustered && !mapping.hasShortRows;
    // A block whose gathers return sooner is done sooner, and makes room.
    const bool gathers =
        width > 1 && std::any_of(kernel.steps.begin(), kernel.steps.end(), [&](const KernelStep &step) {
            return isGatheredVector(kernel, step, width);
        });
    if (gathers)
        mapping.shortRowThreads = threadsOfGathers;
    return mapping;
}

} // namespace warpwright
