// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/playbook/schedule/loop_space.h"

#include "agent/playbook/analysis/kernel_family.h"
#include "agent/playbook/schedule/cluster_shapes.h"
#include "agent/playbook/schedule/index_sharing.h"
#include "agent/playbook/schedule/online_reduction.h"
#include "agent/playbook/schedule/row_scan.h"
#include "agent/playbook/schedule/shared_memory_gather.h"
#include "agent/playbook/schedule/struct_loads.h"
#include "agent/playbook/schedule/transpose_tile.h"
#include "agent/playbook/schedule/vector_width.h"
#include "agent/playbook/schedule/vectorization.h"
#include "agent/playbook/schedule/vectorized_pooling.h"
#include "agent/playbook/target/program_device.h"

#include <algorithm>
#include <cmath>

namespace warpwright {
namespace {

constexpr std::size_t mostChoices = 4;   ///< each is compiled
constexpr double mostThreadsOfRow = 256; ///< unless rows are few: more threads wait for each other

// Only one block fits on an SM, which idles while its threads wait for each other.
bool isAlone(const Kernel &kernel, int threads, int width) {
    return blocksAtOnce(kernel, threads, 1, width) < 2;
}

/// The powers of two nearest to `wanted`, nearest first.
std::vector<int> nearest(std::vector<int> candidates, double wanted) {
    std::stable_sort(candidates.begin(), candidates.end(), [wanted](int a, int b) {
        return std::abs(std::log2(a / wanted)) < std::abs(std::log2(b / wanted));
    });
    candidates.resize(std::min(candidates.size(), mostChoices));
    return candidates;
}

bool hasFewRowsOfManySums(const Kernel &kernel) {
    return hasFewRowsForDevice(deviceOf(kernel), kernel.rows()) && canFuseBlockReductions(kernel);
}

std::vector<int> threadsOfRow(const Kernel &kernel, const Knobs &knobs) {
    const bool isPersistent = knobs.isPersistent && canBePersistent(kernel, false);
    const std::optional<UnalignedRows> scanned = knobs.hasWideLoads ? rowScanOf(kernel) : std::nullopt;
    const int width = scanned ? scanned->width : elementsPerAccess(kernel, knobs);
    const double vecs = static_cast<double>(kernel.columns()) / width;
    const double enoughThreads = threadsForMemory(deviceOf(kernel));
    // A scan goes from warp to warp; other rows may be shorter than one. Fused block reductions need a block
    // per row.
    const int least = kernel.hasScans() ? 32 : hasFewRowsOfManySums(kernel) ? 64 : 4;
    std::vector<int> candidates;
    for (int threads = least; threads <= 1024; threads *= 2)
        if ((!isPersistent || registersHold(kernel, threads, 1)) && (threads == least || vecs * 2 >= threads))
            candidates.push_back(threads);
    if (candidates.empty())
        return {1024};
    const bool isWide = knobs.hasWideLoads && (widthOf(kernel) > 1 || structsPerLoad(kernel));
    // Threads of a scan synchronize after each chunk: few do so quickly, and many rows keep the device busy.
    if (kernel.hasScans())
        return nearest(candidates,
                       std::clamp(enoughThreads / static_cast<double>(kernel.rows()), 64.0, 1024.0));
    // The threads of a radix select synchronize for each bit of an element.
    if (kernel.hasKthValues())
        return nearest(candidates, std::min(vecs, 128.0));
    // Tuned on an H200, 60 kernels (docs/notebook/2026-11-22.md#which-config-comes-first): loads per thread,
    // where there are enough rows. A cached row is read only once, and less of it per thread leaves room for
    // more threads.
    const double most = isPersistent ? (isWide ? 4 : 12) : (isWide ? 6 : 20);
    const double loads = std::clamp(static_cast<double>(kernel.rows()) * vecs / enoughThreads, 1.0, most);
    const double fewest = isPersistent && isWide ? std::min(vecs, 16.0) : 4;
    const double wanted = std::max(vecs / loads, fewest);
    // Rows cached by scalar loads need registers: a block with fewer threads leaves fewer at work.
    const bool isCapped = loads >= most && (isWide || !isPersistent);
    // Threads of an online softmax with scalar loads have many of them in flight.
    if (!isWide && hasOnlineSoftmax(kernel) && kernel.columns() >= minBatchedRescalingRow) {
        candidates.erase(std::remove_if(candidates.begin(), candidates.end(), isShort), candidates.end());
        return nearest(candidates, std::min(wanted, 128.0));
    }
    std::vector<int> choices = nearest(candidates, isCapped ? std::min(wanted, mostThreadsOfRow) : wanted);
    if (isPersistent)
        std::stable_partition(choices.begin(), choices.end(), [&](int threads) {
            return !isAlone(kernel, threads, isWide ? widthOf(kernel) : 1);
        });
    return choices;
}

// A thread that caches a dozen elements has as many loads in flight, and a block is small enough for others
// beside it.
std::vector<int> cachingWarps(const Kernel &kernel, std::vector<int> warps) {
    constexpr double wanted = 12;
    warps.erase(
        std::remove_if(warps.begin(), warps.end(),
                       [&](int some) { return cachedPerWarp(kernel, some) > maxCachedPerWarp(kernel); }),
        warps.end());
    if (warps.empty())
        warps.push_back(maxBlockWarps);
    return nearest(std::move(warps),
                   static_cast<double>(kernel.columns()) * std::max(cachedValues(kernel), 1) / wanted);
}

std::vector<int> columnWarps(const Kernel &kernel, const Knobs &knobs) {
    std::vector<int> warps = {4};
    while (warps.back() < maxBlockWarps && warps.back() * 8 <= kernel.columns())
        warps.push_back(warps.back() * 2);
    if (knobs.isPersistent && canBePersistent(kernel, false))
        return cachingWarps(kernel, std::move(warps));
    // Online sums are rescaled for several elements at once. Tuned on an H100, some 20 of them a thread:
    // 840 us for 1407 with 200 (`talking_heads`), 80 for 88 with ten (`expected_depth`).
    if (hasOnlineSoftmax(kernel))
        return nearest(warps, static_cast<double>(kernel.columns()) / 20);
    const double fewest = static_cast<double>(flatThreads) / fewNeighbours(kernel).value_or(flatThreads);
    return nearest(warps,
                   std::max(threadsForMemory(deviceOf(kernel)) / static_cast<double>(kernel.rows()), fewest));
}

} // namespace

bool canBeVectorized(const Kernel &kernel) {
    return widthOf(kernel) > 1 || structsPerLoad(kernel) || rowsPerThread(kernel) > 1 || rowScanOf(kernel);
}

bool canTakeTwoVectors(const Kernel &kernel, const Knobs &knobs) {
    constexpr std::int64_t least = 1 << 19; // two for each thread that a large GPU holds
    if (!knobs.hasWideLoads || familyOf(kernel) != KernelFamily::Pointwise || kernel.isScattered() ||
        transposeTileOf(kernel) || (knobs.gathersThroughShared && sharedMemoryGatherOf(kernel)))
        return false;
    const int width = widthOf(kernel);
    const std::int64_t vecs = vectorsOf(kernel, width);
    return width > 1 && vecs >= least && vecs % (2 * flatThreads) == 0;
}

std::vector<int> transposeTileConfigs(const Kernel &kernel) {
    std::vector<int> elements;
    for (const TileSize &size : tileSizes(kernel, *transposeTileOf(kernel)))
        elements.push_back(size.columns * size.across);
    return elements;
}

std::vector<int> threadPerRowConfigs(const Kernel &kernel) {
    // Where rows are few, small blocks spread over more SMs.
    return static_cast<double>(kernel.rows()) < threadsForMemory(deviceOf(kernel))
               ? std::vector<int>{32, 64, 128, 256}
               : std::vector<int>{128, 256, 64, 512};
}

std::vector<int> blockPerRowConfigs(const Kernel &kernel, const Knobs &knobs) {
    if (const auto staged = knobs.gathersThroughShared ? sharedMemoryGatherOf(kernel) : std::nullopt)
        return gatherThreads(*staged);
    if (knobs.isClustered && canBeClustered(kernel)) {
        std::vector<int> threads;
        for (const ClusterShape &shape : clusterShapes(kernel, knobs))
            threads.push_back(shape.blocks * shape.threads);
        return threads;
    }
    return threadsOfRow(kernel, knobs);
}

std::vector<int> genericConfigs(const Kernel &kernel, const Knobs &knobs) {
    if (kernel.isRowPerThread || withSharedIndices(kernel))
        return {512, 256, 1024, 128}; // they read from few rows, which a block shares
    if (knobs.gathersThroughShared && sharedMemoryGatherOf(kernel))
        return blockPerRowConfigs(kernel, knobs);
    // As many blocks as there is work for, each thread with a vector of 16 bytes, or four elements.
    if (!kernel.hasReductions())
        return {0, 32, canTakeTwoVectors(kernel, knobs) ? twoVectorsPerThread : 16, 8};
    if (familyOf(kernel) == KernelFamily::Columns)
        return columnWarps(kernel, knobs);
    return familyOf(kernel) == KernelFamily::Windows ? threadPerRowConfigs(kernel)
                                                     : blockPerRowConfigs(kernel, knobs);
}

QStringList configLabels(const Kernel &kernel, const Knobs &knobs, const std::vector<int> &configs) {
    QStringList labels;
    if (knobs.isClustered && canBeClustered(kernel))
        for (const ClusterShape &shape : clusterShapes(kernel, knobs))
            labels << shape.word();
    else
        for (const int config : configs)
            labels << (config == twoVectorsPerThread ? QStringLiteral("two vectors a thread")
                                                     : QString::number(config));
    return labels;
}

} // namespace warpwright
